package ants

import (
	"fmt"

	"github.com/myriant-rl/myriant/env/obs"
)

// Planes lists the observation channels of a board in order. With perOwner
// there is one foes plane per relative owner 1..seats-1 in place of one for
// all. With pad a last plane marks the cells outside the board.
func Planes(seats int, perOwner, pad bool) []obs.Plane {
	planes := []obs.Plane{{Name: "mine", Doc: "own ants"}}
	if perOwner {
		for o := 1; o < seats; o++ {
			planes = append(planes, obs.Plane{Name: fmt.Sprintf("foes_%d", o), Doc: fmt.Sprintf("visible ants of relative owner %d", o)})
		}
	} else {
		planes = append(planes, obs.Plane{Name: "foes", Doc: "visible ants of all other seats"})
	}
	planes = append(planes,
		obs.Plane{Name: "food", Doc: "visible food"},
		obs.Plane{Name: "own_hills", Doc: "own standing hills on visible cells"},
		obs.Plane{Name: "enemy_hills", Doc: "standing hills of other seats on visible cells"},
		obs.Plane{Name: "known_water", Doc: "water ever seen"},
		obs.Plane{Name: "visible", Doc: "cells within view radius of an own ant"},
	)
	if pad {
		planes = append(planes, obs.Plane{Name: "pad", Doc: "cells outside the board"})
	}
	return planes
}

// The arrays of a batch of Ants boards. Seats on axis S are the observed
// seats; P counts all seats of the largest board.
var (
	FieldPlanesPacked = obs.Field{Name: "planes", DType: obs.Bit, Shape: []obs.Dim{"B", "S", "C", "H", "RB"},
		Doc: "observation planes, one bit a cell, lowest bit first, rows padded to whole bytes"}
	FieldPlanesDense = obs.Field{Name: "planes", DType: obs.Uint8, Shape: []obs.Dim{"B", "S", "C", "H", "W"},
		Doc: "observation planes, 0 or 1 a cell"}
	FieldAntOffsets = obs.Field{Name: "ant_offsets", DType: obs.Int64, Shape: []obs.Dim{"O"},
		Doc: "where the ants of board b, observed seat s begin and end: offsets[b*S+s] and the one after (Arrow list layout)"}
	FieldAntCells = obs.Field{Name: "ant_cells", DType: obs.Int32, Shape: []obs.Dim{"N"},
		Doc: "own ants' cells, row*W+col on the padded grid, row-major within board and seat"}
	FieldAntMask = obs.Field{Name: "ant_mask", DType: obs.Int8, Shape: []obs.Dim{"N", "5"},
		Doc: "per ant: 1 where the action N, E, S, W, - is not known to be refused"}
	FieldCellMask = obs.Field{Name: "cell_mask", DType: obs.Int8, Shape: []obs.Dim{"B", "S", "5", "H", "W"},
		Doc: "per cell: as ant_mask at own ants, only - elsewhere"}
	FieldReward     = obs.Field{Name: "reward", DType: obs.Float32, Shape: []obs.Dim{"B", "S"}, Doc: "weighted reward of the step"}
	FieldTerminated = obs.Field{Name: "terminated", DType: obs.Bool, Shape: []obs.Dim{"B", "S"}, Doc: "the game ended by a rule, or the seat has no ants left"}
	FieldTruncated  = obs.Field{Name: "truncated", DType: obs.Bool, Shape: []obs.Dim{"B", "S"}, Doc: "the game ended at the turn limit"}
	FieldDone       = obs.Field{Name: "done", DType: obs.Bool, Shape: []obs.Dim{"B"}, Doc: "the board's episode is over"}
	FieldValid      = obs.Field{Name: "valid", DType: obs.Bool, Shape: []obs.Dim{"B"}, Doc: "the step was a turn, not an automatic reset"}
	FieldReason     = obs.Field{Name: "reason", DType: obs.Uint8, Shape: []obs.Dim{"B"}, Doc: "0 while the episode goes on, else 1 + index of the rule set's ending"}
	FieldTurn       = obs.Field{Name: "turn", DType: obs.Int32, Shape: []obs.Dim{"B"}, Doc: "turns played"}
	FieldScore      = obs.Field{Name: "score", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "scores of all seats"}
	FieldRank       = obs.Field{Name: "rank", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "1-based ranks of all seats, ties share; 0 where the board has no such seat"}
	FieldAntCount   = obs.Field{Name: "ant_count", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "living ants of all seats"}
	FieldReturn     = obs.Field{Name: "episode_return", DType: obs.Float32, Shape: []obs.Dim{"B", "S"}, Doc: "sum of rewards since the episode began"}
	FieldGathered   = obs.Field{Name: "episode_gathered", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "food gathered since the episode began"}
	FieldKills      = obs.Field{Name: "episode_kills", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "enemy deaths in combat in which an own ant was one of the killers, since the episode began"}
	FieldLosses     = obs.Field{Name: "episode_losses", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "own ants dead since the episode began"}
	FieldRazed      = obs.Field{Name: "episode_razed", DType: obs.Int32, Shape: []obs.Dim{"B", "P"}, Doc: "enemy hills razed since the episode began"}
)

// DefaultArrays names the arrays that a batch exports when none are asked for.
func DefaultArrays() []string {
	return []string{
		"planes", "ant_offsets", "ant_cells", "ant_mask", "reward", "terminated", "truncated", "done", "valid", "reason",
		"turn", "score", "rank", "episode_return",
	}
}

// The arrays that a caller may give as actions; exactly one a step.
var (
	HeadAnt        = obs.Field{Name: "ant", DType: obs.Uint8, Shape: []obs.Dim{"N"}, Doc: "an action for each ant of ant_cells"}
	HeadCell       = obs.Field{Name: "cell", DType: obs.Uint8, Shape: []obs.Dim{"B", "S", "H", "W"}, Doc: "an action for each cell, read at own ants"}
	HeadAntLogits  = obs.Field{Name: "ant_logits", DType: obs.Float32, Shape: []obs.Dim{"N", "5"}, Doc: "logits for each ant of ant_cells; masked"}
	HeadCellLogits = obs.Field{Name: "cell_logits", DType: obs.Float32, Shape: []obs.Dim{"B", "S", "5", "H", "W"}, Doc: "logits for each cell, read at own ants; masked"}
)
