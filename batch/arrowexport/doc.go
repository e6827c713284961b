// Package arrowexport shows a batch's arrays as an Arrow record batch, and
// reads actions from Arrow, without copying. It is the only part of the engine
// that sees Arrow.
//
//	x, err := arrowexport.New(b)
//	for {
//		rec, err := x.Record() // boards are rows
//		acts, err := x.Actions(policy(rec))
//		rec.Release()
//		err = b.Step(acts)
//	}
//
// Reading order: schema.go (which array becomes which type), export.go,
// actions.go.
//
// # Columns
//
// A row is a board. An array [B, ..] becomes a column of its name; of an array
// with more axes, each row is one flat fixed-size list, in C order. A ragged
// array [N, ..] becomes a fixed-size list over the observed seats of lists over
// the seat's ants; its offsets are the batch's own, 64 bits wide, and are no
// column themselves.
//
//	array                            type
//	turn        int32   [B]          int32
//	reward      float32 [B,S]        fixed_size_list<float32>[S]
//	planes      bit     [B,S,C,H,RB] fixed_size_list<uint8>[S*C*H*RB]
//	planes      uint8   [B,S,C,H,W]  fixed_size_list<uint8>[S*C*H*W]
//	ant_cells   int32   [N]          fixed_size_list<large_list<int32>>[S]
//	ant_mask    int8    [N,5]        fixed_size_list<large_list<fixed_size_list<int8>[5]>>[S]
//
// Arrow's booleans are bits where the batch's are bytes, so bool becomes uint8.
// The field's metadata has what the type does not say: "dtype" (bit, bool, ..),
// "shape" (the axes after the first, such as 2,7,32,4), "axes" (their symbols,
// see package obs) and "doc". Arrays of no elements, as when no seat is
// observed, have no column.
//
// # Lifetime
//
// A record's memory is the batch's: it shows the arrays as they are until the
// next call that changes them (Step, Reset, ResetBoards, Restore, Clone,
// Refresh), and must not be read after it. Releasing a record frees nothing but
// the record. Whoever keeps data longer copies it, or says with Held where a
// record has its memory from. Package arrowc hands records to C.
package arrowexport
