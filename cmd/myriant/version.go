// myriant version

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/myriant-rl/myriant/batch"
)

// version is that of the package that the program comes in, if the linker was
// told (-X main.version=1.2.3); else the module's is told.
var version string

// versionInfo is what version prints with --json.
type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Kernels  string `json:"kernels"` // batch.Acceleration
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Args:  args("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := buildVersion()
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), v)
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "myriant %s", v.Version)
			if v.Revision != "" {
				fmt.Fprintf(out, " (%.12s", v.Revision)
				if v.Modified {
					fmt.Fprint(out, ", modified")
				}
				fmt.Fprint(out, ")")
			}
			fmt.Fprintf(out, "\n%s %s, %s kernels\n", v.Go, v.Platform, v.Kernels)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func buildVersion() versionInfo {
	v := versionInfo{Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Kernels: batch.Acceleration()}
	info, ok := debug.ReadBuildInfo()
	if ok {
		v.Version = info.Main.Version
	}
	if version != "" {
		v.Version = version
	}
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
