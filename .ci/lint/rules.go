package lint

// A Rule forbids imports. Packages are named by patterns: "third" is every
// package of another module but the standard library, "." the whole project.
// Anything else is a path below the project or, when its first element looks
// like a host, a full path; "x" is that package alone, "x/..." also everything
// below it.
type Rule struct {
	Why    string
	From   []string // the rule binds these packages,
	Not    []string // but not these
	Deny   []string // they must not import these,
	Allow  []string // but may import these
	Tests  bool     // the rule binds test files too
	Deeply bool     // reaching a denied package through others of ours breaks the rule too
}

// Rules is the table. A layer may import what is below it: env, batch, then
// bench, datasets and cshim, then cmd.
var Rules = []Rule{
	{
		Why:  "env is the bottom: it imports nothing of ours above it and no third party",
		From: []string{"env/..."},
		Deny: []string{".", "third"}, Allow: []string{"env/..."},
	},
	{
		Why:  "tests of env may use test libraries, but import nothing of ours above it",
		From: []string{"env/..."}, Tests: true,
		Deny: []string{"."}, Allow: []string{"env/..."},
	},
	{
		Why:  "what a game declares must not depend on its reference engine",
		From: []string{"env/ants", "env/formica", "env", "env/obs"},
		Deny: []string{"env/ants/antsref", "env/formica/formicaref"}, Deeply: true,
	},
	{
		Why:  "the fast engine never imports the reference: independence is what makes it an oracle",
		From: []string{"batch/..."},
		Deny: []string{"env/ants/antsref", "env/formica/formicaref", "env/envtest"}, Deeply: true,
	},
	{
		Why:  "batch imports nothing of ours above it",
		From: []string{"batch/..."}, Tests: true,
		Deny: []string{"."}, Allow: []string{"batch/...", "env/..."},
	},
	{
		Why:  "the runner and its contract know no game: games come through the kernel's registry",
		From: []string{"batch/internal/kernel", "batch/internal/bits", "batch/internal/invariants"},
		Deny: []string{"env/ants/...", "env/formica/..."}, Deeply: true,
	},
	{
		Why:  "bench, datasets and cshim are libraries: commands are above them",
		From: []string{"bench/...", "datasets/...", "cshim/..."}, Tests: true,
		Deny: []string{"cmd/..."},
	},
	{
		Why:  "only the exporter and datasets see arrow",
		From: []string{"."}, Not: []string{"batch/arrowexport/...", "datasets/..."}, Tests: true,
		Deny: []string{"github.com/apache/arrow/..."},
	},
	{
		Why:  "cmd/internal serves commands only",
		From: []string{"."}, Not: []string{"cmd/..."}, Tests: true,
		Deny: []string{"cmd/internal/..."},
	},
	{
		Why:  "the command line library and the progress bar stay under cmd",
		From: []string{"."}, Not: []string{"cmd/..."}, Tests: true,
		Deny: []string{"github.com/spf13/...", "github.com/schollz/progressbar/..."},
	},
	{
		Why:  "nothing imports the build scripts' own package",
		From: []string{"."}, Tests: true,
		Deny: []string{".ci/..."},
	},
}
