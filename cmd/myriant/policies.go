// myriant policies: the bundled policies and how they do against each other.

package main

import (
	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/cmd/internal/console"
)

func newPolicies() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "policies",
		Short: "List the bundled policies, and play them against each other",
		Example: `  myriant policies list
  myriant policies list --game formica
  myriant policies crosstable --games 100
  myriant policies balance --game formica`,
	})
	cmd.AddCommand(newPoliciesList(), newPoliciesCrosstable(), newPoliciesBalance())
	return cmd
}

type policiesListOptions struct {
	gameFlag
	json bool
}

func newPoliciesList() *cobra.Command {
	var o policiesListOptions
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the bundled policies of a game",
		Args:  args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			g, err := o.lookup(cmd)
			if err != nil {
				return err
			}
			if o.json {
				return writeJSON(cmd.OutOrStdout(), g.Policies())
			}
			t := console.NewTable("policy", "what it does")
			for _, p := range g.Policies() {
				t.Row(p.Name, p.Does)
			}
			t.Write(cmd.OutOrStdout())
			return nil
		},
	}
	o.bindGame(cmd.Flags())
	cmd.Flags().BoolVar(&o.json, "json", false, "print a JSON array")
	return cmd
}
