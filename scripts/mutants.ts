/**
 * Do the tests notice when the code is wrong? Makes small wrongs (mutants) in the rooms that guard
 * something, each in a copy of the project, and runs the tests that cover its line.
 * `npm run mutants -- --only src/store --sample 50 --seed 7`
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { evaluateMutant, type Verdict } from "./mutants/evaluate-mutant.ts";
import { createImportGraph } from "./mutants/find-tests.ts";
import { type Mutant, makeMutants } from "./mutants/make-mutants.ts";
import { createMeasure } from "./mutants/measure-tests.ts";
import { copyProject } from "./mutants/project-copy.ts";

const ROOMS = ["transaction", "http", "security", "store", "routines", "protocol"];

const { values: asked } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    // A test file that takes longer without a mutant is left out.
    slow: { type: "string", default: "20" },
    // Mutants evaluated at once.
    parallel: { type: "string", default: "2" },
    // No mutant is begun after this.
    minutes: { type: "string", default: "60" },
  },
});

const project = join(import.meta.dir, "..");
const places = asked.only ?? ROOMS.map((room) => `src/${room}`);
const all = [...new Bun.Glob("src/**/*.ts").scanSync(project)]
  .filter((path) => places.some((place) => path === place || path.startsWith(`${place}/`)))
  .toSorted()
  .flatMap((path) => makeMutants(path, readFileSync(join(project, path), "utf8")));
const seed = Number(asked.seed);
const chosen = asked.sample === undefined ? all : sample(all, Number(asked.sample), seed);
if (chosen.length === 0) {
  console.error(`Cannot make mutants of "${places.join(" ")}": no source file is there`);
  process.exit(2);
}
console.log(`${chosen.length} of ${all.length} mutants, seed ${seed}`);

const verdicts = await evaluateAll(chosen);
report(verdicts);

async function evaluateAll(mutants: readonly Mutant[]): Promise<[Mutant, Verdict][]> {
  using clean = copyProject(project);
  // Or the compiler would refuse every mutant, whatever the tests say.
  if (!(await clean.typesPass())) throw new Error("The project does not compile as it is");
  const graph = createImportGraph(clean.root);
  const cache = join(project, "node_modules/.cache/mutants");
  const measure = createMeasure(clean, graph, cache, Number(asked.slow));
  const until = performance.now() + Number(asked.minutes) * 60_000;
  const waiting = [...mutants];
  // What is begun is ended and told, and the copies go.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (waiting.length = 0));
  const evaluated: [Mutant, Verdict][] = [];
  const work = async () => {
    using copy = copyProject(project);
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (performance.now() > until) return;
      const verdict = await evaluateMutant(next, copy, graph, measure);
      evaluated.push([next, verdict]);
      console.log(toLine(next, verdict));
    }
  };
  await Promise.all(Array.from({ length: Number(asked.parallel) }, work));
  return evaluated;
}

function toLine({ path, line, mutator, was, text }: Mutant, verdict: Verdict): string {
  const short = (code: string) => {
    const flat = code.replace(/\s+/g, " ");
    return flat.length > 90 ? `${flat.slice(0, 87)}…` : flat;
  };
  return `${verdict} ${path}:${line} ${mutator}: ${short(was)} => ${short(text)}`;
}

function report(evaluated: readonly [Mutant, Verdict][]): void {
  const rooms = Map.groupBy(evaluated, ([{ path }]) => path.split("/")[1] ?? "");
  for (const [room, of] of rooms) console.log(toFigures(room, of));
  console.log(toFigures("all", evaluated));
}

function toFigures(name: string, evaluated: readonly [Mutant, Verdict][]): string {
  const count = (wanted: Verdict) => evaluated.filter(([, verdict]) => verdict === wanted).length;
  const survived = count("SURVIVED") + count("SURVIVED unreached");
  const killed = evaluated.length - survived;
  const rest = `${count("hung")} hung, ${count("refused by types")} refused by types`;
  const percent = ((100 * killed) / evaluated.length).toFixed(1);
  return `${name.padEnd(12)} ${killed} of ${evaluated.length} killed (${rest}), ${survived} survived: ${percent} %`;
}

/** Some of a list, the same ones for the same seed. */
function sample<T>(list: readonly T[], count: number, from: number): T[] {
  const left = [...list];
  const random = createRandom(from);
  return Array.from({ length: Math.min(count, list.length) }, () => {
    return left.splice(Math.floor(random() * left.length), 1);
  }).flat();
}

/** Mulberry32: small, and the same everywhere. */
function createRandom(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
