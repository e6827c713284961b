// Package policy holds the bundled players of Formica. They play from what one
// seat may know (a formica.Observation, or the few Facts that follow from it),
// remember nothing, and give equal orders for equal facts and draws.
//
// This page and the constants that it names define them exactly; package batch
// plays the same functions on facts that it gathers itself. Reading order:
// policy.go, facts.go, scripted.go, fixed.go.
//
// An order is written mode food/defense/expansion, in percent, with "defend"
// where that is set. No order but random's has a target. A dead colony gives
// none.
//
// # The fixed strategies
//
//	forage        forage 70/10/20
//	raid          raid 80/0/20
//	defend        forage 40/40/20 defend
//	build-forage  build 80/0/20 below ForageChambers chambers, then forage 90/5/5
//	build-raid    build 80/0/20 below RaidChambers chambers, then as raid
//
// # random
//
// With rng = env.RNG(draw), in this order: the mode rng.Below(4), or
// rng.Below(3) (no relocation) without a legal cell; the shares
// formica.AllocTenths[rng.Below(66)]; defend if rng.Below(2) is 1; in relocate
// mode the target Legal[rng.Below(len)]. In other modes nothing is drawn for a
// target.
//
// # scripted
//
// The Scripted Forager: a greedy baseline that reacts. The first line that
// holds decides:
//
//   - Threat is AlarmThreat or more: forage 50/40/10 defend.
//   - Fewer than EarlyChambers chambers, BuildFood or more in store, and more
//     than LateTicks ticks to play: build 70/10/20.
//   - The prey is known, at most RaidFar from the own nest, seen at most
//     RaidAge ticks ago, with at most RaidGuards guards, and the colony has
//     RaidHome or more ants: raid 70/10/20.
//   - Else forage 60/10/30.
package policy
