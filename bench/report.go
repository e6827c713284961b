package bench

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/myriant-rl/myriant/batch"
)

// A Report is the results of a run and what they were measured on. Its JSON
// form is what scripts read.
type Report struct {
	Workloads    []Result `json:"workloads"` // by workload, then by number of workers
	Machine      string   `json:"machine"`
	Go           string   `json:"go"`
	Acceleration string   `json:"acceleration"` // see batch.Acceleration
}

// A Result is a workload on one number of workers. Times are wall time: with
// two workers at full speed, ns per board-turn is half of that with one.
type Result struct {
	Name           string  `json:"name"`
	Workers        int     `json:"workers"`
	Boards         int     `json:"boards"`
	BoardTurnsPerS float64 `json:"board_turns_per_s"` // of the median
	AntStepsPerS   float64 `json:"ant_steps_per_s"`   // units of all seats that were moved, once a tick
	NsPerBoardTurn float64 `json:"ns_per_board_turn"` // median of the rounds
	FloorRatio     float64 `json:"floor_ratio"`       // median of the rounds' ns over floor ns
	AllocsPerStep  float64 `json:"allocs_per_step"`   // objects, median of the rounds: the runtime's own now and then do not count
	BytesPerBoard  int     `json:"bytes_per_board"`   // state and exported arrays
	TicksPerS      float64 `json:"ticks_per_s"`       // of all boards; of games whose turn is one tick, board_turns_per_s
	NsPerTick      float64 `json:"ns_per_tick"`       // of ns_per_board_turn
	// Speedup over one worker, and the floor's over its own with one worker:
	// medians of the rounds, 0 when one worker was not measured.
	Speedup      float64 `json:"-"`
	FloorSpeedup float64 `json:"-"`

	TicksPerTurn float64 `json:"-"` // mean over the recorded turns
	FloorNs      float64 `json:"-"` // median, per board-turn, on as many workers
	BestNs       float64 `json:"-"` // per board-turn, of the fastest round
	Rounds       int     `json:"-"`
	UnitsPerSeat float64 `json:"-"` // mean over the recorded turns
	StateBytes   int     `json:"-"` // a board
	ArrayBytes   int     `json:"-"` // a board
}

func newReport() *Report {
	return &Report{
		Workloads: []Result{},
		Machine:   fmt.Sprintf("%s, %d processors, %s/%s", processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH),
		Go:        runtime.Version(), Acceleration: batch.Acceleration(),
	}
}

// processor is the processor's name where Linux tells it.
func processor() string {
	const unknown = "unknown processor"
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return unknown
	}
	defer f.Close() // only read
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return unknown
}
