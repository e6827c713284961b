// Flags that several commands have.

package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/myriant-rl/myriant/env/ants"
)

// rulesFlags choose a rule set.
type rulesFlags struct {
	rules    string
	maxTurns int
}

func (r *rulesFlags) bind(f *pflag.FlagSet) {
	f.StringVar(&r.rules, "rules", ants.RuleSetNames()[0],
		fmt.Sprintf("rule set: %s, or a JSON object of changes such as {\"name\":\"ladder\",\"attack_radius2\":9}", strings.Join(ants.RuleSetNames(), ", ")))
	f.IntVar(&r.maxTurns, "max-turns", 0, "turn limit of a game (0: the rule set's)")
}

// resolve returns the rule set. Errors wrap env.ErrRules.
func (r *rulesFlags) resolve() (*ants.Rules, error) {
	rules, err := ants.ParseRules(r.rules)
	if err != nil {
		return nil, err
	}
	if r.maxTurns != 0 {
		rules.MaxTurns = r.maxTurns
	}
	return &rules, rules.Validate()
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
