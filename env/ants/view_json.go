// The JSON form of a view: what match seats read and replays of a seat show.

package ants

import "strconv"

// AppendJSON appends the view as one JSON object:
//
//	{"size":[R,C],"mine":[[r,c]..],"foes":[[r,c,owner]..],"food":[[r,c]..],
//	"hills":[[r,c,owner]..],"water":{"rle":[value,run,..]},"vis":{"rle":[..]}}
//
// without white space. Lists are row-major; runs are row-major, of 0 and 1 in
// turn, and sum to R*C.
func (v *View) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"size":[`...)
	dst = strconv.AppendInt(dst, int64(v.Rows), 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, int64(v.Cols), 10)
	dst = append(dst, `],"mine":`...)
	dst = v.appendCells(dst, v.Mine)
	dst = append(dst, `,"foes":`...)
	dst = v.appendSpots(dst, v.Foes)
	dst = append(dst, `,"food":`...)
	dst = v.appendCells(dst, v.Food)
	dst = append(dst, `,"hills":`...)
	dst = v.appendSpots(dst, v.Hills)
	dst = append(dst, `,"water":{"rle":`...)
	dst = appendRuns(dst, v.Water)
	dst = append(dst, `},"vis":{"rle":`...)
	dst = appendRuns(dst, v.Visible)
	return append(dst, "}}"...)
}

func (v *View) appendCells(dst []byte, cells []int32) []byte {
	dst = append(dst, '[')
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = v.appendPlace(append(dst, '['), cell)
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

func (v *View) appendSpots(dst []byte, spots []Spot) []byte {
	dst = append(dst, '[')
	for i, s := range spots {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = v.appendPlace(append(dst, '['), s.Cell)
		dst = append(dst, ',')
		dst = strconv.AppendUint(dst, uint64(s.Owner), 10)
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

func (v *View) appendPlace(dst []byte, cell int32) []byte {
	dst = strconv.AppendInt(dst, int64(cell)/int64(v.Cols), 10)
	dst = append(dst, ',')
	return strconv.AppendInt(dst, int64(cell)%int64(v.Cols), 10)
}
