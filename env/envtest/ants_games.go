package envtest

import (
	"path"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// Games replays the golden playthroughs of Ants, see shelf, and compares the
// hash of the state after every turn. With update they are played and written
// anew: ants go for food, hills and enemies.
func Games(t *testing.T, newEngine NewAnts, update bool) { antsShelf(newEngine).games(t, update) }

// Signatures compares the behaviour signature of each rule set of Ants. With
// update it writes them.
func Signatures(t *testing.T, newEngine NewAnts, update bool) {
	antsShelf(newEngine).signatures(t, update)
}

func antsShelf(newEngine NewAnts) *shelf {
	return &shelf{
		dir:       path.Join("env", "ants", "testdata"),
		ruleSets:  ants.RuleSetNames(),
		boardOf:   func(id string) (env.Map, error) { return ants.BundledMap(id) },
		newEngine: byName(newEngine),
		write: func(orders []byte) string {
			word := make([]byte, len(orders))
			for i, a := range orders {
				word[i] = ants.ActionChars[a]
			}
			return string(word)
		},
		read: actionsOf,
		play: func(choose Chooser, e env.Engine) [][]byte {
			board := e.(ants.Engine)
			return playIntent(choose, board.Map(), board.State())
		},
	}
}
