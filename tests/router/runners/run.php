<?php

// Reads lines of a table and its key, and prints database, table and bucket of each.
require __DIR__ . '/ShardRouter.php';

function value(string $kind, string $digits): mixed
{
    switch ($kind) {
        case 'integer':
            return (string) (int) $digits === $digits ? (int) $digits : $digits;
        case 'text':
        case 'bytes':
            return (string) hex2bin($digits);
    }
    return null;
}

while (($line = fgets(STDIN)) !== false) {
    $cells = explode("\t", rtrim($line, "\n"));
    $table = array_shift($cells);
    $key = [];
    foreach ($cells as $cell) {
        [$name, $kind, $digits] = explode('=', $cell);
        $key[$name] = value($kind, $digits);
    }
    try {
        echo implode('.', ShardRouter::route($table, $key)), '/', ShardRouter::bucket($table, $key), "\n";
    } catch (NoPlace) {
        echo "refused\n";
    }
}
