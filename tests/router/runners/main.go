// Reads lines of a table and its key, and prints database, table and bucket of each.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"strings"

	"example/shardrouter"
)

func value(kind, digits string) any {
	octets, _ := hex.DecodeString(digits)
	switch kind {
	case "integer":
		whole, _ := new(big.Int).SetString(digits, 10)
		return whole
	case "text":
		return string(octets)
	case "bytes":
		return octets
	}
	return nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	answers := bufio.NewWriter(os.Stdout)
	defer answers.Flush()
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		key := shardrouter.Key{}
		for _, cell := range cells[1:] {
			parts := strings.Split(cell, "=")
			key[parts[0]] = value(parts[1], parts[2])
		}
		place, err := shardrouter.Route(cells[0], key)
		bucket, same := shardrouter.Bucket(cells[0], key)
		if err != nil || same != nil {
			fmt.Fprintln(answers, "refused")
		} else {
			fmt.Fprintf(answers, "%s.%s/%d\n", place.Database, place.Table, bucket)
		}
	}
}
