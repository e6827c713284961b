package envtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/myriant-rl/myriant/env"
	"github.com/myriant-rl/myriant/env/ants"
)

// A transcript is everything that went in and out of the contest's engine in
// one game.
type transcript struct {
	Note      string
	Input     []string
	OutputLog []string `json:"output_log"`
	Stream    string
	Replay    struct {
		GameLength  int `json:"game_length"`
		Rank, Score []int32
		Status      []string
		PlayerTurns []int
		Errors      []string
		ReplayData  struct {
			Ants                                     []replayAnt
			Food                                     []replayFood
			Hills                                    [][4]int32
			Scores                                   [][]int32
			HiveHistory                              [][]int32 `json:"hive_history"`
			Cutoff                                   string
			Turns                                    int
			ViewRadius2, AttackRadius2, SpawnRadius2 int
			LoadTime, TurnTime                       int64
			PlayerSeed                               int64 `json:"player_seed"`
			FoodRate                                 int32 `json:"food_rate"`
			FoodTurn                                 int32 `json:"food_turn"`
			FoodStart                                int32 `json:"food_start"`
			Bonus                                    []int32
			WinningTurn                              int `json:"winning_turn"`
			RankingTurn                              int `json:"ranking_turn"`
		}
	}
}

// A replayAnt is [row, col, first turn, turn after the last, owner, moves].
type replayAnt struct {
	row, col, start, end, owner int
	moves                       string
}

func (a *replayAnt) UnmarshalJSON(data []byte) error {
	return unmarshalParts(data, &a.row, &a.col, &a.start, &a.end, &a.owner, &a.moves)
}

// A replayFood is [row, col, first turn, turn after the last(, who got it)].
type replayFood []int

// GoldenTranscripts replays the games of golden/contest2011/transcript_*: the
// order lines from the logs, the food from the replay. Each text that a bot
// was sent must come out, and so must the verdicts on its orders, the
// observer's stream, the replay's scores, hives and hills, and the result.
//
// The engine must also tell frames and views.
func GoldenTranscripts(t *testing.T, newEngine NewAnts) {
	files, turns := 0, 0
	for _, path := range goldenFiles(t, "contest2011", "transcript_*.json.gz") {
		t.Run(baseName(path), func(t *testing.T) {
			var tr transcript
			readGolden(t, path, &tr)
			turns += tr.play(t, newEngine)
			files++
		})
	}
	t.Logf("transcripts: %d files checked, %d turns", files, turns)
}

// rules are the transcript's, with food from the replay.
func (tr *transcript) rules(t *testing.T) *ants.Rules {
	t.Helper()
	rules, err := ants.RuleSet("contest2011")
	if err != nil {
		t.Fatal(err)
	}
	d := &tr.Replay.ReplayData
	rules.Food, rules.MaxTurns = ants.FoodScripted, d.Turns
	rules.ViewRadius2, rules.AttackRadius2, rules.GatherRadius2 = d.ViewRadius2, d.AttackRadius2, d.SpawnRadius2
	return &rules
}

