"""Digests against references that are not ours: the JVM's own hashCode, published vectors of MurmurHash3 and XXH64."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from shardwright.compiler.expressions.murmur3 import murmur3_32
from shardwright.compiler.expressions.xxhash64 import xxhash64
from tests.sharding.functions import function_of, grid

TEXTS = ("", "a", "hello", "\U0001f600x", "Привет", "polygenelubricants", "zzzzzzzzzzzzzzzzzzzz", "\x00a")
LONGS = (0, 1, -1, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63 - 1, -(2**63), 4711, -4711)
SHARDS = 997

_PROGRAM = """
public class Hashes {
  public static void main(String[] a) throws Exception {
    for (String line : new String(System.in.readAllBytes(), "US-ASCII").split("\\n")) {
      String[] part = line.split(" ", -1);
      Object value;
      switch (part[0]) {
        case "S":
          StringBuilder text = new StringBuilder();
          for (int i = 0; i + 4 <= part[1].length(); i += 4)
            text.append((char) Integer.parseInt(part[1].substring(i, i + 4), 16));
          value = text.toString();
          break;
        case "L": value = Long.valueOf(part[1]); break;
        case "I": value = Integer.valueOf(part[1]); break;
        default: value = new java.math.BigInteger(part[1]);
      }
      System.out.println(Math.abs((long) value.hashCode()) % SHARDS);
    }
  }
}
""".replace("SHARDS", str(SHARDS))


@pytest.mark.skipif(shutil.which("java") is None, reason="needs a Java runtime")
def test_hash_mod_is_what_the_jvm_computes(tmp_path: Path) -> None:
    cases: list[tuple[str, str, object, str]] = []
    cases += [("S", "order_no", text, text.encode("utf-16-be").hex()) for text in TEXTS]
    cases += [("L", "user_id", value, str(value)) for value in LONGS]
    cases += [("I", "number", value, str(value)) for value in LONGS if -(2**31) <= value < 2**31]
    cases += [("L", "filled", value, str(value)) for value in (0, 2**31, 2**32 - 1)]
    cases += [("B", "big", value, str(value)) for value in (0, 1, 2**31, 2**32, 2**63, 2**64 - 1)]
    program = tmp_path / "Hashes.java"
    program.write_text(_PROGRAM, "utf-8")
    lines = "\n".join(f"{kind} {written}" for kind, _, _, written in cases)
    done = subprocess.run(["java", str(program)], input=lines, capture_output=True, text=True, check=True, timeout=300)
    functions = {name: function_of("hash_mod", name, grid=grid(SHARDS, 1)) for _, name, _, _ in cases}
    ours = [functions[name].database.evaluate({name: value}) for _, name, value, _ in cases]
    assert ours == [int(line) for line in done.stdout.split()]


@pytest.mark.parametrize(
    ("octets", "seed", "digest"),
    [
        (b"", 0, 0x00000000),
        (b"", 1, 0x514E28B7),
        (b"", 0xFFFFFFFF, 0x81F16F39),
        (b"\xff\xff\xff\xff", 0, 0x76293B50),
        (b"!Ce\x87", 0, 0xF55B516B),
        (b"!Ce\x87", 0x5082EDEE, 0x2362F9DE),
        (b"!Ce", 0, 0x7E4A8634),
        (b"!C", 0, 0xA0F7B07A),
        (b"!", 0, 0x72661CF4),
        (b"\x00\x00\x00\x00", 0, 0x2362F9DE),
        (b"Hello, world!", 0x9747B28C, 0x24884CBA),
        ("π".encode() * 8, 0x9747B28C, 0xD58063C1),
        (b"The quick brown fox jumps over the lazy dog", 0x9747B28C, 0x2FA826CD),
    ],
)
def test_murmur3_of_published_vectors(octets: bytes, seed: int, digest: int) -> None:
    assert murmur3_32(octets, seed) == digest


@pytest.mark.parametrize(
    ("octets", "seed", "digest"),
    [
        (b"", 0, 0xEF46DB3751D8E999),
        (b"a", 0, 0xD24EC4F1A98C6E5B),
        (b"abc", 0, 0x44BC2CF5AD770999),
        (b"Nobody inspects the spammish repetition", 0, 0xFBCEA83C8A378BF1),
    ],
)
def test_xxhash64_of_published_vectors(octets: bytes, seed: int, digest: int) -> None:
    assert xxhash64(octets, seed) == digest
