package abi

import (
	"strings"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

var antsGame = game{
	name:     "ants",
	ruleSets: ants.RuleSetNames,
	rules: func(text string) (*ruleSet, error) {
		r, err := ants.ParseRules(text)
		if err != nil {
			return nil, err
		}
		s := &ruleSet{name: r.Name, json: r.JSON(), signature: ants.Signature(r.Name), maxSteps: r.MaxTurns}
		for _, e := range r.Endings {
			s.reasons = append(s.reasons, e.Reason)
		}
		return s, r.Validate()
	},
	maps: ants.Bundled,
	named: func(name string) (env.Map, error) {
		if !strings.HasPrefix(name, ants.GeneratedPrefix) {
			return asMap(ants.BundledMap(name))
		}
		o, err := ants.ParseGenerated(name)
		if err != nil {
			return nil, err
		}
		return asMap(ants.Generate(o))
	},
	decode: func(data []byte) (env.Map, error) { return asMap(ants.ParseMap(data)) },
	usual:  func(*ruleSet) (env.Map, error) { return asMap(ants.BundledMap("open-32x32-2p")) },
	policies: []label{
		{"hold", "every ant stays where it is"},
		{"random", "each ant moves at random among what its mask allows"},
		{"greedy", "each ant takes a shortest way to food, unexplored land or an enemy hill"},
		{"hunter", "as greedy, but ants gather before they fight"},
	},
	terms: []term{
		{"score", "change of the own score", 1},
		{"food", "food gathered", 0},
		{"kills", "enemies killed in combat", 0},
		{"losses", "own ants dead", 0},
		{"explore", "cells seen for the first time, as a share of the board", 0},
		{"win", "at the end: 1 for a sole first rank", 0},
		{"rank", "at the end: 1 for the first down to -1 for the last", 0},
	},
	options: []label{
		{"per_owner", "one plane of foes for each relative owner instead of one for all"},
		{"recentre", "shift each seat's arrays so that its own first hill is at (rows/2, cols/2)"},
	},
	planes: []obs.DType{obs.Bit, obs.Uint8, obs.Float16, obs.Float32},
	points: 1,
	roles: map[string]role{
		ants.FieldAntMask.Name: isMask, ants.FieldCellMask.Name: isMask,
		ants.FieldReward.Name: isReward, ants.FieldReturn.Name: isReward,
		ants.FieldTerminated.Name: isFlag, ants.FieldTruncated.Name: isFlag, ants.FieldDone.Name: isFlag, ants.FieldValid.Name: isFlag,
		ants.FieldReason.Name: isFlag,
		ants.FieldTurn.Name:   isHidden, ants.FieldScore.Name: isHidden, ants.FieldRank.Name: isHidden, ants.FieldAntCount.Name: isHidden,
		ants.FieldGathered.Name: isHidden, ants.FieldKills.Name: isHidden, ants.FieldLosses.Name: isHidden, ants.FieldRazed.Name: isHidden,
	},
	masks: map[string][]string{
		ants.HeadAnt.Name: {ants.FieldAntMask.Name}, ants.HeadAntLogits.Name: {ants.FieldAntMask.Name},
		ants.HeadCell.Name: {ants.FieldCellMask.Name}, ants.HeadCellLogits.Name: {ants.FieldCellMask.Name},
	},
	labels: func(f obs.Field, axis int, sizes obs.Sizes, options map[string]bool) []label {
		switch f.Shape[axis] {
		case "C":
			per := options["per_owner"]
			planes := ants.Planes(sizes["P"], per, false)
			return planeLabels(ants.Planes(sizes["P"], per, len(planes) < sizes["C"]))
		case "5":
			return words("north", "east", "south", "west", "stay")
		}
		return nil
	},
}
