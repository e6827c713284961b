// Package formica declares the game of Formica: its rule sets, boards, states,
// orders, observations and results. It plays nothing itself.
//
// Reading order: config.go (every constant, and the three variants),
// geometry.go and board.go (the hexagon), layout.go (nests and food from a
// seed), random.go (draws and events), state.go and state_codec.go (everything
// that is true of a board while a command phase waits), order.go (what a seat
// submits), observation.go and observe.go (what it may know), results.go,
// observation_json.go and orders_json.go (the messages, and every way that
// orders can be wrong), arrays.go (the arrays and heads of a batch), engine.go
// (what a Formica engine adds to env.Engine). The tick itself is in formicaref, one
// function a step in the order of the rules.
//
// All arithmetic is on integers. Scores are doubled points in Go and halved in
// JSON.
//
// # Decisions
//
// What the rules' text leaves open, apart from the exact forms in the comments
// of formicaref's functions:
//
//   - A rule set names the board that it is made for (seats, radius); an engine
//     plays on the board that it is given.
//   - A config with a seed plays every episode with it: Reset's own seed is not
//     used, so all episodes are the same for the same orders.
//   - The centre patch has cap 8 on all seven cells, the others 6.
//   - "Every n ticks" means after n, 2n, .. ticks: at tick t with (t+1) mod n = 0.
//   - An ant's id is its index in the colony's list. Dead ants are taken out
//     where they die, the order of the rest stays, newborn come last.
//   - Ants that carry go home before anything else, whatever their role. So a
//     role can change at once, and the load still comes home first.
//   - An ant that carries counts in the squad of its role.
//   - A message of orders for another phase is told "closed" and leaves the seat
//     open; a malformed or incomplete one closes it.
//   - The observation also tells how fresh own-held cells are ("freshness", one
//     number for each cell of "territory"), since its planes do.
//   - The dead keep food and territory for score and results. Their cells lapse
//     on the board, their pheromone decays, their nest is gone: nobody knows it,
//     it blocks nothing, nothing is stolen from it.
//   - An episode runs to its last tick even when all are dead. That is a natural
//     end, not a truncation.
//   - Which seat started in which direction is public (it orders the colonies in
//     planes and scalars); where a nest stands is not, until scouted.
//   - Roles are numbers in messages: 0 forage, 1 defense, 2 expansion, 3 raid,
//     4 build. is_raider is 0 or 1.
//   - An event phase has kind "event" and event "locust"; a scheduled one has
//     event null. If command_every is 1, a locust makes that tick's phase an
//     event phase and adds none.
package formica
