package formica

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/myriant-rl/myriant/env"
)

// A Board is where Formica is played: a number of seats on a hexagon. What
// stands on it (nests, food) is drawn from the seed at the reset. It fills
// env.Map, is immutable and may be shared.
type Board struct {
	*Geometry
	Name    string // "id" of the JSON form, may be empty
	Players int    // 2, 3, 4 or 6

	canon  []byte
	digest string
}

// NewBoard makes a board. Five seats, and a radius too small for the nests and
// food of the default rule set, are refused. Errors wrap env.ErrMap.
func NewBoard(name string, seats, radius int) (*Board, error) {
	if err := checkSeats(seats); err != nil {
		return nil, fmt.Errorf("%w: seats: %v", env.ErrMap, err)
	}
	if radius < 1 || radius > MaxRadius {
		return nil, fmt.Errorf("%w: radius is %d, want at most %d", env.ErrMap, radius, MaxRadius)
	}
	b := &Board{Geometry: GeometryOf(radius), Name: name, Players: seats}
	c := defaultConfig()
	if err := c.CheckBoard(b); err != nil {
		return nil, err
	}
	id, err := json.Marshal(name)
	if err != nil {
		return nil, fmt.Errorf("%w: id: %v", env.ErrMap, err)
	}
	b.canon = fmt.Appendf(nil, `{"game":"formica","id":%s,"seats":%d,"radius":%d}`, id, seats, radius)
	sum := sha256.Sum256(b.canon)
	b.digest = hex.EncodeToString(sum[:])
	return b, nil
}

func checkSeats(seats int) error {
	switch seats {
	case 2, 3, 4, 6:
		return nil
	case 5:
		return fmt.Errorf("5 colonies cannot stand symmetrically on the six directions of a hexagon, want 2, 3, 4 or 6")
	}
	return fmt.Errorf("%d, want 2, 3, 4 or 6", seats)
}

// ParseBoard reads a board: the name of a variant (the board that it is made
// for) or {"game":"formica","id":"..","seats":4,"radius":12}, of which "id" may
// be missing. Errors wrap env.ErrMap.
func ParseBoard(data []byte) (*Board, error) {
	text := bytes.TrimSpace(data)
	if !bytes.HasPrefix(text, []byte("{")) {
		return BundledBoard(string(text))
	}
	var raw struct {
		Game   string `json:"game"`
		ID     string `json:"id"`
		Seats  *int   `json:"seats"`
		Radius *int   `json:"radius"`
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&raw); err != nil {
		return nil, fmt.Errorf("%w: %v", env.ErrMap, err)
	}
	if rest := bytes.TrimSpace(text[dec.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("%w: more text after the board's object", env.ErrMap)
	}
	switch {
	case raw.Game != "formica":
		return nil, fmt.Errorf("%w: game is %q, want \"formica\"", env.ErrMap, raw.Game)
	case raw.Seats == nil:
		return nil, fmt.Errorf("%w: no seats", env.ErrMap)
	case raw.Radius == nil:
		return nil, fmt.Errorf("%w: no radius", env.ErrMap)
	}
	return NewBoard(raw.ID, *raw.Seats, *raw.Radius)
}

// BundledBoards lists the boards that have a name: one for each variant.
func BundledBoards() []string { return Variants() }

// BundledBoard is the board that a variant is made for. Errors wrap env.ErrMap.
func BundledBoard(name string) (*Board, error) {
	c, err := Variant(name)
	if err != nil {
		return nil, fmt.Errorf("%w: no board %q (have %s)", env.ErrMap, name, strings.Join(BundledBoards(), ", "))
	}
	return c.Board()
}

// ID is the board's own name.
func (b *Board) ID() string { return b.Name }

// Seats is the number of colonies.
func (b *Board) Seats() int { return b.Players }

// Size is the axial grid, 2*Radius+1 in both: row r+Radius, column q+Radius.
// The two corners that no cell lies on belong to the grid.
func (b *Board) Size() (rows, cols int) { return b.Side, b.Side }

// CanonicalJSON is the board as ParseBoard reads it.
func (b *Board) CanonicalJSON() []byte { return b.canon }

// Digest is the hex SHA-256 of CanonicalJSON.
func (b *Board) Digest() string { return b.digest }

// PlaceDirection is the direction of the nest of ring place k, before the
// board is turned: floor(6k/seats).
func (b *Board) PlaceDirection(k int) int { return Directions * k / b.Players }

// Image is the image of a place under the symmetry that takes ring place 0 to
// ring place k, before the board is turned: a rotation, and for 4 seats the
// reflection (q, r) -> (q, -q-r), the 180 degree turn, or both.
func (b *Board) Image(k int, h Hex) Hex {
	if b.Players != 4 {
		return h.Turn(b.PlaceDirection(k))
	}
	if k%2 == 1 {
		h = h.Mirror()
	}
	if k >= 2 {
		h = h.Turn(3)
	}
	return h
}

var _ env.Map = (*Board)(nil)
