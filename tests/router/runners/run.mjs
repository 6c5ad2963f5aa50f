// Reads lines of a table and its key, and prints database, table and bucket of each.
import { readFileSync } from "node:fs";
import { NoPlace, bucket, route } from "./router.mjs";

function value(kind, digits) {
  const octets = Buffer.from(digits, "hex");
  switch (kind) {
    case "integer":
      return BigInt(digits);
    case "text":
      return octets.toString("utf8");
    case "bytes":
      return new Uint8Array(octets);
  }
  return null;
}

const answers = [];
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const [table, ...cells] = line.split("\t");
  const key = {};
  for (const cell of cells) {
    const [name, kind, digits] = cell.split("=");
    key[name] = value(kind, digits);
  }
  try {
    const place = route(table, key);
    answers.push(`${place.database}.${place.table}/${bucket(table, key)}`);
  } catch (refused) {
    if (!(refused instanceof NoPlace)) {
      throw refused;
    }
    answers.push("refused");
  }
}
process.stdout.write(answers.join("\n") + "\n");
