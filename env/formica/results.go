package formica

// Waiting is the phase that waits at a state; its Elapsed is 0.
func (s *State) Waiting(c *Config) Waiting {
	w := Waiting{Done: s.Done(c), Phase: s.Phase, Tick: s.Tick, BudgetMS: c.BudgetMS}
	if s.Event == EventLocust {
		w.Kind, w.Event, w.BudgetMS = KindEvent, EventLocust, c.EventBudgetMS
	}
	return w
}

// Results are what a state comes to.
func (s *State) Results(c *Config) *Results {
	r := &Results{Ticks: s.Tick, SeedUsed: s.Seed, RulesVersion: c.RulesVersion}
	for seat := range s.Colonies {
		k := &s.Colonies[seat]
		r.Scores2 = append(r.Scores2, s.Score2(c, seat))
		r.FoodStored = append(r.FoodStored, k.Food)
		r.TerritoryCells = append(r.TerritoryCells, int32(s.Territory(c, seat)))
		r.Population = append(r.Population, int32(len(k.Ants)))
		r.Alive = append(r.Alive, k.Alive)
		r.DiedAt = append(r.DiedAt, k.DiedAt)
	}
	return r
}
