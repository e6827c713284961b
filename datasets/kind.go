// The kinds of datasets and the schema of each, fixed here and never inferred.

package datasets

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// FormatVersion is the version of manifests and shards that this package
// writes, and the only one that it reads.
const FormatVersion = 1

// EngineVersion is the version of the engines that play, for people. What
// decides whether they play alike is the rule set's behaviour signature.
const EngineVersion = "0.1.0"

// A Kind is what a dataset holds of an episode.
type Kind string

const (
	// Orders is the compact kind: one row per episode.
	Orders Kind = "orders"
	// Steps has what every seat saw and did: one row per episode, step and seat.
	Steps Kind = "steps"
)

// Kinds lists the kinds that can be written and read.
func Kinds() []Kind { return []Kind{Orders, Steps} }

// The file formats.
const (
	Arrow   = "arrow"   // Arrow IPC files
	Parquet = "parquet" // Parquet files
)

// Formats lists the file formats that can be written and read.
func Formats() []string { return []string{Arrow, Parquet} }

// A column is a field of a schema and what it means.
type column struct {
	name string
	typ  arrow.DataType
	doc  string
}

// named is a string that is one of a few, which the dataset knows from the
// start: every shard has the same dictionary.
var named = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}

// The fields of a seat.
var seatFields = []arrow.Field{
	{Name: "policy", Type: named, Metadata: docs("who played it")},
	{Name: "score", Type: arrow.PrimitiveTypes.Int32, Metadata: docs("score at the end")},
	{Name: "rank", Type: arrow.PrimitiveTypes.Int32, Metadata: docs("1-based rank at the end, ties share")},
	{Name: "strikes", Type: arrow.PrimitiveTypes.Int32, Metadata: docs("failed answers")},
	{Name: "return", Type: arrow.PrimitiveTypes.Float32, Metadata: docs("sum of rewards")},
}

// The columns of the orders kind. None is ever null. An episode of a short
// game takes some 200 bytes, so columns are laid out for few offsets: those of
// a list do not compress.
var orderColumns = []column{
	{"episode", arrow.PrimitiveTypes.Uint64, "number of the episode in the dataset"},
	{"seed", arrow.PrimitiveTypes.Uint64, "seed that the episode was reset with"},
	{"map", named, "digest of its map"},
	{"seats", arrow.ListOfNonNullable(arrow.StructOf(seatFields...)), "an entry per seat"},
	{"orders", arrow.BinaryTypes.Binary, "orders of every step and seat, packed by the game"},
	{"turns", arrow.PrimitiveTypes.Int32, "steps played"},
	{"reason", named, "why the episode ended, in the rule set's words"},
	{"checkpoints", arrow.ListOfNonNullable(arrow.PrimitiveTypes.Uint64), "hash of the state after every so many steps but the last"},
	{"final_hash", arrow.PrimitiveTypes.Uint64, "hash of the state after the last step"},
	{"order_count", arrow.PrimitiveTypes.Int64, "orders of all seats and steps: of Ants one an ant and turn"},
}

// Indices of the columns and of a seat's fields.
const (
	colEpisode = iota
	colSeed
	colMap
	colSeats
	colOrders
	colTurns
	colReason
	colCheckpoints
	colFinal
	colCount
)

const (
	seatPolicy = iota
	seatScore
	seatRank
	seatStrikes
	seatReturn
)

func docs(text string) arrow.Metadata { return arrow.NewMetadata([]string{"doc"}, []string{text}) }

// columns are the columns of a kind of a game.
func (k Kind) columns(g *game) []column {
	if k == Orders {
		return orderColumns
	}
	var list []column
	for _, s := range stepColumns(g) {
		list = append(list, s.column)
	}
	return list
}

// Schema is the schema of a kind's shards, without metadata. That of Steps
// depends on the game. Errors: no such game.
func (k Kind) Schema(game string) (*arrow.Schema, error) {
	g, err := gameNamed(game)
	if err != nil {
		return nil, err
	}
	return k.schema(g), nil
}

func (k Kind) schema(g *game) *arrow.Schema {
	var fields []arrow.Field
	for _, c := range k.columns(g) {
		fields = append(fields, arrow.Field{Name: c.name, Type: c.typ, Metadata: docs(c.doc)})
	}
	return arrow.NewSchema(fields, nil)
}

// SchemaHash is the hex SHA-256 of the names, types and nullability of a
// kind's columns. Errors: no such game.
func (k Kind) SchemaHash(game string) (string, error) {
	schema, err := k.Schema(game)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s %d\n", k, FormatVersion)
	for _, f := range schema.Fields() {
		fmt.Fprintf(&text, "%s %s nullable=%t\n", f.Name, f.Type, f.Nullable)
	}
	return hexSum([]byte(text.String())), nil
}
