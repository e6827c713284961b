package abi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env/ants"
	antspolicy "github.com/myriant-rl/myriant/env/ants/policy"
	"github.com/myriant-rl/myriant/env/obs"
)

// TestConfigErrors: what no batch can be made from is refused alike by Spec and
// Create, with its class and a reason that names it.
func TestConfigErrors(t *testing.T) {
	l := newTester(t)
	for _, c := range []struct {
		config string
		want   Status
		part   string
	}{
		{``, ErrConfig, "no JSON"},
		{`[]`, ErrConfig, "cannot unmarshal array"},
		{`{"boards":1} {}`, ErrConfig, "more text after"},
		{`{"boards":1,"bord":2}`, ErrConfig, `unknown field "bord"`},
		{`{}`, ErrConfig, "boards is 0"},
		{`{"boards":-1}`, ErrConfig, "boards is -1"},
		{`{"boards":9999999999999}`, ErrConfig, "boards is 9999999999999"},
		{`{"boards":1e99}`, ErrConfig, "boards"},
		{`{"boards":1,"game":"chess"}`, ErrConfig, "have ants, formica"},
		{`{"boards":1,"rules":"chess"}`, ErrRules, "have ladder"},
		{`{"boards":1,"rules":{"name":"ladder","max_turns":0}}`, ErrRules, "max_turns is 0"},
		{`{"boards":1,"rules":7}`, ErrConfig, "rules is 7"},
		{`{"boards":1,"maps":["atlantis"]}`, ErrMap, "maps[0]"},
		{`{"boards":1,"maps":["generated:moon"]}`, ErrMap, "moon"},
		{`{"boards":1,"maps":["tiny-2p",null]}`, ErrMap, "maps[1]"},
		{`{"boards":1,"maps":[3]}`, ErrMap, "maps[0]: bad map: 3"},
		{`{"boards":1,"maps":["rows 2\ncols 2\n"]}`, ErrMap, "maps[0]"},
		{`{"boards":1,"maps":[{"rows":1}]}`, ErrMap, "maps[0]"},
		{`{"boards":1,"game":"formica","maps":["tiny-2p"]}`, ErrMap, "maps[0]"},
		{`{"boards":1,"game":"formica","maps":["generated:cave:seats=2"]}`, ErrMap, "want seats or radius"},
		{`{"boards":2,"maps":["tiny-2p"],"map_of":[0,1]}`, ErrConfig, "map_of[1] is 1"},
		{`{"boards":2,"map_of":[0,0,0]}`, ErrConfig, "map_of has 3 entries"},
		{`{"boards":1,"policies":[["greedy"],["greedy"]]}`, ErrConfig, "2 rows for 1 boards"},
		{`{"boards":1,"policies":[["deep-thought"]]}`, ErrConfig, "deep-thought"},
		{`{"boards":2,"policies":[[],["greedy","greedy","greedy"]]}`, ErrConfig, "3 policies for 2 seats"},
		{`{"boards":1,"observe":[5]}`, ErrConfig, "5"},
		{`{"boards":1,"observe":[1]}`, ErrConfig, "0"},
		{`{"boards":1,"arrays":["planes","none"]}`, ErrConfig, `no array "none"`},
		{`{"boards":1,"planes":"int64"}`, ErrConfig, "have bit, uint8, float16, float32"},
		{`{"boards":1,"game":"formica","planes":"bit"}`, ErrConfig, "have uint8, float16, float32"},
		{`{"boards":1,"options":{"turbo":true}}`, ErrConfig, "turbo"},
		{`{"boards":1,"rewards":{"beauty":1}}`, ErrConfig, "beauty"},
		{`{"boards":1,"autoreset":"never"}`, ErrConfig, "next_step"},
		{`{"boards":1,"workers":-1}`, ErrConfig, "workers is -1"},
		{`{"boards":1000000000,"maps":["xlarge-8p"]}`, ErrMemory, "no memory for"},
	} {
		var id uint64
		var out Bytes
		status, reason := l.Create([]byte(c.config), &id)
		if status != c.want || !strings.Contains(reason, c.part) || id != 0 {
			t.Errorf("%s: %s, %q; want %s, %q in it", c.config, status, reason, c.want, c.part)
		}
		if c.want == ErrMemory {
			continue
		}
		if again, text := l.Spec([]byte(c.config), &out); again != status || text != reason {
			t.Errorf("%s: spec says %s, %q; create %s, %q", c.config, again, text, status, reason)
		}
	}
	for _, status := range []Status{
		l.Catalog(nil), first2(l.Spec([]byte(small), nil)), first2(l.Create([]byte(small), nil)), first2(l.Map("ants", []byte(`"tiny-2p"`), nil)),
	} {
		l.is("nowhere to write to", status, ErrArgument)
	}
}

