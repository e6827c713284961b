package ants

// A View is what one seat may know after a turn, and no more: a function of
// the state and the seat that does not change when the seats are relabelled.
// Owners are relative: 0 is the seat itself, others (owner-seat) mod seats.
type View struct {
	Rows, Cols int
	Seats      int
	Mine       []int32 // own ants, ascending
	Foes       []Spot  // enemy ants on visible cells, ascending, relative owners
	Food       []int32 // food on visible cells, ascending
	Hills      []Spot  // standing hills on visible cells, ascending, relative owners
	Water      []bool  // water ever seen, Rows*Cols
	Visible    []bool  // cells seen now, Rows*Cols
	// FoodBlocks is the rule set's: food refuses a move, so masks clear it. It
	// is not part of the JSON view.
	FoodBlocks bool
	// Seen is the cells ever seen. A seat could keep this itself from Visible;
	// it is not part of the JSON view.
	Seen []bool
}
