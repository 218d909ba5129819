import type { ImportGraph } from "./find-tests.ts";
import { applyMutant, type Mutant } from "./make-mutants.ts";
import type { Measure } from "./measure-tests.ts";
import type { ProjectCopy } from "./project-copy.ts";

/** What became of a mutant; one that only the compiler refuses never gets as far as a person. */
export type Verdict = "killed" | "hung" | "refused by types" | "SURVIVED" | "SURVIVED unreached";

/** Tests run together up to this long: a start costs as much as many small files. */
const BATCH_SECONDS = 2;

/** Puts a mutant into a copy, runs what covers its line, cheapest first, and takes it out again. */
export async function evaluateMutant(
  mutant: Mutant,
  copy: ProjectCopy,
  graph: ImportGraph,
  measure: (test: string) => Promise<Measure>,
): Promise<Verdict> {
  const source = copy.read(mutant.path);
  copy.write(mutant.path, applyMutant(source, mutant));
  try {
    const { own, near, others } = graph.findTests(mutant.path);
    let isTyped = false;
    for (const tests of [own, near, others]) {
      for (const batch of toBatches(await covering(mutant, tests, graph, measure))) {
        const cleanSeconds = batch.reduce((sum, { seconds }) => sum + seconds, 0);
        const run = await copy.runTests(
          batch.map(({ test }) => test),
          30 + 5 * cleanSeconds,
        );
        if (run.end !== "passed") return run.end === "hung" ? "hung" : "killed";
        // Once the cheapest have passed: the others together cost more than the compiler.
        if (!isTyped && !(await copy.typesPass())) return "refused by types";
        isTyped = true;
      }
    }
    if (isTyped) return "SURVIVED";
    return (await copy.typesPass()) ? "SURVIVED unreached" : "refused by types";
  } finally {
    copy.write(mutant.path, source);
  }
}

interface Timed {
  readonly test: string;
  readonly seconds: number;
}

async function covering(
  { path, line }: Mutant,
  tests: readonly string[],
  graph: ImportGraph,
  measure: (test: string) => Promise<Measure>,
): Promise<Timed[]> {
  const found: Timed[] = [];
  for (const test of tests) {
    const { isUsable, seconds, missed } = await measure(test);
    const here = missed[path];
    const isCovered = here !== undefined && !here.includes(line);
    if (isUsable && (isCovered || graph.reachesByChild(test, path))) found.push({ test, seconds });
  }
  return found.toSorted((one, other) => one.seconds - other.seconds);
}

function toBatches(tests: readonly Timed[]): Timed[][] {
  const batches: Timed[][] = [];
  let seconds = 0;
  for (const timed of tests) {
    const last = batches.at(-1);
    seconds += timed.seconds;
    if (last && seconds <= BATCH_SECONDS) last.push(timed);
    else {
      batches.push([timed]);
      seconds = timed.seconds;
    }
  }
  return batches;
}
