package formica

import "github.com/myriant-rl/myriant/env"

// Randomness is a counter hash: nothing is drawn from a stream whose state
// could depend on who was asked first. A tick has one key,
//
//	key = env.Derive(seed, tick)
//
// and a draw is one splitmix64 output at a counter,
//
//	word = stream<<20 | home<<16 | n
//	draw = mix(key + (word+1)*0x9E3779B97F4A7C15)   (mod 2^64)
//
// with splitmix64's output function mix, as in env.RNG: the word-th draw of
// env.RNG(key), from 0. home is the direction of a colony's nest at the start,
// 0..5, never its seat.
const gamma = 0x9E3779B97F4A7C15

// A Stream is what a draw is for.
type Stream uint64

// The streams, with their home and n, and the bits of a draw that are used:
//
//	StreamAnt     home of the colony, n the ant's index before the tick
//	              bits 0..31   sampling of a neighbour, see Sample
//	              bits 32..55  4 bits for each scanned direction i, from bit 32+4i (expanders)
//	              bits 56..63  the skipped move under defend
//	StreamCombat  home of the colony that loses ants, n the cell
//	              bits 0..31   the fraction: an ant more if (bits*divisor)>>32 < remainder
//	StreamHarvest home 0, n the cell
//	              bits 0..31   the first claimant with a leftover: (bits*claimants)>>32
//	StreamBirth   home of the colony, n 0
//	              bits 0..31   heading (home + (bits*6)>>32) mod 6
const (
	StreamAnt Stream = iota
	StreamCombat
	StreamHarvest
	StreamBirth
)

// TickKey is the key of a tick's draws.
func TickKey(seed uint64, tick int32) uint64 { return env.Derive(seed, uint64(tick)) }

// Draw is one draw of a tick.
func Draw(key uint64, s Stream, home, n int) uint64 {
	word := uint64(s)<<20 | uint64(home)<<16 | uint64(n)
	rng := env.RNG(key + word*gamma)
	return rng.Next()
}

// Below maps a draw's bits 0..31 to 0..n-1.
func Below(draw uint64, n int) int { return int(uint64(uint32(draw)) * uint64(n) >> 32) }

// An Event is weather.
type Event uint8

// The events.
const (
	EventNone Event = iota
	EventLocust
	EventRain
	EventClear
)

// EventNames are the words of the events; EventNone has none.
var EventNames = [...]string{"", "locust", "rain", "clear"}

// String is the event's word.
func (e Event) String() string { return EventNames[e] }

// eventTag is the word that derives events from the seed.
const eventTag = 0x4556454E54

// EventAt is the event of a tick. Window w = tick / EventEvery, from w = 1, has
// one event. With h = env.Derive(seed, 0x4556454E54, w) it comes at tick
// w*EventEvery + h mod EventSpread, one later where that is a scheduled phase's
// tick (and CommandEvery is not 1). (h>>32) mod 100 below LocustPercent makes
// it a locust, below LocustPercent + RainPercent rain, else it clears.
func (c *Config) EventAt(seed uint64, tick int32) Event {
	w := int(tick) / c.EventEvery
	if w == 0 {
		return EventNone
	}
	h := env.Derive(seed, eventTag, uint64(w))
	at := w*c.EventEvery + int(h%uint64(c.EventSpread))
	if c.CommandEvery > 1 && at%c.CommandEvery == 0 {
		at++
	}
	if int(tick) != at {
		return EventNone
	}
	switch roll := int(h >> 32 % 100); {
	case roll < c.LocustPercent:
		return EventLocust
	case roll < c.LocustPercent+c.RainPercent:
		return EventRain
	}
	return EventClear
}
