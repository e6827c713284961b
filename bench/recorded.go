package bench

import (
	"context"
	"encoding/json"
	"fmt"
)

// A Recorded is a workload as data, for programs that reach the engine in
// another way than Run: the boards to start from, and what they do in the next
// turns. Board b of the workload starts as source b modulo Sources, and plays
// what that did.
type Recorded struct {
	Name    string          `json:"name"`
	Doc     string          `json:"doc"`
	Game    string          `json:"game"`
	Rules   string          `json:"rules"` // a name or JSON
	Map     json.RawMessage `json:"map"`
	Boards  int             `json:"boards"`
	Sources int             `json:"sources"`
	Arrays  []string        `json:"arrays"` // that a step writes
	Policy  string          `json:"policy"` // plays all seats, if the workload is native
	Head    string          `json:"head"`   // of the actions, else
	Turns   []RecordedTurn  `json:"turns"`  // Turns of them
	Shots   []RecordedShot  `json:"shots"`  // the sources at the start, in order
	Hashes  []string        `json:"hashes"` // of the sources after the last turn, 16 hex digits each
}

// A RecordedTurn is what the sources do in a turn.
type RecordedTurn struct {
	Actions []byte `json:"actions"` // of all sources, in the head's dtype and C order
	Bytes   []int  `json:"bytes"`   // of them, of each source
}

// A RecordedShot is a snapshot of some sources.
type RecordedShot struct {
	Boards int    `json:"boards"`
	Data   []byte `json:"data"`
}

// Record records workloads and measures nothing. Errors wrap ErrOptions or are
// the context's.
func Record(ctx context.Context, o Options) ([]Recorded, error) {
	p, err := o.plan()
	if err != nil {
		return nil, err
	}
	scenes, err := p.record(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Recorded, len(p.workloads))
	for i := range p.workloads {
		if list[i], err = describe(&p.workloads[i], scenes[p.workloads[i].Scene]); err != nil {
			return nil, err
		}
	}
	p.progress(1, "")
	return list, nil
}

func describe(w *Workload, r *recording) (Recorded, error) {
	script := r.script(r.sources)
	s, err := newSide(w, r, r.sources, 1, &script)
	if err != nil {
		return Recorded{}, err
	}
	defer s.b.Close()
	x := Recorded{
		Name: w.Name, Doc: w.Doc, Game: r.scene.Game, Rules: r.scene.Rules, Map: r.m.CanonicalJSON(),
		Boards: w.Boards, Sources: r.sources, Arrays: s.b.Names(),
	}
	if w.Native {
		x.Policy = r.scene.Policy
	}
	for k := range script {
		a := &script[k]
		if len(a.Int32) > 0 || len(a.Float32) > 0 {
			return Recorded{}, fmt.Errorf("workload %s: head %s is not of bytes", w.Name, a.Head)
		}
		x.Head = a.Head
		t := RecordedTurn{Actions: a.Uint8}
		for i := range r.sources {
			t.Bytes = append(t.Bytes, len(r.scene.Actions(r.orders[k][i:i+1]).Uint8))
		}
		x.Turns = append(x.Turns, t)
	}
	for _, shot := range r.shots {
		x.Shots = append(x.Shots, RecordedShot{shot.boards, shot.data})
	}
	for _, h := range r.hashes {
		x.Hashes = append(x.Hashes, fmt.Sprintf("%016x", h))
	}
	return x, nil
}
