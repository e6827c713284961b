// Bundled policies for the seats of a game.

package match

import (
	"fmt"

	"github.com/myriant-rl/myriant/cmd/internal/games"
)

// Deal gives each of the seats a policy: the names in turn, from the first
// again where there are fewer names than seats.
func Deal(g games.Game, names []string, seats int) ([]string, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("no policies for %d seats", seats)
	}
	if len(names) > seats {
		return nil, fmt.Errorf("%d policies for the %d seats of the map", len(names), seats)
	}
	if err := games.CheckPolicies(g, names); err != nil {
		return nil, err
	}
	dealt := make([]string, seats)
	for s := range dealt {
		dealt[s] = names[s%len(names)]
	}
	return dealt, nil
}
