// Package formicaref plays Formica slowly and readably: loops over colonies,
// ants and cells, one function for each step of a tick, in the order of the
// rules. It is the oracle that faster engines are held to, and it shares no
// code with them but the declarations of package formica.
//
// Reading order: engine.go (the board and its life), tick.go (the order of a
// tick), then the steps: phase.go (orders, reassignment), intents.go and
// roles.go (where ants go), combat.go, food.go (harvest, steal, deposit,
// regrow), fields.go (stamp, pheromone), colony.go (upkeep, build, births,
// relocate, deaths, scouting). game.go registers the game.
//
// The comments of these functions are the rules: each says exactly what its
// step does, with every tie and every draw. Colonies are numbered by seat, and
// no step depends on that number: where an order of colonies matters it is that
// of their home directions, and draws name the home direction. "Scan order" of
// a colony is the directions home, home+1, .. home+5 (mod 6).
package formicaref
