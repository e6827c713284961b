// Flags that several commands have.

package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/myriant-rl/myriant/cmd/internal/games"
	"github.com/myriant-rl/myriant/env"
)

// gameFlag chooses a game.
type gameFlag struct{ game string }

func (o *gameFlag) bindGame(f *pflag.FlagSet) {
	f.StringVar(&o.game, "game", games.Default(), "game: "+strings.Join(games.Names(), ", "))
}

func (o *gameFlag) lookup(cmd *cobra.Command) (games.Game, error) {
	g, err := games.Lookup(o.game)
	if err != nil {
		return nil, usagef(cmd, "--game: %w", err)
	}
	return g, nil
}

// rulesFlags choose a game and a rule set of it.
type rulesFlags struct {
	gameFlag
	rules    string
	maxTurns int
}

func (r *rulesFlags) bind(f *pflag.FlagSet) {
	r.bindGame(f)
	sets := games.Each(func(g games.Game) string { return strings.Join(ruleSets(g), ", ") })
	f.StringVar(&r.rules, "rules", "",
		fmt.Sprintf("rule set: %s, or a JSON object of changes such as {\"name\":\"ladder\",\"attack_radius2\":9} (default: the game's usual one)", sets))
	limits := games.Each(func(g games.Game) string { return g.Words().Limit })
	f.IntVar(&r.maxTurns, "max-turns", 0, fmt.Sprintf("limit of a game, in %s (0: the rule set's)", limits))
}

// ruleSets lists the named rule sets of a game.
func ruleSets(g games.Game) []string {
	known, err := env.Lookup(g.Name())
	if err != nil {
		panic("myriant: a game of the table is not registered: " + err.Error())
	}
	return known.RuleSets()
}

// resolve returns the game and the rule set. Errors wrap env.ErrRules or are of
// usage.
func (r *rulesFlags) resolve(cmd *cobra.Command, use games.Use) (games.Game, *games.Rules, error) {
	g, err := r.lookup(cmd)
	if err != nil {
		return nil, nil, err
	}
	text := r.rules
	if text == "" {
		text = g.Usual(use).Rules
	}
	rules, err := g.Rules(text, r.maxTurns)
	return g, rules, err
}

// mapHelp says what --map takes.
func mapHelp() string {
	return games.Each(func(g games.Game) string { return g.Maps().Help })
}

// policiesHelp says what --policies is by default.
func policiesHelp(what string, usual func(g games.Game) string) string {
	return fmt.Sprintf("%s, see 'myriant policies list' (default %s)", what, games.Each(usual))
}

// usualPolicies are a game's usual policies.
func usualPolicies(u games.Use) func(games.Game) string {
	return func(g games.Game) string { return g.Usual(u).Policies }
}

// atMostOne checks that no two of the flags are set.
func atMostOne(cmd *cobra.Command, names ...string) error {
	set := ""
	for _, name := range names {
		if !cmd.Flags().Changed(name) {
			continue
		}
		if set != "" {
			return usagef(cmd, "--%s and --%s exclude each other", set, name)
		}
		set = name
	}
	return nil
}

// splitNames reads a list of names with commas between them.
func splitNames(list string) []string {
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// parsePositive reads a number of 1 or more.
func parsePositive(text string) (int64, error) {
	v, err := strconv.ParseInt(text, 10, 64)
	if err == nil && v < 1 {
		err = errors.New("not positive")
	}
	return v, err
}
