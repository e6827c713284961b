package abi

import (
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
	"github.com/myriant-rl/myriant/env/formica/policy"
	"github.com/myriant-rl/myriant/env/obs"
)

var formicaGame = game{
	name:     "formica",
	ruleSets: formica.Variants,
	rules: func(text string) (*ruleSet, error) {
		c, err := formica.ParseConfig(text)
		if err != nil {
			return nil, err
		}
		// A phase every so many ticks from tick 0 on, and at most one a window of events.
		phases := (c.MaxTicks-1)/c.CommandEvery + 1 + c.MaxTicks/c.EventEvery
		return &ruleSet{
			name: c.Name, json: c.JSON(), signature: formica.Signature(c.Name), maxSteps: min(phases, c.MaxTicks),
			reasons: []string{formica.ReasonFinalTick},
		}, c.Validate()
	},
	maps: formica.BundledBoards,
	named: func(name string) (env.Map, error) {
		if strings.HasPrefix(name, formica.GeneratedPrefix) {
			return asMap(formica.GeneratedBoard(name))
		}
		return asMap(formica.BundledBoard(name))
	},
	decode: func(data []byte) (env.Map, error) { return asMap(formica.ParseBoard(data)) },
	usual: func(r *ruleSet) (env.Map, error) {
		c, err := formica.ParseConfig(r.json)
		if err != nil {
			return nil, err
		}
		return asMap(c.Board())
	},
	policies: func() (list []label) {
		for _, name := range policy.Names() {
			p, err := policy.New(name)
			if err != nil {
				panic("abi: a policy that is listed is none: " + err.Error())
			}
			list = append(list, label{name, p.About()})
		}
		return list
	}(),
	terms: []term{
		{"margin", "at the end, or at the colony's death: the own score less the mean of the rivals', in points", 1},
		{"win", "at the end: 1 for the only highest score", 0},
		{"score", "change of the own score, in points", 0},
	},
	options: []label{},
	planes:  []obs.DType{obs.Uint8, obs.Float16, obs.Float32},
	points:  0.5,
	roles: map[string]role{
		formica.FieldModeMask.Name: isMask, formica.FieldDefendMask.Name: isMask, formica.FieldTargetMask.Name: isMask,
		formica.FieldReward.Name: isReward, formica.FieldReturn.Name: isReward,
		formica.FieldTerminated.Name: isFlag, formica.FieldTruncated.Name: isFlag, formica.FieldDone.Name: isFlag,
		formica.FieldValid.Name: isFlag, formica.FieldReason.Name: isFlag, formica.FieldTicks.Name: isFlag,
		formica.FieldTurn.Name: isHidden, formica.FieldTick.Name: isHidden, formica.FieldScore.Name: isHidden, formica.FieldRank.Name: isHidden,
		formica.FieldFoodStored.Name: isHidden, formica.FieldTerritory.Name: isHidden, formica.FieldPopulation.Name: isHidden,
		formica.FieldHarvested.Name: isHidden, formica.FieldStolen.Name: isHidden, formica.FieldBirths.Name: isHidden,
		formica.FieldLosses.Name: isHidden,
	},
	masks: func() map[string][]string {
		masks := map[string][]string{}
		for _, h := range formica.Heads() {
			masks[h.Name] = []string{formica.FieldModeMask.Name, formica.FieldDefendMask.Name, formica.FieldTargetMask.Name}
		}
		return masks
	}(),
	labels: func(f obs.Field, axis int, _ obs.Sizes, _ map[string]bool) []label {
		switch f.Shape[axis] {
		case "C":
			return planeLabels(formica.Planes())
		case "K":
			return planeLabels(formica.Scalars())
		}
		if axis != 2 {
			return nil
		}
		switch f.Name {
		case formica.FieldModeMask.Name:
			return words(formica.ModeNames[:]...)
		case formica.FieldDefendMask.Name:
			return words("off", "on")
		case formica.HeadOrders.Name:
			return words("mode", "alloc", "defend", "target")
		case formica.HeadWeights.Name:
			return words("mode", "food", "defense", "expansion", "defend", "target")
		}
		return nil
	},
}
