// What a batch can be made from, and what it makes of it.

package batch_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
	"github.com/myriant-rl/myriant/env/obs"
)

// TestBadConfig: every error wraps a documented one and says what is wrong.
func TestBadConfig(t *testing.T) {
	maps := []env.Map{bundled(t, "tiny-2p"), bundled(t, "small-3p")}
	broken := tiny()
	broken.Hills[0].Cell = 99
	for _, c := range []struct {
		change func(c *batch.Config)
		want   error
		word   string
	}{
		{func(c *batch.Config) { c.Game = "chess" }, batch.ErrConfig, "chess"},
		{func(c *batch.Config) { c.Rules = "no such rules" }, env.ErrRules, "no such rules"},
		{func(c *batch.Config) { c.Rules = `{"max_turns":0}` }, env.ErrRules, "max_turns"},
		{func(c *batch.Config) { c.Rules = `{"speed":1}` }, env.ErrRules, "speed"},
		{func(c *batch.Config) { c.Boards = 0 }, batch.ErrConfig, "0 boards"},
		{func(c *batch.Config) { c.Maps = nil }, batch.ErrConfig, "maps"},
		{func(c *batch.Config) { c.Maps = []env.Map{maps[0], nil} }, batch.ErrConfig, "map 1"},
		{func(c *batch.Config) { c.Maps = []env.Map{maps[0], broken} }, env.ErrMap, "map 1"},
		{func(c *batch.Config) { c.Maps = []env.Map{otherMap{maps[0]}} }, env.ErrMap, "otherMap"},
		{func(c *batch.Config) { c.MapOf = []int{0} }, batch.ErrConfig, "MapOf"},
		{func(c *batch.Config) { c.MapOf = []int{0, 1, 2, 0} }, batch.ErrConfig, "board 2"},
		{func(c *batch.Config) { c.MapOf = []int{0, -1, 1, 0} }, batch.ErrConfig, "board 1"},
		{func(c *batch.Config) { c.Policies = [][]string{{"", "", ""}} }, batch.ErrConfig, "board 0"},
		{func(c *batch.Config) { c.Policies = [][]string{{"no such policy"}} }, nil, "no such policy"},
		{func(c *batch.Config) { c.Observe = []int{0, 3, 4} }, batch.ErrConfig, "seat 3"},
		{func(c *batch.Config) { c.Observe = []int{-1, 0, 1, 2} }, batch.ErrConfig, "seat -1"},
		{func(c *batch.Config) { c.Observe = []int{0, 2, 1} }, batch.ErrConfig, "ascending"},
		{func(c *batch.Config) { c.Observe = []int{0, 1} }, batch.ErrConfig, "seat 2"},
		{func(c *batch.Config) { c.Arrays = []string{"planes", "plans"} }, batch.ErrConfig, "plans"},
		{func(c *batch.Config) { c.Planes = obs.Int8 }, batch.ErrConfig, "int8"},
		{func(c *batch.Config) { c.Options = map[string]bool{"recenter": true} }, batch.ErrConfig, "recentre"},
		{func(c *batch.Config) { c.Rewards = map[string]float64{"fun": 1} }, batch.ErrConfig, "fun"},
		{func(c *batch.Config) { c.Autoreset = 3 }, batch.ErrConfig, "autoreset"},
		{func(c *batch.Config) { c.Workers = -1 }, batch.ErrConfig, "workers"},
	} {
		config := batch.Config{Boards: 4, Maps: maps}
		c.change(&config)
		b, err := batch.New(config)
		if err == nil {
			b.Close()
			t.Errorf("a batch with bad %s was made", c.word)
			continue
		}
		documented := errors.Is(err, batch.ErrConfig) || errors.Is(err, env.ErrRules) || errors.Is(err, env.ErrMap)
		if c.want != nil && !errors.Is(err, c.want) || !documented {
			t.Errorf("bad %s: error %v, want %v", c.word, err, c.want)
		}
		if !strings.Contains(err.Error(), c.word) {
			t.Errorf("error %q does not say %q", err, c.word)
		}
	}
}

// An otherMap is a map of another game.
type otherMap struct{ env.Map }

// TestDefaults: what is not said.
func TestDefaults(t *testing.T) {
	maps := []env.Map{bundled(t, "tiny-2p"), bundled(t, "small-3p")}
	b := newBatch(t, batch.Config{Boards: 5, Maps: maps})
	c := b.Config()
	same(t, "game", c.Game, "ants")
	same(t, "boards' maps", fmt.Sprint(c.MapOf), "[0 1 0 1 0]")
	same(t, "arrays", fmt.Sprint(b.Names()), fmt.Sprint(ants.DefaultArrays()))
	same(t, "workers", c.Workers, min(5, runtime.GOMAXPROCS(0)))
	same(t, "final arrays", b.Final("planes") == nil, true)
	same(t, "an array that is not exported", b.Array("cell_mask") == nil, true)
	same(t, "rules", engineOf(b, 0).Rules().Name, "ladder")
	z := b.Sizes()
	same(t, "sizes", fmt.Sprint(z["B"], z["S"], z["P"], z["C"], z["H"], z["W"], z["RB"], z["O"]), "5 3 3 8 36 36 5 16")
	for _, name := range everyArray {
		found := false
		for _, f := range b.Outputs() {
			found = found || f.Name == name
		}
		same(t, "declares "+name, found, true)
	}
	same(t, "number of arrays", len(b.Outputs()), len(everyArray))
	if b.BoardBytes() <= 0 {
		t.Errorf("a board takes %d bytes", b.BoardBytes())
	}
}

// TestCallerByName: Caller and "" are both the caller, seats that are not named too.
func TestCallerByName(t *testing.T) {
	b := newBatch(t, batch.Config{Boards: 2, Maps: []env.Map{bundled(t, "small-3p")}, Policies: [][]string{{batch.Caller, ""}}})
	must(t, b.Reset(1))
	same(t, "observed seats", b.Sizes()["S"], 3)
	hold(t, b)
}

func TestParseAutoreset(t *testing.T) {
	for _, mode := range []batch.Autoreset{batch.NextStep, batch.SameStep, batch.Disabled} {
		got, err := batch.ParseAutoreset(mode.String())
		must(t, err)
		same(t, "mode", got, mode)
	}
	if _, err := batch.ParseAutoreset("never"); !errors.Is(err, batch.ErrConfig) || !strings.Contains(err.Error(), "same_step") {
		t.Errorf("an unknown mode gave %v", err)
	}
}

// TestRecorder: a recorder is told every turn that is played, with all seats'
// orders, and can play the game again from them.
func TestRecorder(t *testing.T) {
	played := newRecorder(6)
	b := newBatch(t, batch.Config{Rules: threeTurns, Boards: 6, Maps: mixedMaps(t)[1:3], Recorder: played, Workers: 3})
	must(t, b.Reset(4))
	rng := env.RNG(1)
	for range 9 {
		refs := make([]ants.Engine, 6)
		for i := range refs {
			played[i] = nil
			refs[i] = reference(t, b, i)
		}
		must(t, b.Step(randomActions(t, b, "ant", &rng)))
		for i := range refs {
			same(t, "told of a turn", played[i] != nil, view[bool](t, b, "valid")[i])
			if played[i] != nil {
				must(t, refs[i].Step(played[i]))
				same(t, "state by the recorded orders", env.Hash(refs[i].AppendState(nil)), b.Hash(i))
			}
		}
	}
}
