// Which database does each key of vectors.json have by Vitess itself? Its own vindexes map keys, its own key ranges
// find the shard. Reads the files of the folder that it is given, and prints a line for each vector.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"vitess.io/vitess/go/json2"
	"vitess.io/vitess/go/sqltypes"
	"vitess.io/vitess/go/vt/key"
	vschemapb "vitess.io/vitess/go/vt/proto/vschema"
	"vitess.io/vitess/go/vt/sqlparser"
	"vitess.io/vitess/go/vt/vtgate/vindexes"
)

type vector struct {
	Table string
	Name  string
	Key   map[string]*struct{ Integer string }
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(name string) []byte {
	text, err := os.ReadFile(filepath.Join(os.Args[1], name))
	must(err)
	return text
}

func main() {
	var keyspace vschemapb.Keyspace
	must(json2.UnmarshalPB(read("vschema.json"), &keyspace))
	parser, err := sqlparser.New(sqlparser.Options{})
	must(err)
	schema, err := vindexes.BuildKeyspaceSchema(&keyspace, "shop", parser)
	must(err)
	var shards map[string]string
	must(json.Unmarshal(read("shards.json"), &shards))
	var given struct{ Vectors []vector }
	must(json.Unmarshal(read("vectors.json"), &given))
	for _, one := range given.Vectors {
		column := schema.Tables[one.Name].ColumnVindexes[0]
		value, err := sqltypes.NewValue(sqltypes.Uint64, []byte(one.Key[column.Columns[0].String()].Integer))
		must(err)
		found, err := column.Vindex.(vindexes.SingleColumn).Map(context.Background(), nil, []sqltypes.Value{value})
		must(err)
		place := found[0].(key.DestinationKeyspaceID)
		for database, shard := range shards {
			ranges, err := key.ParseShardingSpec(shard)
			must(err)
			if key.KeyRangeContains(ranges[0], place) {
				fmt.Println(database)
			}
		}
	}
	for name, table := range schema.Tables {
		for database, shard := range shards {
			ranges, err := key.ParseShardingSpec(shard)
			must(err)
			if table.Pinned != nil && key.KeyRangeContains(ranges[0], table.Pinned) {
				fmt.Println(name, database)
			}
		}
		if table.Type == vindexes.TypeReference {
			fmt.Println(name, "everywhere")
		}
	}
}
