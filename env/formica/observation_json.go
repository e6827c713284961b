// The JSON forms of what engines tell: the command message and the results.

package formica

import "strconv"

// AppendJSON appends the command message, without white space:
//
//	{"type":"command","protocol":"formica/1","phase":12,"kind":"scheduled","event":null,"tick":96,"max_ticks":600,
//	"budget_ms":3000,"slot":0,"radius":12,"rain_ticks":0,"scores":[..],"alive":[..],
//	"colony":{"nest":[q,r],"food_stored":31,"population":18,"pop_cap":22,"chambers":1,
//	"squads":{"forage":9,"defense":4,"expansion":3,"raid":2,"build":0},"territory":[[q,r]..],"freshness":[n..],
//	"territory_cells":80,
//	"orders":{"mode":"forage","alloc":{"food":0.6,"defense":0.2,"expansion":0.2},"defend":false,"relocate_to":null}},
//	"ants":[[id,q,r,role,carry]..],"food":[[q,r,n]..],"rivals":[[q,r,slot,is_raider]..],"scent":[[q,r,level]..],
//	"pheromone":[[q,r,v]..],"nests":[{"slot":2,"cell":[q,r],"seen_tick":80}..],"threat":1,"legal_relocate":[[q,r]..]}
//
// Scores are points: whole numbers, or with .5. role is 0 forage, 1 defense,
// 2 expansion, 3 raid, 4 build; is_raider 0 or 1; freshness is, for each cell of
// territory, the ticks that it stays held without a visit; relocate_to is the
// cell of a move under way.
func (o *Observation) AppendJSON(dst []byte) []byte {
	w := writer{g: GeometryOf(o.Radius), dst: dst}
	w.text(`{"type":"command","protocol":"formica/1","phase":`).num(int(o.Phase))
	w.text(`,"kind":"`).text(o.Kind.String()).text(`","event":`)
	if o.Event == EventNone {
		w.text("null")
	} else {
		w.text(`"`).text(o.Event.String()).text(`"`)
	}
	w.text(`,"tick":`).num(int(o.Tick)).text(`,"max_ticks":`).num(o.MaxTicks).text(`,"budget_ms":`).num(o.BudgetMS)
	w.text(`,"slot":`).num(o.Slot).text(`,"radius":`).num(o.Radius).text(`,"rain_ticks":`).num(o.RainTicks)
	w.text(`,"scores":`).list(len(o.Scores2), func(i int) { w.half(o.Scores2[i]) })
	w.text(`,"alive":`).list(len(o.Alive), func(i int) { w.flag(o.Alive[i]) })
	c := &o.Colony
	w.text(`,"colony":{"nest":`).cell(c.Nest).text(`,"food_stored":`).num(int(c.FoodStored)).text(`,"population":`).num(c.Population)
	w.text(`,"pop_cap":`).num(c.PopCap).text(`,"chambers":`).num(c.Chambers).text(`,"squads":{`)
	for role, n := range c.Squads {
		if role > 0 {
			w.text(",")
		}
		w.text(`"`).text(RoleNames[role]).text(`":`).num(n)
	}
	w.text(`},"territory":`).cells(c.Territory)
	w.text(`,"freshness":`).list(len(c.Freshness), func(i int) { w.num(int(c.Freshness[i])) }).text(`,"territory_cells":`).num(c.TerritoryCells).text(`,"orders":`)
	w.text("{").order(c.Order).text(`,"relocate_to":`)
	if c.Order.Target == NoCell {
		w.text("null")
	} else {
		w.cell(c.Order.Target)
	}
	w.text(`}},"ants":`).list(len(o.Ants), func(i int) {
		a := o.Ants[i]
		w.text("[").num(a.ID).text(",").place(a.Cell).text(",").num(int(a.Role)).text(",").num(int(a.Carry)).text("]")
	})
	w.text(`,"food":`).amounts(o.Food).text(`,"rivals":`).list(len(o.Rivals), func(i int) {
		r := o.Rivals[i]
		w.text("[").place(r.Cell).text(",").num(r.Slot).text(",").num(int(boolByte(r.Raider))).text("]")
	})
	w.text(`,"scent":`).amounts(o.Scent).text(`,"pheromone":`).amounts(o.Pheromone).text(`,"nests":`).list(len(o.Nests), func(i int) {
		n := o.Nests[i]
		w.text(`{"slot":`).num(n.Slot).text(`,"cell":`).cell(n.Cell).text(`,"seen_tick":`).num(int(n.SeenTick)).text("}")
	})
	w.text(`,"threat":`).num(o.Threat).text(`,"legal_relocate":`).cells(o.LegalRelocate).text("}")
	return w.dst
}

