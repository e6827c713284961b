// Package bench measures batch engines on fixed workloads.
//
//	report, err := bench.Run(ctx, bench.Options{Quick: true})
//
// Reading order: workload.go (what a workload is), ants.go and formica.go (the
// workloads of the games, as data), record.go (games are played once and their orders kept),
// side.go (boards that play those orders again), floor.go (the copying that no
// engine can do without), measure.go (rounds, and what is made of them),
// report.go (the numbers). Folder results holds recorded runs.
//
// # What is measured
//
// A scene is a map, rules, policies and a turn. Games of the scene with
// distinct seeds are played to that turn; the ones with as many units a seat as
// the scene asks for are kept as snapshots, and the orders of the next Turns
// turns are recorded. A workload spreads these boards over a batch and plays
// the recorded orders through the head that takes them as they were given, all
// seats the caller's: the cost of policies is out. A native workload plays the same turns
// with the batch's own policies in place of recorded orders. Either way the
// batch exports its default arrays for all seats.
//
// Before anything is timed, a pass is played and its boards are compared with
// the recorded ones by hash.
//
// # A round
//
//	for each number of workers:
//		rewind to the snapshots, Turns steps, and rewind (not timed)
//		Turns steps               (timed, allocations counted)
//		Turns times the floor     (timed)
//
// The steps that are not timed are for processors that slept while fewer workers
// were measured: a virtual one comes back slowly, and with other caches.
//
// Numbers of a run are medians over its rounds. The floor ratio and the speed-up
// are the medians of what each round has, so that what slows the machine down
// for a while slows both sides of the division.
package bench
