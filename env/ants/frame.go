package ants

// A Frame is what happened in one turn and how the board stands after it. It
// is made by re-simulation; recordings hold only orders.
type Frame struct {
	Turn     int32         `json:"turn"`     // turns played
	Ants     []Spot        `json:"ants"`     // living ants, ascending
	Food     []int32       `json:"food"`     // cells, ascending
	Hills    []Spot        `json:"hills"`    // standing hills, in the map's listing order
	Deaths   []Death       `json:"deaths"`   // this turn's, ascending by cell and owner
	Razed    []Raze        `json:"razed"`    // hills razed this turn, in the map's listing order
	Spawned  []Spot        `json:"spawned"`  // newborns, ascending
	Gathered []FoodGone    `json:"gathered"` // food that left the board this turn, ascending
	NewFood  []int32       `json:"new_food"` // food that appeared this turn, ascending
	Seen     [][]int32     `json:"seen"`     // per seat: cells seen for the first time, ascending
	Hive     []int32       `json:"hive"`     // per seat: food waiting to hatch
	Score    []int32       `json:"score"`    // per seat
	Ranks    []int32       `json:"ranks"`    // per seat, 1-based, ties share
	Cutoff   CutoffCounter `json:"cutoff"`
	Done     bool          `json:"done"`
	Reason   string        `json:"reason"` // the rule set's name for the ending, "" while the game goes on
}

// A Death is an ant that died. Killers is empty for a collision; for a combat
// death it lists every enemy in range whose focus was at most the dead ant's
// own, ascending.
type Death struct {
	Cell    int32  `json:"cell"`
	Owner   uint8  `json:"owner"`
	Killers []Spot `json:"killers,omitempty"`
}

// A Raze is a hill that fell.
type Raze struct {
	Cell  int32 `json:"cell"`
	Owner uint8 `json:"owner"`
	By    uint8 `json:"by"`
	// Bonus: no ant stood there; the last colony alive was paid for it.
	Bonus bool `json:"bonus,omitempty"`
}

// A FoodGone is a food that was gathered by the seat Owner, or destroyed
// between several when Owner is -1.
type FoodGone struct {
	Cell  int32 `json:"cell"`
	Owner int8  `json:"owner"`
}

// A CutoffCounter is who holds the cutoff share, and for how long.
type CutoffCounter struct {
	Holder int32 `json:"holder"` // a seat, HolderNone or HolderFood
	Count  int32 `json:"count"`
}
