// The tree of commands, and what they share.

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "myriant",
		Short: "Games for reinforcement learning, exact and fast",
		Long: `Myriant plays thousands of boards of a game at once by exact rules: it writes
datasets, plays and checks recorded games, makes maps, and measures itself.`,
		Example: `  myriant generate                       a dataset on a bundled map
  myriant maps list                      the bundled maps
  myriant play --out replay.json --show  one match, drawn and recorded
  myriant replay verify replay.json      play it again and compare`,
	}
	group(root)
	root.AddCommand(newGenerate(), newData(), newMaps(), newReplay(), newPlay(), newPolicies(), newBench(), newVersion())
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetUsageTemplate(usage.Replace(root.UsageTemplate()))
	return root
}

// usage changes the library's template: a group runs only to print its help, so
// that its own name alone is no usage, and the flags are wrapped.
var usage = strings.NewReplacer(
	"{{if .Runnable}}", "{{if and .Runnable (not .HasAvailableSubCommands)}}",
	".LocalFlags.FlagUsages", ".LocalFlags.FlagUsagesWrapped 100",
)

// group makes a command of one that only holds others: alone it prints its
// help, and an unknown name is an error.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.SilenceErrors = true
	cmd.SilenceUsage = true
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		hint := ""
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			hint = fmt.Sprintf(", did you mean %q?", near[0])
		}
		return &usageError{cmd.CommandPath(), fmt.Errorf("no command %q%s", args[0], hint)}
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{cmd.CommandPath(), err}
	})
	return cmd
}

// A usageError is a command line that cannot be read.
type usageError struct {
	command string
	cause   error
}

func (e *usageError) Error() string { return e.cause.Error() }
func (e *usageError) Unwrap() error { return e.cause }

// usagef is an error in the flags or arguments of a command.
func usagef(cmd *cobra.Command, format string, a ...any) error {
	return &usageError{cmd.CommandPath(), fmt.Errorf(format, a...)}
}

// args checks the number of arguments: at least lo, at most hi (-1: any).
func args(what string, lo, hi int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < lo {
			return usagef(cmd, "needs %s", what)
		}
		if hi >= 0 && len(args) > hi {
			return usagef(cmd, "one argument too many: %q", args[hi])
		}
		return nil
	}
}

// writeJSON writes a value as indented JSON.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
