// The bundled policies by name.

package match

import (
	"fmt"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants/policy"
)

// CheckPolicies tells whether there are bundled policies of those names.
func CheckPolicies(names []string) error {
	for _, name := range names {
		if _, err := policy.New(name); err != nil {
			return err
		}
	}
	return nil
}

// Deal gives each of the seats a policy: the names in turn, from the first
// again where there are fewer names than seats.
func Deal(names []string, seats int) ([]string, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("no policies for %d seats", seats)
	}
	if len(names) > seats {
		return nil, fmt.Errorf("%d policies for the %d seats of the map", len(names), seats)
	}
	if err := CheckPolicies(names); err != nil {
		return nil, err
	}
	dealt := make([]string, seats)
	for s := range dealt {
		dealt[s] = names[s%len(names)]
	}
	return dealt, nil
}

// maps is a list of one map as the batch wants it.
func maps[M env.Map](list []M) []env.Map {
	out := make([]env.Map, len(list))
	for i, m := range list {
		out[i] = m
	}
	return out
}
