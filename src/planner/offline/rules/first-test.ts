import type { Part } from "../../../workspace/part.ts";
import { maskCode } from "../mask-code.ts";
import type { ProjectView } from "../project-view.ts";
import { createFile, type Finding, NOTHING } from "../rule.ts";

const TEST_FILE =
  /[._-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:tests?|specs?|__tests__)\/.*\.[cm]?[jt]sx?$/;
const SOURCE = /^(?:(?:src|lib|app)\/)?[\w-]+\.(?:ts|js|mjs)$/;
const MAX_FILES = 50;

/**
 * A first test, in the project's own runner, for a project of modules without any: it imports a
 * real function from a module whose import can do nothing. Where runner or function is in doubt
 * there is no test rather than one that might fail.
 */
export async function firstTestRule(project: ProjectView): Promise<Part<Finding>> {
  const { paths, profile } = project;
  if (profile.kind !== "node" || paths.some((path) => TEST_FILE.test(path))) return NOTHING;
  const texts = await Promise.all([
    project.readText("tsconfig.json"),
    project.readText("package.json"),
  ]);
  const [tsconfig, manifest] = texts.map((file) => file?.text);
  for (const path of paths.filter((each) => SOURCE.test(each)).slice(0, MAX_FILES)) {
    const runner = chooseRunner(project, path, { tsconfig, manifest });
    const name = runner && findImportableFunction((await project.readText(path))?.text ?? "");
    if (runner === undefined || name === undefined) continue;
    const target = `${profile.testRoots[0] ?? "tests"}/${path.replace(/^.*\//, "").replace(/\.(\w+)$/, ".test.$1")}`;
    return createFile(
      project,
      target,
      renderTest(runner, name, `../${specifier(path, tsconfig)}`),
      ({ firstTest }) => firstTest(name, path),
    );
  }
  return NOTHING;
}

type Runner = "bun" | "vitest" | "node";

interface Texts {
  readonly tsconfig: string | undefined;
  readonly manifest: string | undefined;
}

const OTHER_RUNNERS = ["@playwright/test", "ava", "jasmine", "jest", "mocha", "tap", "uvu"];

function chooseRunner(project: ProjectView, path: string, texts: Texts): Runner | undefined {
  const { dependencies, packageManager } = project.profile;
  if (dependencies.includes("vitest")) return "vitest";
  if (OTHER_RUNNERS.some((name) => dependencies.includes(name))) return undefined;
  const isTyped = path.endsWith(".ts");
  if (packageManager === "bun") {
    const typesKnown = texts.tsconfig === undefined || dependencies.includes("@types/bun");
    return !isTyped || typesKnown ? "bun" : undefined;
  }
  const isModule = path.endsWith(".mjs") || /"type"\s*:\s*"module"/.test(texts.manifest ?? "");
  return isModule && !isTyped ? "node" : undefined;
}

/** As the project may write it: with ".ts" only where the compiler allows that. */
function specifier(path: string, tsconfig: string | undefined): string {
  if (tsconfig === undefined || tsconfig.includes("allowImportingTsExtensions")) return path;
  return path.replace(/\.ts$/, ".js");
}

function renderTest(runner: Runner, name: string, from: string): string {
  const title = `${name} is a function that can be imported`;
  if (runner === "node") {
    return `import assert from "node:assert/strict";
import test from "node:test";
import { ${name} } from "${from}";

test("${title}", () => {
  assert.equal(typeof ${name}, "function");
});
`;
  }
  return `import { expect, test } from "${runner === "bun" ? "bun:test" : "vitest"}";
import { ${name} } from "${from}";

test("${title}", () => {
  expect(typeof ${name}).toBe("function");
});
`;
}

/**
 * The first function that a module exports, when importing the module can do nothing: it
 * imports only types and has only functions, types and literal constants at its top.
 */
function findImportableFunction(source: string): string | undefined {
  const mask = maskCode(source);
  const topLines = mask.split(/\r?\n/).filter((line) => /^\S/.test(line));
  if (!topLines.every((line) => HARMLESS.test(line))) return undefined;
  return /^export (?:async )?function ([A-Za-z_$][\w$]*)\s*[(<]/m.exec(mask)?.[1];
}

const HARMLESS = new RegExp(
  [
    String.raw`(?:export )?(?:async )?function\b`,
    String.raw`(?:export )?(?:interface|type)\b`,
    String.raw`import type\b`,
    String.raw`(?:export )?const \w+(?:: \w+)? =[-\s\d._;]*$`,
    String.raw`[)\]}][^(]*$`,
  ]
    .map((line) => `^${line}`)
    .join("|"),
);
