package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/datasets"
)

// TestData uses every command on datasets as a person would.
func TestData(t *testing.T) {
	t.Chdir(t.TempDir())
	make := func(out string, more ...string) {
		ok(t, append(append(slices.Clone(small), "--episodes", "12", "--out", out), more...)...)
	}
	make("games")
	want := folder(t, "games")
	for _, m := range parseJSON[map[string]any](t, ok(t, "data", "info", "games", "--json")) {
		if m == nil {
			t.Error("info has an empty field")
		}
	}
	if got := ok(t, "data", "info", "games"); !strings.Contains(got, "orders of ants, complete") || !strings.Contains(got, "tiny-2p") {
		t.Errorf("info prints %q", got)
	}

	// Parts are the whole.
	make("first", "--part", "1/2")
	make("second", "--part", "2/2")
	merged := parseJSON[datasets.Transformed](t, ok(t, "data", "merge", "second", "first", "--out", "merged", "--json"))
	if merged.Episodes != 12 || !merged.Complete {
		t.Errorf("%+v", merged)
	}
	equalFolders(t, "merged", folder(t, "merged"), want)

	// There and back.
	ok(t, "data", "convert", "games", "--kind", "steps", "--format", "parquet", "--out", "table")
	make("steps", "--kind", "steps", "--format", "parquet")
	equalFolders(t, "converted", folder(t, "table"), folder(t, "steps"))
	ok(t, "data", "convert", "table", "--kind", "orders", "--format", "arrow", "--out", "back")
	equalFolders(t, "converted back", folder(t, "back"), want)

	for _, dir := range []string{"games", "table"} {
		v := parseJSON[datasets.Verification](t, ok(t, "data", "verify", dir, "--json"))
		if v.Episodes != 12 || v.Turns != merged.Turns {
			t.Errorf("%s: %+v", dir, v)
		}
	}
	if got := ok(t, "data", "verify", "games"); !strings.Contains(got, "12 episodes") {
		t.Errorf("verify prints %q", got)
	}

	// Statistics of both kinds are the same, and are drawn.
	a := parseJSON[dataStats](t, ok(t, "data", "stats", "games", "--plots", "figures", "--json"))
	b := parseJSON[dataStats](t, ok(t, "data", "stats", "table", "--plots", "figures", "--plot-format", "svg", "--json"))
	a.Kind, a.Rows, a.Bytes, a.Bits = b.Kind, b.Rows, b.Bytes, b.Bits
	plots := slices.Concat(a.Plots, b.Plots)
	a.Plots = b.Plots
	if x, y := mustJSON(t, a), mustJSON(t, b); x != y {
		t.Errorf("statistics of orders %s\nand of steps %s", x, y)
	}
	if a.Episodes != 12 || len(a.Policies) != 2 || a.Policies[0].Seats != 12 || a.Policies[1].Return.Mean <= a.Policies[0].Return.Mean {
		t.Errorf("%+v", a.Stats)
	}
	for _, name := range []string{"returns", "lengths", "endings", "ants", "actions"} {
		for format, begin := range map[string]string{"png": "\x89PNG", "svg": "<?xml"} {
			path := filepath.Join("figures", name+"."+format)
			data, err := os.ReadFile(path)
			if err != nil || !strings.HasPrefix(string(data), begin) || len(data) < 2000 || !slices.Contains(plots, path) {
				t.Errorf("%s: %d bytes, %v", path, len(data), err)
			}
		}
	}
	if got := ok(t, "data", "stats", "games"); !strings.Contains(got, "return of greedy") || !strings.Contains(got, "north") {
		t.Errorf("stats prints %q", got)
	}

	sides := parseJSON[map[string]datasets.Transformed](t, ok(t, "data", "split", "games", "--train", "0.7", "--out", "parts", "--json"))
	if n := sides["train"].Episodes + sides["validation"].Episodes; n != 12 || sides["validation"].Episodes == 0 {
		t.Errorf("%+v", sides)
	}
	ok(t, "data", "verify", "parts/train")

	if lines := strings.Split(strings.TrimSpace(ok(t, "data", "cat", "games", "--limit", "3")), "\n"); len(lines) != 3 || !strings.Contains(lines[2], `"episode":2,`) {
		t.Errorf("cat prints %q", lines)
	}
	if got := ok(t, "data", "cat", "games", "--episode", "5"); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"episode":5,`) {
		t.Errorf("cat prints %q", got)
	}
	rows := ok(t, "data", "cat", "games", "--rows", "--episode", "5")
	if rows != ok(t, "data", "cat", "table", "--rows", "--episode", "5") {
		t.Error("rows of orders and of steps differ")
	}
	var row struct {
		Episode int   `json:"episode"`
		Actions []int `json:"actions"`
		Cells   []int `json:"ant_cells"`
	}
	line, _, _ := strings.Cut(rows, "\n")
	if err := json.Unmarshal([]byte(line), &row); err != nil || row.Episode != 5 || len(row.Actions) != 1 || len(row.Cells) != 1 {
		t.Errorf("the first row is %+v, %v", row, err)
	}

	if got := ok(t, "data", "card", "table", "--stats"); !strings.Contains(got, "data_files: \"shard-*.parquet\"") || !strings.Contains(got, "`ant_cells`") || !strings.Contains(got, "## Statistics") {
		t.Errorf("the card is %q", got)
	}
	ok(t, "data", "card", "games", "--out", "card.md")
	if data, err := os.ReadFile("card.md"); err != nil || !strings.Contains(string(data), "## Rules") {
		t.Errorf("the card is %q, %v", data, err)
	}

	fails(t, []failure{
		{[]string{"data", "convert", "games"}, exitUsage, "needs --out"},
		{[]string{"data", "merge", "--out", "x"}, exitUsage, "needs datasets' folders"},
		{[]string{"data", "split", "games", "--out", "x", "--train", "1"}, exitUsage, "--train is 1"},
		{[]string{"data", "info", "nowhere"}, exitFailed, "nowhere"},
		{[]string{"data", "cat", "games", "--episode", "12"}, exitUsage, "episodes 0 to 11"},
		{[]string{"data", "convert", "games", "--out", "table"}, exitFailed, "holds a dataset already"},
		{[]string{"data", "stats", "games", "--plots", "x", "--plot-format", "bmp"}, exitFailed, "bmp"},
		{[]string{"generate", "--part", "3/2"}, exitUsage, "--part"},
		{[]string{"generate", "--kind", "pictures"}, exitFailed, "pictures"},
	})
	shard := filepath.Join("table", "shard-00000.parquet")
	data, err := os.ReadFile(shard)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(shard, data, 0o666); err != nil {
		t.Fatal(err)
	}
	fails(t, []failure{{[]string{"data", "verify", "table"}, exitFailed, "shard-00000.parquet"}})
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// equalFolders reports where two folders differ.
func equalFolders(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}
