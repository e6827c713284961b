// The kinds of datasets and the schema of each, fixed here and never inferred.

package datasets

import (
	"crypto/sha256"
	"encoding/hex"
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

// Orders is the compact kind: one row per episode.
const Orders Kind = "orders"

// Kinds lists the kinds that can be written and read.
func Kinds() []Kind { return []Kind{Orders} }

// Formats lists the file formats that can be written and read.
func Formats() []string { return []string{"arrow"} }

// A column is a field of a schema with its meaning.
type column struct {
	name string
	typ  arrow.DataType
	doc  string
}

// The columns of the orders kind. None is ever null.
var orderColumns = []column{
	{"episode", arrow.PrimitiveTypes.Uint64, "number of the episode in the dataset"},
	{"seed", arrow.PrimitiveTypes.Uint64, "seed that the episode was reset with"},
	{"map", arrow.BinaryTypes.String, "digest of its map"},
	{"seats", arrow.PrimitiveTypes.Uint8, "number of seats; the length of every list but checkpoints"},
	{"policies", arrow.ListOfNonNullable(arrow.BinaryTypes.String), "per seat: who played it"},
	{"orders", arrow.BinaryTypes.Binary, "orders of every step and seat, packed by the game"},
	{"checkpoints", arrow.ListOfNonNullable(arrow.PrimitiveTypes.Uint64), "hash of the state after every so many steps, and after the last"},
	{"turns", arrow.PrimitiveTypes.Int32, "steps played"},
	{"reason", arrow.BinaryTypes.String, "why the episode ended, in the rule set's words"},
	{"scores", arrow.ListOfNonNullable(arrow.PrimitiveTypes.Int32), "per seat: score at the end"},
	{"ranks", arrow.ListOfNonNullable(arrow.PrimitiveTypes.Int32), "per seat: 1-based rank at the end, ties share"},
	{"strikes", arrow.ListOfNonNullable(arrow.PrimitiveTypes.Int32), "per seat: failed answers"},
	{"returns", arrow.ListOfNonNullable(arrow.PrimitiveTypes.Float32), "per seat: sum of rewards"},
}

// Indices of the columns.
const (
	colEpisode = iota
	colSeed
	colMap
	colSeats
	colPolicies
	colOrders
	colCheckpoints
	colTurns
	colReason
	colScores
	colRanks
	colStrikes
	colReturns
)

var kindColumns = map[Kind][]column{Orders: orderColumns}

// Schema is the schema of a kind's shards, without metadata.
func (k Kind) Schema() *arrow.Schema {
	columns := kindColumns[k]
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.name, Type: c.typ, Metadata: arrow.NewMetadata([]string{"doc"}, []string{c.doc})}
	}
	return arrow.NewSchema(fields, nil)
}

// SchemaHash is the hex SHA-256 of the names, types and nullability of a
// kind's columns.
func (k Kind) SchemaHash() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s %d\n", k, FormatVersion)
	for _, f := range k.Schema().Fields() {
		fmt.Fprintf(&text, "%s %s nullable=%t\n", f.Name, f.Type, f.Nullable)
	}
	sum := sha256.Sum256([]byte(text.String()))
	return hex.EncodeToString(sum[:])
}
