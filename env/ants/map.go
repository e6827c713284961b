package ants

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
)

// Limits of a map.
const (
	MaxSide  = 255    // rows or columns
	MaxCells = 65_025 // 255 x 255, so that a cell fits in 16 bits
	MinSeats = 2
	MaxSeats = 10
	MaxHills = 250 // hills of all seats together; an index fits in a byte
)

// A Map is a board to play on. It is immutable once validated and may be
// shared between goroutines.
type Map struct {
	Name    string // the "id" of the JSON form
	Rows    int
	Cols    int
	Players int
	Water   []bool  // Rows*Cols, true for water
	Hills   []Spot  // in listing order, which breaks spawn ties
	Food    []int32 // cells with food at the start
	// Ants that a scenario starts with. A normal game ignores them and puts
	// one ant on every hill.
	Ants []Spot
	// Symmetry is the translation that moves seat k's board to seat k+1's, or
	// nil for a map of another symmetry or of none.
	Symmetry *Shift
	// FoodTarget is how much food a top-up rule set keeps on the board; 0
	// means the food the map starts with.
	FoodTarget int
	// Extra holds the JSON fields that this type has no name for, so that
	// they survive reading and writing.
	Extra map[string]json.RawMessage

	once   sync.Once
	canon  []byte
	digest string
}

// A Spot is a cell and the seat that owns what stands there.
type Spot struct {
	Cell  int32 `json:"cell"`
	Owner uint8 `json:"owner"`
}

// A Shift is a translation of the torus.
type Shift struct {
	DR int `json:"dr"`
	DC int `json:"dc"`
}

// ID is the map's own name.
func (m *Map) ID() string { return m.Name }

// Seats is the number of colonies.
func (m *Map) Seats() int { return m.Players }

// Size is the board's extent.
func (m *Map) Size() (rows, cols int) { return m.Rows, m.Cols }

// CanonicalJSON is the map's JSON form with fixed field order and without
// unknown fields.
func (m *Map) CanonicalJSON() []byte {
	m.once.Do(func() {
		m.canon = appendMapJSON(nil, m, false)
		sum := sha256.Sum256(m.canon)
		m.digest = hex.EncodeToString(sum[:])
	})
	return m.canon
}

// Digest is the hex SHA-256 of CanonicalJSON.
func (m *Map) Digest() string {
	m.CanonicalJSON()
	return m.digest
}