// board is the map as the observer's stream shows it before turn 1.
func (tr *transcript) board(t *testing.T) *ants.Map {
	t.Helper()
	var text strings.Builder
	for line := range strings.Lines(tr.Stream) {
		for _, key := range []string{"rows ", "cols ", "m "} {
			if strings.HasPrefix(line, key) {
				text.WriteString(line)
			}
		}
		if strings.HasPrefix(line, "cols ") {
			fmt.Fprintf(&text, "players %d\n", len(tr.Input))
		}
	}
	m, err := ants.ParseMapText([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (tr *transcript) play(t *testing.T, newEngine NewAnts) int {
	t.Helper()
	m, rules := tr.board(t), tr.rules(t)
	engine, err := newEngine(rules, m)
	if err != nil {
		t.Fatal(err)
	}
	e, ok := engine.(telling)
	if !ok {
		t.Skipf("%T tells no frames, which the bots' texts are made of", engine)
	}
	if err := e.Reset(1); err != nil {
		t.Fatal(err)
	}
	start := e.State()
	start.Food = tr.food(m, 0)
	if err := e.SetState(start.Append(nil)); err != nil {
		t.Fatal(err)
	}
	d := &tr.Replay.ReplayData
	var c checker
	texts := make([]*ants.TextView, m.Players)
	sent := make([][]byte, m.Players)
	told := make([]bool, m.Players)
	for seat := range texts {
		texts[seat] = ants.NewTextView(m)
		sent[seat] = texts[seat].AppendStart(nil, m, rules, d.LoadTime, d.TurnTime, d.PlayerSeed)
	}
	stream := tr.streamStart(m)
	history := scoreHistory{e.Outcome().Scores}
	hives := [][]int32{hivesOf(e.State())}
	for turn := 1; turn <= tr.Replay.GameLength; turn++ {
		stream = append(stream, fmt.Sprintf("turn %d\nscore %s\n", turn, join(e.Outcome().Scores))...)
		stream = appendStream(stream, m, e)
		s := e.State()
		orders := make([][]byte, m.Players)
		var disqualified []int
		for seat := range orders {
			sent[seat] = texts[seat].AppendTurn(sent[seat], turn, e.View(seat), seat, e.Frame().Deaths)
			block := tr.logged(&c, seat, turn)
			var lines []ants.OrderLine
			orders[seat], lines = ants.ParseOrderLines(withoutReasons(block), m, rules, s.Ants[seat], s.Food)
			if got := logOf(lines); got != block {
				sameText(&c, fmt.Sprintf("order log of seat %d", seat), got, block)
			}
			if tr.Replay.Errors[seat] != "" && tr.Replay.PlayerTurns[seat] == turn {
				disqualified = append(disqualified, seat)
				orders[seat] = nil
			}
		}
		e.Script(tr.food(m, turn), tr.newborns(m, turn))
		if err := e.Step(orders); err != nil {
			t.Fatal(err)
		}
		for _, seat := range disqualified {
			// It is told the end at once, before the last colony is paid.
			e.Drop(seat)
			told[seat] = true
			sent[seat] = tr.appendEnd(sent[seat], texts[seat], e, seat)
			settle(t, e)
		}
		history = append(history, e.Outcome().Scores)
		hives = append(hives, hivesOf(e.State()))
		c.report(t, turn)
	}
	out := e.Outcome()
	stream = append(stream, fmt.Sprintf("end\nplayers %d\nscore %s\nstatus %s\nplayerturns %s\n",
		m.Players, join(out.Scores), strings.Join(tr.Replay.Status, " "), join(tr.Replay.PlayerTurns))...)
	stream = appendStream(stream, m, e)
	sameText(&c, "stream", string(stream), tr.Stream)
	for seat := range sent {
		if !told[seat] {
			sent[seat] = tr.appendEnd(sent[seat], texts[seat], e, seat)
		}
		sameText(&c, fmt.Sprintf("input of seat %d", seat), string(sent[seat]), tr.Input[seat])
	}
	tr.compareReplay(&c, e, out, history, hives)
	c.report(t, tr.Replay.GameLength)
	return tr.Replay.GameLength
}

// settle ends a turn in which a seat was taken out after the turn's orders were
// read, which only --strict does: the others' orders of the turn count. The
// engine takes seats out before a turn, so the ending that follows is read off
// one more turn, in which nobody moves, from the same position a turn earlier.
func settle(t *testing.T, e ants.Engine) {
	t.Helper()
	s := e.State()
	s.Turn--
	for i := range s.Hills {
		s.Hills[i].Touched = min(s.Hills[i].Touched, s.Turn)
	}
	if err := e.SetState(s.Append(nil)); err != nil {
		t.Fatal(err)
	}
	if err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
}

// telling is an engine that tells frames and views.
type telling interface {
	ants.Engine
	framer
}

func (tr *transcript) appendEnd(dst []byte, text *ants.TextView, e telling, seat int) []byte {
	return text.AppendEnd(dst, e.View(seat), seat, e.Frame().Deaths, e.Outcome().Scores, tr.Replay.Status, tr.Replay.PlayerTurns)
}

// food lists the cells of food that appeared in a turn.
func (tr *transcript) food(m *ants.Map, turn int) []int32 {
	var cells []int32
	for _, f := range tr.Replay.ReplayData.Food {
		if f[2] == turn {
			cells = append(cells, cellOf(m, rc{f[0], f[1]}))
		}
	}
	return sorted(cells)
}

// newborns lists the hills that ants appeared on in a turn.
func (tr *transcript) newborns(m *ants.Map, turn int) []int32 {
	var cells []int32
	for _, a := range tr.Replay.ReplayData.Ants {
		if a.start == turn {
			cells = append(cells, cellOf(m, rc{a.row, a.col}))
		}
	}
	return cells
}

// logged is a seat's block of the order log for a turn.
func (tr *transcript) logged(c *checker, seat, turn int) string {
	log := "\n" + tr.OutputLog[seat]
	head := fmt.Sprintf("\n# turn %d\n", turn)
	at := strings.Index(log, head)
	if at < 0 {
		c.diffs = append(c.diffs, fmt.Sprintf("the order log of seat %d has no turn %d", seat, turn))
		return ""
	}
	block := log[at+len(head):]
	if end := strings.Index("\n"+block, "\n# turn "); end >= 0 {
		block = block[:end]
	}
	return block
}

// withoutReasons is the order lines as they were sent.
func withoutReasons(block string) string {
	var b strings.Builder
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " # ")
		b.WriteString(line + "\n")
	}
	return b.String()
}

// logOf is the log of a turn's lines: the valid ones, then the others.
func logOf(lines []ants.OrderLine) string {
	var b strings.Builder
	for _, v := range []ants.Verdict{ants.OrderValid, ants.OrderIgnored, ants.OrderInvalid} {
		for _, l := range lines {
			if l.Verdict == v {
				b.WriteString(l.String() + "\n")
			}
		}
	}
	return b.String()
}

func hivesOf(s *ants.State) []int32 {
	hives := make([]int32, len(s.Seats))
	for seat := range s.Seats {
		hives[seat] = s.Seats[seat].Hive
	}
	return hives
}

// streamStart is what an observer reads before the first turn. It holds the
// settings that no rule depends on as they are recorded.
func (tr *transcript) streamStart(m *ants.Map) []byte {
	d := &tr.Replay.ReplayData
	out := fmt.Appendf(nil, "turn 0\nloadtime %d\nturntime %d\nrows %d\ncols %d\nturns %d\nviewradius2 %d\nattackradius2 %d\nspawnradius2 %d\nplayer_seed %d\nfood_rate %d\nfood_turn %d\nfood_start %d\n",
		d.LoadTime, d.TurnTime, m.Rows, m.Cols, d.Turns, d.ViewRadius2, d.AttackRadius2, d.SpawnRadius2, d.PlayerSeed, d.FoodRate, d.FoodTurn, d.FoodStart)
	for line := range strings.Lines(string(m.AppendText(nil))) {
		if strings.HasPrefix(line, "m ") {
			out = append(out, line...)
		}
	}
	return out
}

// appendStream appends what an observer, who sees everything and numbers the
// seats as they are, reads in a turn.
func appendStream(dst []byte, m *ants.Map, e telling) []byte {
	f := e.Frame()
	line := func(kind string, cell int32, owner string) {
		dst = fmt.Appendf(dst, "%s %d %d%s\n", kind, int(cell)/m.Cols, int(cell)%m.Cols, owner)
	}
	owner := func(o uint8) string { return " " + strconv.Itoa(int(o)) }
	for _, h := range byCell(f.Hills) {
		line("h", h.Cell, owner(h.Owner))
	}
	for _, a := range f.Ants {
		line("a", a.Cell, owner(a.Owner))
	}
	for _, cell := range f.Food {
		line("f", cell, "")
	}
	for _, d := range f.Deaths {
		line("d", d.Cell, owner(d.Owner))
	}
	return dst
}

// compareReplay holds the game to the replay that the engine wrote.
func (tr *transcript) compareReplay(c *checker, e ants.Engine, out env.Outcome, history scoreHistory, hives [][]int32) {
	r, d := &tr.Replay, &tr.Replay.ReplayData
	c.same("done", out.Done, true)
	c.same("reason", out.Reason, d.Cutoff)
	c.same("scores", out.Scores, r.Score)
	c.same("game length", out.Steps, r.GameLength)
	for seat, rank := range r.Rank {
		c.same(fmt.Sprintf("rank of seat %d", seat), out.Ranks[seat], rank+1)
	}
	winning, ranking := history.significantTurns()
	c.same("winning turn", winning, d.WinningTurn)
	c.same("ranking turn", ranking, d.RankingTurn)
	for seat := range r.Rank {
		for turn, want := range d.Scores[seat] {
			if turn == len(history)-1 {
				want += d.Bonus[seat]
			}
			c.same(fmt.Sprintf("score of seat %d after turn %d", seat, turn), history[turn][seat], want)
		}
		for turn, want := range d.HiveHistory[seat] {
			c.same(fmt.Sprintf("hive of seat %d after turn %d", seat, turn), hives[turn][seat], want)
		}
	}
	// A replay's hill ends in the turn in which it was razed, or after the game.
	for _, h := range d.Hills {
		cell := cellOf(e.Map(), rc{int(h[0]), int(h[1])})
		i := slices.IndexFunc(e.Map().Hills, func(s ants.Spot) bool { return s.Cell == cell && int32(s.Owner) == h[2] })
		if i < 0 {
			c.diffs = append(c.diffs, fmt.Sprintf("no hill of seat %d on cell %d", h[2], cell))
		} else if int(h[3]) <= r.GameLength {
			c.same(fmt.Sprintf("hill on cell %d razed", cell), e.State().Hills[i].Razed, true)
		}
	}
}

func join[T int | int32](numbers []T) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(int(n))
	}
	return strings.Join(words, " ")
}