func first2(s Status, _ string) Status { return s }

// TestMaps: all ways to name a map.
func TestMaps(t *testing.T) {
	l := newTester(t)
	m, err := ants.BundledMap("tiny-2p")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(string(m.AppendText(nil)))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := json.Marshal(string(m.CanonicalJSON()))
	if err != nil {
		t.Fatal(err)
	}
	get := func(game, entry string) string {
		var out Bytes
		status, reason := l.Map(game, []byte(entry), &out)
		if status != OK {
			t.Fatalf("%s: %s: %s", entry, status, reason)
		}
		return string(l.take(out))
	}
	want := string(m.CanonicalJSON())
	for _, entry := range []string{`"tiny-2p"`, string(m.CanonicalJSON()), string(whole)} {
		if got := get("ants", entry); got != want {
			t.Errorf("%.40s: %s", entry, got)
		}
	}
	if got := get("ants", string(text)); !strings.Contains(got, `"rows":24`) {
		t.Errorf("the text form: %s", got)
	}
	if got := get("ants", `"generated:cave:seats=3,seed=5"`); !strings.Contains(got, `"players":3`) {
		t.Errorf("generated: %s", got)
	}
	if got := get("formica", `"duel"`); !strings.Contains(got, `"seats":2`) {
		t.Errorf("a board: %s", got)
	}
	if got := get("formica", `"generated:seats=3,radius=14"`); got != `{"game":"formica","id":"generated:seats=3,radius=14","seats":3,"radius":14}` {
		t.Errorf("a generated board: %s", got)
	}
	if got := get("formica", `{"game":"formica","seats":3,"radius":14}`); !strings.Contains(got, `"radius":14`) {
		t.Errorf("a board in JSON: %s", got)
	}
	var out Bytes
	status, _ := l.Map("chess", []byte(`"tiny-2p"`), &out)
	l.is("a map of chess", status, ErrConfig)
	status, _ = l.Map("ants", []byte(`"none"`), &out)
	l.is("a map that is none", status, ErrMap)
}

// TestKinds: the sample has one board of each kind that the batch has.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		config string
		want   string
	}{
		{`{"boards":1}`, "[0:0,0]"},
		{`{"boards":9,"maps":["tiny-2p","small-3p"]}`, "[0:0,0 1:1,0]"},
		{`{"boards":9,"maps":["tiny-2p","small-3p"],"policies":[[],["greedy"],["greedy"]]}`, "[0:0,0 1:1,1 2:0,1 3:1,0]"},
		{`{"boards":9,"maps":["tiny-2p","small-3p"],"policies":[[],["greedy"],["hold"]]}`, "[0:0,0 1:1,1 2:0,2 3:1,0 4:0,1 5:1,2]"},
		{`{"boards":4,"maps":["tiny-2p","small-3p"],"policies":[[],["greedy"],["hold"]]}`, "[0:0,0 1:1,1 2:0,2 3:1,0]"},
		{`{"boards":8,"maps":["tiny-2p","small-3p"],"map_of":[0,0,1,0],"policies":[[],["greedy"]]}`, "[0:0,0 1:0,1 2:1,0]"},
	} {
		cfg, err := parseConfig([]byte(c.config))
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		cfg.kinds(func(b, m, p int) { got = append(got, fmt.Sprintf("%d:%d,%d", b, m, p)) })
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.config, got, c.want)
		}
	}
}

