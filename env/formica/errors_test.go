package formica

import (
	"errors"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
)

func TestParseConfig(t *testing.T) {
	for _, name := range Variants() {
		c, err := ParseConfig(name)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseConfig(c.JSON())
		if err != nil || again.JSON() != c.JSON() {
			t.Errorf("%s read back as %s (%v), want %s", name, again.JSON(), err, c.JSON())
		}
		b, err := c.Board()
		if err != nil || b.Players != c.Seats || b.Radius != c.Radius || b.ID() != name {
			t.Errorf("%s is made for %+v (%v)", name, b, err)
		}
	}
	duel, err := ParseConfig(`{"name":"duel","max_ticks":40}`)
	if err != nil || duel.Seats != 2 || duel.Radius != 10 || duel.MaxTicks != 40 || duel.Seed != nil {
		t.Errorf("changed duel is %+v (%v)", duel, err)
	}
	quartet, err := ParseConfig("seeded-quartet")
	if err != nil || quartet.EpisodeSeed(1) != 7 || duel.EpisodeSeed(1) != 1 {
		t.Errorf("seeds are %d and %d (%v), want 7 and 1", quartet.EpisodeSeed(1), duel.EpisodeSeed(1), err)
	}
}

func TestParseConfigRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"chess":                         `no variant "chess"`,
		`{"name":"chess"}`:              `no variant "chess"`,
		`{"seats":5}`:                   "5 colonies cannot stand symmetrically",
		`{"seats":1}`:                   "seats: 1, want 2, 3, 4 or 6",
		`{"rules_version":2}`:           "rules_version is 2, this engine plays 1",
		`{"radius":32}`:                 "radius is 32, want 1..31",
		`{"speed":3}`:                   "speed",
		`{"max_ticks":0}`:               "max_ticks is 0",
		`{"base_cap":40}`:               "base_cap + cap_per_chamber * max_chambers is 64",
		`{"heading_weights":[0,1,1,1]}`: "heading_weights[0]",
		`{"orbits":[[5,3]]}`:            "orbits[0]",
		`{"event_spread":50}`:           "event_spread",
		`{"locust_percent":80}`:         "rain_percent is 30, want 0..20",
		`{"name":3}`:                    "name",
		`{`:                             "unexpected end",
	} {
		if _, err := ParseConfig(text); !errors.Is(err, env.ErrRules) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gave %v, want %q", text, err, want)
		}
	}
}

func TestGeneratedBoard(t *testing.T) {
	for text, want := range map[string]struct {
		name          string
		seats, radius int
	}{
		"generated:seats=3":           {"generated:seats=3,radius=12", 3, 12},
		"generated:radius=14,seats=6": {"generated:seats=6,radius=14", 6, 14},
		"generated:seats=2,radius=20": {"generated:seats=2,radius=20", 2, 20},
		"generated:seats=2,seats=4":   {"generated:seats=4,radius=12", 4, 12},
		"generated:radius=13":         {"generated:seats=4,radius=13", 4, 13},
	} {
		b, err := GeneratedBoard(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if b.ID() != want.name || b.Players != want.seats || b.Radius != want.radius {
			t.Errorf("%s is %s, %d seats, radius %d", text, b.ID(), b.Players, b.Radius)
		}
		again, err := GeneratedBoard(b.ID())
		if err != nil || again.Digest() != b.Digest() {
			t.Errorf("%s is another board: %v", b.ID(), err)
		}
	}
	for text, want := range map[string]string{
		"duel":                      `does not begin with "generated:"`,
		"generated:":                `no key ""`,
		"generated:cave:seats=2":    `no key "cave:seats"`,
		"generated:seats":           `seats is ""`,
		"generated:seats=many":      `seats is "many", want a number`,
		"generated:seats=5":         "5 colonies cannot stand symmetrically",
		"generated:radius=4":        "radius 4 is too small for 4 seats",
		"generated:radius=99999999": "radius is 99999999",
	} {
		if _, err := GeneratedBoard(text); !errors.Is(err, env.ErrMap) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gave %v, want %q", text, err, want)
		}
	}
}

