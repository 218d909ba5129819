import type { CheckCommand } from "../workspace.ts";
import {
  detectCmake,
  detectDotnet,
  detectGo,
  detectGradle,
  detectMaven,
  detectRust,
  detectSwift,
  detectZig,
} from "./compiled.ts";
import { detectDeno, detectNode } from "./node.ts";
import type { Detector, Project } from "./project.ts";
import { detectPython } from "./python.ts";
import { toWords } from "./read-text.ts";
import { detectElixir, detectPhp, detectRuby } from "./scripted.ts";
import {
  detectComposer,
  detectJust,
  detectMake,
  detectPreCommit,
  detectTaskfile,
  detectToxOrNox,
} from "./task-files.ts";

/** In the order in which a project is believed: what it says itself, then its languages. */
const DETECTORS: readonly Detector[] = [
  detectJust,
  detectMake,
  detectNode,
  detectTaskfile,
  detectComposer,
  detectToxOrNox,
  detectPreCommit,
  detectDeno,
  detectRust,
  detectPython,
  detectGo,
  detectMaven,
  detectGradle,
  detectDotnet,
  detectRuby,
  detectPhp,
  detectElixir,
  detectCmake,
  detectSwift,
  detectZig,
];

/** What a project is checked with. */
export interface Detection {
  readonly checks: readonly CheckCommand[];
  /** What it says itself, but nobody here can run. */
  readonly passedOver: readonly CheckCommand[];
}

/**
 * The first that tests, with what can be said before it: one that only builds or verifies does not
 * end the search. What needs a program that is not here gives way to a later one that tests.
 */
export function detectChecks(project: Project): Detection {
  const found = DETECTORS.map((detect) => detect(project)).filter(({ length }) => length > 0);
  const isPreferred = (checks: readonly CheckCommand[]) =>
    checks.some((each) => isTest(each, project));
  const ordered = [...found.filter(isPreferred), ...found.filter((checks) => !isPreferred(checks))];
  const checks: CheckCommand[] = [];
  const passedOver: CheckCommand[] = [];
  for (const [index, each] of ordered.entries()) {
    const later = ordered.slice(index + 1);
    if (!canRun(each, project) && later.some((other) => tests(other) && canRun(other, project))) {
      passedOver.push(...each);
      continue;
    }
    checks.push(...each);
    if (tests(each)) break;
  }
  return { checks, passedOver };
}

function tests(checks: readonly CheckCommand[]): boolean {
  return checks.some(({ name }) => name === "test");
}

function canRun(checks: readonly CheckCommand[], { hasProgram }: Project): boolean {
  return checks.every(({ argv: [program = ""] }) => program.includes("/") || hasProgram(program));
}

/**
 * Whether people prefer this test. A preference chooses among what the project offers and adds
 * nothing: a model may have written it down.
 */
function isTest({ name, argv }: CheckCommand, { preferredTest }: Project): boolean {
  if (name !== "test" || preferredTest === undefined) return false;
  return toPlain(toWords(preferredTest)) === toPlain(argv);
}

/** `npm test`, `npm run test` and `npm run-script test` are one, and so are ways to call pytest. */
function toPlain(argv: readonly string[]): string {
  const words = argv.filter((word) => !NOISE.has(word));
  const start = words.findIndex((word) => word === "pytest" || word === "unittest");
  return words.slice(Math.max(0, start)).join(" ");
}

const NOISE: ReadonlySet<string> = new Set(["run", "run-script", "--no-interaction", "-q"]);
