package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/env"
)

// What a recorded workload says, alone, leads where it says, through JSON.
func TestRecord(t *testing.T) {
	list, err := Record(context.Background(), Options{Quick: true, Boards: few, Workloads: []string{"ants-32x32", "formica", "ants-32x32-greedy"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		t.Run(x.Name, func(t *testing.T) { playRecorded(t, &x) })
	}
}

func playRecorded(t *testing.T, x *Recorded) {
	w, err := Lookup(x.Name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := w.Scene.Map()
	if err != nil {
		t.Fatal(err)
	}
	if string(m.CanonicalJSON()) != string(x.Map) {
		t.Errorf("map %.60s", x.Map)
	}
	cfg := batch.Config{
		Game: x.Game, Rules: x.Rules, Maps: []env.Map{m}, Boards: x.Sources, Observe: seats(m), Arrays: x.Arrays,
		Autoreset: batch.Disabled,
	}
	if x.Policy != "" {
		cfg.Policies = w.Scene.policies(m)
	}
	b, err := batch.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Reset(1); err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, shot := range x.Shots {
		boards := make([]int, shot.Boards)
		for i := range boards {
			boards[i] = at + i
		}
		at += shot.Boards
		if err := b.Restore(boards, shot.Data); err != nil {
			t.Fatal(err)
		}
	}
	if at != x.Sources || len(x.Turns) != Turns || len(x.Hashes) != x.Sources {
		t.Fatalf("%d sources of %d, %d turns, %d hashes", at, x.Sources, len(x.Turns), len(x.Hashes))
	}
	for _, turn := range x.Turns {
		n := 0
		for _, bytes := range turn.Bytes {
			n += bytes
		}
		if n != len(turn.Actions) || n == 0 {
			t.Fatalf("%d bytes of actions, want %d", len(turn.Actions), n)
		}
		a := batch.Actions{Head: x.Head, Uint8: turn.Actions}
		if x.Policy != "" {
			a = batch.Actions{}
		}
		if err := b.Step(a); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range x.Hashes {
		if got := fmt.Sprintf("%016x", b.Hash(i)); got != want {
			t.Errorf("source %d ends at %s, want %s", i, got, want)
		}
	}
}