func TestParseBoard(t *testing.T) {
	for _, text := range []string{"default", "duel", "seeded-quartet", `{"game":"formica","seats":6,"radius":11}`, ` {"game":"formica","id":"x","seats":3,"radius":31} `} {
		b, err := ParseBoard([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := ParseBoard(b.CanonicalJSON())
		if err != nil || again.Digest() != b.Digest() || again.ID() != b.ID() || len(b.Digest()) != 64 {
			t.Errorf("%s read back as %s (%v)", text, again.CanonicalJSON(), err)
		}
		if rows, cols := b.Size(); rows != 2*b.Radius+1 || cols != rows || b.Seats() != b.Players {
			t.Errorf("%s is %d by %d for %d", text, rows, cols, b.Seats())
		}
	}
	for text, want := range map[string]string{
		"tiny": `no board "tiny"`,
		`{"game":"formica","seats":5,"radius":12}`:                   "5 colonies cannot stand symmetrically",
		`{"game":"formica","seats":4,"radius":9}`:                    "radius 9 is too small for 4 seats",
		`{"game":"formica","seats":4,"radius":2}`:                    "radius 2 is too small for 4 seats: nests",
		`{"game":"formica","seats":4,"radius":-1}`:                   "radius is -1",
		`{"game":"formica","seats":4,"radius":32}`:                   "radius is 32",
		`{"game":"ants","seats":4,"radius":12}`:                      `game is "ants"`,
		`{"game":"formica","radius":12}`:                             "no seats",
		`{"game":"formica","seats":4}`:                               "no radius",
		`{"game":"formica","seats":4,"radius":12,"food":3}`:          "food",
		`{"game":"formica","seats":4,"radius":12}{}`:                 "more text",
		`{"game":"formica","seats":4.5,"radius":12}`:                 "4.5",
		`{"game":"formica","seats":4,"radius":99999999999999999999}`: "radius",
	} {
		if _, err := ParseBoard([]byte(text)); !errors.Is(err, env.ErrMap) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gave %v, want %q", text, err, want)
		}
	}
}

func TestOrders(t *testing.T) {
	for _, o := range []Order{
		DefaultOrder(),
		{Mode: ModeRelocate, Alloc: Alloc{0, 0, 10_000}, Defend: true, Target: 468},
		{Mode: ModeRaid, Alloc: Alloc{3334, 3333, 3333}, Target: 0},
	} {
		got, err := DecodeOrder(o.Append(nil), 469)
		if err != nil || got != o {
			t.Errorf("%+v read back as %+v (%v)", o, got, err)
		}
	}
	good := DefaultOrder().Append(nil)
	spoil := func(at int, v byte) []byte {
		data := append([]byte(nil), good...)
		data[at] = v
		return data
	}
	for want, data := range map[string][]byte{
		"order of 9 bytes, want 10":           good[:9],
		"order of 11 bytes, want 10":          append(append([]byte(nil), good...), 0),
		"mode 4, want below 4":                spoil(0, 4),
		"alloc sums to 10001":                 spoil(1, good[1]+1),
		"defend is 2":                         spoil(7, 2),
		"target cell 65279 of a board of 469": spoil(9, 0xFE),
		"target cell 469 of a board of 469":   Order{Alloc: Alloc{10_000}, Target: 469}.Append(nil),
	} {
		_, _, err := DecodeOrders([][]byte{nil, {}, data}, 3, 469, nil)
		if !errors.Is(err, env.ErrOrders) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "seat 2") {
			t.Errorf("%v gave %v, want %q of seat 2", data, err, want)
		}
		if _, _, err := DecodeOrders([][]byte{nil, {}, data}, 3, 469, func(seat int) bool { return seat == 2 }); err != nil {
			t.Errorf("a skipped seat's order was read: %v", err)
		}
	}
	if _, _, err := DecodeOrders(make([][]byte, 5), 4, 469, nil); !errors.Is(err, env.ErrOrders) {
		t.Errorf("five seats' orders on a board of four gave %v", err)
	}
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		mode  Mode
		alloc Alloc
		n     int
		want  [NumRoles]int
	}{
		{ModeForage, Alloc{6000, 2000, 2000}, 12, [NumRoles]int{7, 3, 2, 0, 0}},
		{ModeRelocate, Alloc{6000, 2000, 2000}, 12, [NumRoles]int{7, 3, 2, 0, 0}},
		{ModeRaid, Alloc{6000, 2000, 2000}, 12, [NumRoles]int{5, 3, 2, 2, 0}},
		{ModeBuild, Alloc{10_000, 0, 0}, 9, [NumRoles]int{6, 0, 0, 0, 3}},
		{ModeRaid, Alloc{10_000, 0, 0}, 1, [NumRoles]int{1, 0, 0, 0, 0}},
		{ModeRaid, Alloc{10_000, 0, 0}, 2, [NumRoles]int{1, 0, 0, 1, 0}},
		{ModeForage, Alloc{3333, 3333, 3334}, 1, [NumRoles]int{0, 0, 1, 0, 0}},
		{ModeForage, Alloc{5000, 5000, 0}, 1, [NumRoles]int{1, 0, 0, 0, 0}},
		{ModeForage, Alloc{0, 5000, 5000}, 3, [NumRoles]int{0, 2, 1, 0, 0}},
	} {
		if got := (Order{Mode: c.mode, Alloc: c.alloc}).Targets(c.n); got != c.want {
			t.Errorf("%s %v of %d is %v, want %v", c.mode, c.alloc, c.n, got, c.want)
		}
	}
}
