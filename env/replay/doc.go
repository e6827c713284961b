// Package replay reads, writes and re-simulates recorded games.
//
// A replay holds actions, not frames: what was ordered on each turn and how
// the game ended. Everything else comes from playing it again on an engine.
//
// Reading order: replay.go (what all forms have in common, and Open, which
// tells them apart), verify.go (playing it again and comparing). Ants: ants.go
// (what its forms have in common, and how they drive an engine), envelope.go
// (the ladder's form, and ours), lesson.go (a board with scripts), contest.go
// (the 2011 contest's form, with contest_check.go and contest_play.go), record.go
// and contest_record.go (replays of games that are being played). Formica:
// formica.go (the form), formica_frame.go, formica_play.go and formica_record.go. object.go is the JSON under all of
// them: members that no field holds are kept in their place, digit for digit.
package replay
