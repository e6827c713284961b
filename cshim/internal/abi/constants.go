package abi

import "github.com/myriant-rl/myriant/env/obs"

//go:generate go run ../headergen -o ../../include/myriant_constants.h

// Version is the library's version, for people.
const Version = "0.1.0"

// ABIVersion changes with every change of the header that a caller built
// against the old one could notice.
const ABIVersion = 1

// Bounds of the structures of the header.
const (
	MaxNDim = 6  // axes of an array
	MaxName = 32 // bytes of an array's name and its NUL
)

// MaxBytes bounds what a caller can say to have in one place: more is no
// address.
const MaxBytes = 1 << 46

// Flags and choices of calls.
const (
	Main  = 0 // the arrays of a step
	Final = 1 // the arrays that same_step writes for boards whose episode ended

	Sample = 1 // sample from logits instead of taking the argmax
	View   = 1 // export the batch's own memory instead of a copy

	SeedsStream  = 0 // a seed begins a stream of episodes
	SeedsEpisode = 1 // a seed is one episode's
)

// A Status is the result of a call.
type Status int32

// The statuses.
const (
	OK Status = iota
	Pending
	ErrArgument
	ErrHandle
	ErrClosed
	ErrBusy
	ErrIdle
	ErrConfig
	ErrRules
	ErrMap
	ErrOrders
	ErrNotReset
	ErrState
	ErrExport
	ErrIO
	ErrMemory
	ErrPanic
	ErrCorrupt
	ErrSignature
)

// statuses are what the header says about each.
var statuses = [...]struct{ name, doc string }{
	OK:           {"ok", ""},
	Pending:      {"pending", "the step that was sent is not finished yet"},
	ErrArgument:  {"argument", "a null pointer, a size, a flag or an index that cannot be"},
	ErrHandle:    {"handle", "no such handle or block"},
	ErrClosed:    {"closed", "the handle was closed"},
	ErrBusy:      {"busy", "another call of the handle is under way"},
	ErrIdle:      {"idle", "nothing was sent, or nothing is recorded"},
	ErrConfig:    {"config", "a configuration that no batch can be made from"},
	ErrRules:     {"rules", "a rule set that is unknown or contradicts itself"},
	ErrMap:       {"map", "a map that is none, or that the rules cannot be played on"},
	ErrOrders:    {"orders", "actions that the game cannot read"},
	ErrNotReset:  {"not_reset", "a step before the first reset"},
	ErrState:     {"state", "bytes that are no snapshot or state of the boards"},
	ErrExport:    {"export", "arrays that cannot be exported as asked"},
	ErrIO:        {"io", "a file system's error"},
	ErrMemory:    {"memory", "no memory left"},
	ErrPanic:     {"panic", "a bug in the library; the handle is of no more use"},
	ErrCorrupt:   {"corrupt", "a file of a dataset that is not what the dataset says, or an episode that plays otherwise"},
	ErrSignature: {"signature", "a dataset of an engine that behaves otherwise"},
}

// Statuses lists every status with its name and meaning, in order.
func Statuses() (names, docs []string) {
	for _, s := range statuses {
		names, docs = append(names, s.name), append(docs, s.doc)
	}
	return names, docs
}

// String is the status's name.
func (s Status) String() string {
	if s < 0 || int(s) >= len(statuses) {
		return "unknown"
	}
	return statuses[s].name
}

// DTypes lists the element types that arrays and heads can have. Their codes
// in the header are obs's.
func DTypes() []obs.DType {
	return []obs.DType{obs.Bit, obs.Bool, obs.Uint8, obs.Int8, obs.Int32, obs.Int64, obs.Uint64, obs.Float16, obs.Float32}
}
