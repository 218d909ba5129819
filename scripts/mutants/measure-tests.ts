import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImportGraph } from "./find-tests.ts";
import type { ProjectCopy } from "./project-copy.ts";

/** What one run of a test file without any mutant showed. */
export interface Measure {
  /** A file that fails or takes too long by itself says nothing of a mutant. */
  readonly isUsable: boolean;
  readonly seconds: number;
  /** By source file: the lines that were read and did not run. */
  readonly missed: Readonly<Record<string, readonly number[]>>;
}

/** Runs test files once with coverage; what was measured is kept until a file below changes. */
export function createMeasure(
  copy: ProjectCopy,
  graph: ImportGraph,
  cache: string,
  slowSeconds: number,
): (test: string) => Promise<Measure> {
  mkdirSync(cache, { recursive: true });
  const running = new Map<string, Promise<Measure>>();
  return (test) => {
    const known = running.get(test) ?? measure(test, copy, graph, cache, slowSeconds);
    running.set(test, known);
    return known;
  };
}

async function measure(
  test: string,
  copy: ProjectCopy,
  graph: ImportGraph,
  cache: string,
  slowSeconds: number,
): Promise<Measure> {
  const hash = createHash("sha256").update(`${slowSeconds} `);
  for (const file of [...graph.reach(test)].toSorted()) hash.update(file).update(copy.read(file));
  const kept = join(cache, `${hash.digest("hex")}.json`);
  const known: Measure | undefined = existsSync(kept)
    ? JSON.parse(readFileSync(kept, "utf8"))
    : undefined;
  if (known) return known;
  const folder = mkdtempSync(join(tmpdir(), "mut-cover-"));
  try {
    const options = ["--coverage", "--coverage-reporter=lcov", `--coverage-dir=${folder}`];
    let run = await copy.runTests([test], slowSeconds, options);
    // Once more: a machine under load fails a test now and then.
    if (run.end === "failed") run = await copy.runTests([test], slowSeconds, options);
    const lcov = join(folder, "lcov.info");
    const isUsable = run.end === "passed";
    // None is there where all the work was done by another process.
    const missed = existsSync(lcov) ? readMissed(readFileSync(lcov, "utf8")) : {};
    if (!isUsable)
      console.log(`left out ${test}: without a mutant it ${run.end} (${slowSeconds} s)`);
    const result = { isUsable, seconds: run.seconds, missed };
    if (isUsable) writeFileSync(kept, JSON.stringify(result));
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readMissed(lcov: string): Record<string, number[]> {
  const missed: Record<string, number[]> = {};
  for (const part of lcov.split("end_of_record")) {
    const path = /^SF:(src\/.*)$/m.exec(part)?.[1];
    if (path === undefined) continue;
    missed[path] = [...part.matchAll(/^DA:(\d+),0$/gm)].map(([, line]) => Number(line));
  }
  return missed;
}
