import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Puts a `bwrap` into a folder that runs the real one with some words of its options replaced,
 * and gives a PATH on which it is found first: a sandbox that lacks exactly that.
 */
export function weakBubblewrap(dir: string, words: Readonly<Record<string, string>>): string {
  const path = process.env["PATH"] ?? "";
  const real = Bun.which("bwrap", { PATH: path });
  if (!real) throw new Error("bubblewrap is not installed");
  const cases = Object.entries(words).map(([from, to]) => `'${from}') word='${to}' ;;`);
  const script = `#!/bin/sh
left=$#
inside=
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  [ "$word" = -- ] && inside=1
  [ -n "$inside" ] || case "$word" in ${cases.join(" ")} esac
  set -- "$@" "$word"
  left=$((left - 1))
done
exec ${real} "$@"
`;
  writeFileSync(join(dir, "bwrap"), script);
  chmodSync(join(dir, "bwrap"), 0o755);
  return `${dir}:${path}`;
}
