// myriant policies: the bundled policies and how they do against each other.

package main

import (
	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

func newPolicies() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "policies",
		Short: "List the bundled policies, and play them against each other",
		Example: `  myriant policies list
  myriant policies crosstable --games 100`,
	})
	cmd.AddCommand(newPoliciesList(), newPoliciesCrosstable())
	return cmd
}

// policyWords says what each bundled policy does.
var policyWords = map[string]string{
	"hold":   "every ant stays where it is",
	"random": "each ant moves at random among what its mask allows",
	"greedy": "each ant takes a shortest way to food, unexplored land or an enemy hill",
	"hunter": "as greedy, but ants gather before they fight",
}

// policyInfo is what list prints of a policy with --json.
type policyInfo struct {
	Name string `json:"name"`
	Does string `json:"does"`
}

func newPoliciesList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the bundled policies, the weakest first",
		Args:  args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var list []policyInfo
			for _, name := range policy.Names() {
				list = append(list, policyInfo{name, policyWords[name]})
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), list)
			}
			t := console.NewTable("policy", "what it does")
			for _, p := range list {
				t.Row(p.Name, p.Does)
			}
			t.Write(cmd.OutOrStdout())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}
