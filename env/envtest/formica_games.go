package envtest

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/formica"
)

// FormicaGames replays the golden playthroughs of Formica, see shelf, and
// compares the hash of the state after every phase. A seat's orders are
// "mode:food,defense,expansion", then "!" under defend and "@cell" with a
// target; "-" is none. "map" is what formica.ParseBoard reads. With update the
// games are played and written anew, by an engine that fills formica.Engine.
func FormicaGames(t *testing.T, newEngine NewEngine, update bool) {
	formicaShelf(newEngine).games(t, update)
}

// FormicaSignatures compares the behaviour signature of each variant. With
// update it writes them.
func FormicaSignatures(t *testing.T, newEngine NewEngine, update bool) {
	formicaShelf(newEngine).signatures(t, update)
}

func formicaShelf(newEngine NewEngine) *shelf {
	return &shelf{
		dir:       path.Join("env", "formica", "testdata"),
		ruleSets:  formica.Variants(),
		boardOf:   func(id string) (env.Map, error) { return formica.ParseBoard([]byte(id)) },
		newEngine: newEngine,
		write:     writeOrder,
		read:      readOrder,
		play: func(choose Chooser, e env.Engine) [][]byte {
			board := e.(formica.Engine)
			return playFormica(choose, board.Config(), board.Board(), board.State())
		},
	}
}

func writeOrder(data []byte) string {
	if len(data) == 0 {
		return "-"
	}
	o, err := formica.DecodeOrder(data, formica.GeometryOf(formica.MaxRadius).Cells)
	if err != nil {
		panic(err)
	}
	text := fmt.Sprintf("%s:%d,%d,%d", o.Mode, o.Alloc[0], o.Alloc[1], o.Alloc[2])
	if o.Defend {
		text += "!"
	}
	if o.Target != formica.NoCell {
		text += fmt.Sprintf("@%d", o.Target)
	}
	return text
}

// readOrder panics on text that writeOrder would not write.
func readOrder(text string) []byte {
	if text == "-" {
		return nil
	}
	o := formica.Order{Target: formica.NoCell}
	mode, rest, _ := strings.Cut(text, ":")
	for m, name := range formica.ModeNames {
		if name == mode {
			o.Mode = formica.Mode(m)
		}
	}
	rest, target, moves := strings.Cut(rest, "@")
	if moves {
		scan(text, target, "%d", &o.Target)
	}
	rest, o.Defend = strings.CutSuffix(rest, "!")
	scan(text, rest, "%d,%d,%d", &o.Alloc[0], &o.Alloc[1], &o.Alloc[2])
	if writeOrder(o.Append(nil)) != text {
		panic(fmt.Sprintf("envtest: order %q", text))
	}
	return o.Append(nil)
}

func scan(whole, text, format string, to ...any) {
	if _, err := fmt.Sscanf(text, format, to...); err != nil {
		panic(fmt.Sprintf("envtest: order %q: %v", whole, err))
	}
}