// AppendJSON appends the results, without white space:
//
//	{"scores":[..],"food_stored":[..],"territory_cells":[..],"population":[..],"alive":[..],"died_at":[..],"ticks":600,
//	"seed_used":7,"rules_version":1}
//
// Scores are points: whole numbers, or with .5. died_at is null for the living.
func (r *Results) AppendJSON(dst []byte) []byte {
	w := writer{dst: dst}
	w.text(`{"scores":`).list(len(r.Scores2), func(i int) { w.half(r.Scores2[i]) })
	for _, f := range []struct {
		name string
		list []int32
	}{{"food_stored", r.FoodStored}, {"territory_cells", r.TerritoryCells}, {"population", r.Population}} {
		w.text(`,"`).text(f.name).text(`":`).list(len(f.list), func(i int) { w.num(int(f.list[i])) })
	}
	w.text(`,"alive":`).list(len(r.Alive), func(i int) { w.flag(r.Alive[i]) })
	w.text(`,"died_at":`).list(len(r.DiedAt), func(i int) {
		if r.DiedAt[i] < 0 {
			w.text("null")
			return
		}
		w.num(int(r.DiedAt[i]))
	})
	w.text(`,"ticks":`).num(int(r.Ticks)).text(`,"seed_used":`)
	w.dst = strconv.AppendUint(w.dst, r.SeedUsed, 10)
	w.text(`,"rules_version":`).num(r.RulesVersion).text("}")
	return w.dst
}

// A writer appends JSON.
type writer struct {
	g   *Geometry
	dst []byte
}

func (w *writer) text(s string) *writer {
	w.dst = append(w.dst, s...)
	return w
}

func (w *writer) num(n int) *writer {
	w.dst = strconv.AppendInt(w.dst, int64(n), 10)
	return w
}

func (w *writer) flag(b bool) *writer {
	w.dst = strconv.AppendBool(w.dst, b)
	return w
}

// order writes mode, alloc and defend.
func (w *writer) order(o Order) *writer {
	w.text(`"mode":"`).text(o.Mode.String()).text(`","alloc":{`)
	for i, share := range o.Alloc {
		if i > 0 {
			w.text(",")
		}
		w.text(`"`).text(allocNames[i]).text(`":`).share(share)
	}
	return w.text(`},"defend":`).flag(o.Defend)
}

// half writes n/2.
func (w *writer) half(n int32) *writer {
	w.num(int(n / 2))
	if n%2 != 0 {
		w.text(".5")
	}
	return w
}

// share writes n/AllocWhole, without zeros at its end.
func (w *writer) share(n uint16) *writer {
	digits := strconv.Itoa(AllocWhole + int(n))[1:] // four digits
	if n >= AllocWhole {
		return w.text("1")
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if digits == "" {
		return w.text("0")
	}
	return w.text("0.").text(digits)
}

func (w *writer) list(n int, item func(i int)) *writer {
	w.text("[")
	for i := range n {
		if i > 0 {
			w.text(",")
		}
		item(i)
	}
	return w.text("]")
}

// place writes q,r.
func (w *writer) place(cell int32) *writer {
	h := w.g.Hexes[cell]
	return w.num(h.Q).text(",").num(h.R)
}

func (w *writer) cell(cell int32) *writer { return w.text("[").place(cell).text("]") }

func (w *writer) cells(cells []int32) *writer {
	return w.list(len(cells), func(i int) { w.cell(cells[i]) })
}

func (w *writer) amounts(list []CellAmount) *writer {
	return w.list(len(list), func(i int) { w.text("[").place(list[i].Cell).text(",").num(int(list[i].Amount)).text("]") })
}