// TestTables holds what package abi says of a game to what its batches
// declare: arrays, masks, labels, policies, reward terms, options, planes.
func TestTables(t *testing.T) {
	for _, g := range allGames {
		t.Run(g.name, func(t *testing.T) {
			try := func(extra string) *batch.Batch {
				t.Helper()
				c, err := parseConfig(fmt.Appendf(nil, `{"game":%q,"boards":2%s}`, g.name, extra))
				if err != nil {
					t.Fatal(err)
				}
				b, err := c.sample()
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(b.Close)
				return b
			}
			b := try("")
			names := func(fields []obs.Field) (list []string) {
				for _, f := range fields {
					list = append(list, f.Name)
				}
				return list
			}
			arrays, heads := names(b.Outputs()), names(b.Heads())
			for name := range g.roles {
				if !slices.Contains(arrays, name) {
					t.Errorf("the role of %s, which is no array", name)
				}
			}
			if len(g.masks) != len(heads) {
				t.Errorf("masks of %d heads, want %d", len(g.masks), len(heads))
			}
			for head, masks := range g.masks {
				if !slices.Contains(heads, head) {
					t.Errorf("masks of %s, which is no head", head)
				}
				for _, m := range masks {
					if g.roles[m] != isMask {
						t.Errorf("head %s has the mask %s of role %q", head, m, g.roles[m])
					}
				}
			}
			options := []map[string]bool{nil, {}}
			for _, o := range g.options {
				options[1][o.Name] = true
				try(fmt.Sprintf(`,"options":{%q:true}`, o.Name))
			}
			for _, given := range options {
				text, err := json.Marshal(given)
				if err != nil {
					t.Fatal(err)
				}
				b := try(`,"options":` + string(text))
				for _, f := range append(b.Outputs(), b.Heads()...) {
					dims, err := b.Sizes().Resolve(f.Shape)
					if err != nil {
						t.Fatal(err)
					}
					for axis, n := range dims {
						if list := g.labels(f, axis, b.Sizes(), given); list != nil && len(list) != n {
							t.Errorf("%s: %d labels along axis %d of length %d", f.Name, len(list), axis, n)
						}
					}
				}
			}
			for _, p := range g.policies {
				try(fmt.Sprintf(`,"policies":[[%q]]`, p.Name))
			}
			for _, r := range g.terms {
				try(fmt.Sprintf(`,"rewards":{%q:1}`, r.Name))
			}
			for _, d := range g.planes {
				if b := try(fmt.Sprintf(`,"planes":%q`, d)); b.Array("planes").DType != d {
					t.Errorf("planes of %s are %s", d, b.Array("planes").DType)
				}
			}
			if b.Array("planes").DType != g.planes[0] {
				t.Errorf("planes are %s, not %s", b.Array("planes").DType, g.planes[0])
			}
			for _, m := range g.maps() {
				try(fmt.Sprintf(`,"maps":[%q]`, m))
			}
			for _, r := range g.ruleSets() {
				try(fmt.Sprintf(`,"rules":%q`, r))
			}
		})
	}
	var have []string
	for _, p := range antsGame.policies {
		have = append(have, p.Name)
	}
	if !slices.Equal(have, antspolicy.Names()) {
		t.Errorf("policies %v, want %v", have, antspolicy.Names())
	}
}

// TestDefaultRewards: a batch with the default weights spelled out gives the
// rewards of one without.
func TestDefaultRewards(t *testing.T) {
	l := newTester(t)
	for _, g := range allGames {
		weights := map[string]float64{}
		for _, r := range g.terms {
			weights[r.Name] = r.Default
		}
		text, err := json.Marshal(weights)
		if err != nil {
			t.Fatal(err)
		}
		config := fmt.Sprintf(`{"game":%q,"boards":4,"policies":[[%q,"random"]],"observe":[0,1]`, g.name, g.policies[len(g.policies)-1].Name)
		if g.name == "formica" {
			config += `,"maps":["duel"],"rules":{"name":"duel","max_ticks":40}`
		} else {
			config += `,"maps":["tiny-2p"],"rules":{"name":"ladder","max_turns":300}`
		}
		plain, spelled := l.create(config+"}"), l.create(config+`,"rewards":`+string(text)+"}")
		l.ok(plain, l.Reset(plain, 1))
		l.ok(spelled, l.Reset(spelled, 1))
		some := false
		for step := range 250 {
			a, b := l.table(plain), l.table(spelled)
			x, y := find(t, a, "reward", false).data(), find(t, b, "reward", false).data()
			if !slices.Equal(x, y) {
				t.Fatalf("%s, step %d: rewards %v with the weights spelled out, %v without", g.name, step, y, x)
			}
			some = some || slices.ContainsFunc(x, func(b byte) bool { return b != 0 })
			l.ok(plain, l.Step(plain, nil, nil, false))
			l.ok(spelled, l.Step(spelled, nil, nil, false))
		}
		if !some {
			t.Errorf("%s: no reward in 250 steps", g.name)
		}
	}
}

// FuzzSpec: no configuration makes the library panic, and what has a spec has
// one that is JSON.
func FuzzSpec(f *testing.F) {
	for _, text := range []string{small, native(""), `{"boards":2,"game":"formica","rules":{"name":"duel"},"observe":[1,0]}`, `{"boards":1,"maps":[{}]}`, `{"boards":3,"map_of":[0,0],"policies":[[null,""]]}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := newTester(t)
		var out Bytes
		status, reason := l.Spec([]byte(text), &out)
		switch {
		case status == ErrPanic || status == ErrMemory || (status == OK) != (reason == ""):
			t.Fatalf("%s: %s", status, reason)
		case status == OK && !json.Valid(l.take(out)):
			t.Fatal("the spec is no JSON")
		}
	})
}
