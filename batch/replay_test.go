// Recorded games played again on the batch engine.

package batch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/envtest"
	"github.com/myriant-rl/myriant/env/replay"
)

// TestReplays verifies every recorded game of package replay's testdata: the
// number of orders of each turn, the result, and what else a form records.
func TestReplays(t *testing.T) {
	verifyAll(t, filepath.Join("..", "env", "replay", "testdata", "*.json"))
}

// TestGoldenReplays verifies the ladder's recordings and the contest's
// transcripts. The texts that the transcripts hold besides are made of frames,
// which only the reference tells.
func TestGoldenReplays(t *testing.T) {
	dir := envtest.GoldenDir(t)
	verifyAll(t, filepath.Join(dir, "ladder", "replay-*[0-9].json"))
	verifyAll(t, filepath.Join(dir, "contest2011", "transcript_*.json.gz"))
}

func verifyAll(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	must(t, err)
	turns := 0
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			must(t, err)
			r, err := replay.Open(data)
			must(t, err)
			setup, err := r.Setup()
			must(t, err)
			report, err := replay.Verify(r, func(rules string, m env.Map) (env.Engine, error) {
				b, err := batch.New(batch.Config{Game: setup.Game, Rules: rules, Maps: []env.Map{m}, Boards: 1, Workers: 1})
				if err != nil {
					return nil, err
				}
				return b.Board(0), nil
			})
			must(t, err)
			if report.Turns == 0 || report.Orders == 0 {
				t.Errorf("%d turns and %d orders were compared", report.Turns, report.Orders)
			}
			turns += report.Turns
		})
	}
	if len(files) == 0 {
		t.Fatalf("no recorded games %s", pattern)
	}
	t.Logf("%d recorded games of %d turns", len(files), turns)
}
