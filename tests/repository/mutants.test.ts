import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createImportGraph } from "../../scripts/mutants/find-tests.ts";
import { applyMutant, makeMutants } from "../../scripts/mutants/make-mutants.ts";
import { copyProject } from "../../scripts/mutants/project-copy.ts";

/** Each mutant of a text, as the text that it leaves. */
function leave(source: string): string[] {
  return makeMutants("a.ts", source).map((mutant) => applyMutant(source, mutant));
}

test.each([
  ["drops a statement", "a(); throw b;", ["{} throw b;", "a(); {}"]],
  ["drops and negates an if", "if (a) b;", ["{}", "if (!(a)) b;", "if (a) {}"]],
  ["takes a no from a condition", "x = !a ? b : c;", ["{}", "x = a ? b : c;"]],
  ["swaps a comparison, once", "while (a === b);", ["while (a !== b);"]],
  ["moves a bound", "const x = a < b;", ["const x = a <= b;"]],
  ["leaves texts that are put together", 'const x = "a" + b;', []],
  ["swaps && and ||", "const x = a && b;", ["const x = a || b;"]],
  ["replaces what is returned", "const f = () => true;", ["const f = () => false;"]],
  ["removes a property", "const x = { a, ...b };", ["const x = {  ...b };", "const x = { a,  };"]],
  ["leaves types, imports and super alone", 'import type { A } from "a"; type B = { a: 1 };', []],
  ["drops what is only held", "{ using _held = a; }", ["{ {} }"]],
])("makeMutants() %s", (_what, source, expected) => {
  expect(leave(source)).toEqual(expected);
});

test("makeMutants() removes clauses of SQL and keeps the places of parameters", () => {
  const [, first, second, order, limit] = leave(
    "x(`SELECT a FROM t WHERE b = ? AND c BETWEEN 1 AND 2 ORDER BY d LIMIT 1`);",
  );
  expect(first).toContain("WHERE coalesce(?, 1) IS NOT NULL AND c BETWEEN 1 AND 2 ORDER");
  expect(second).toContain("WHERE b = ? AND true ORDER BY d LIMIT 1");
  expect(order).toContain("AND 2 LIMIT 1");
  expect(limit).toContain("ORDER BY d `");
});

test("createImportGraph() finds the tests of a file, by a script that a test starts as well", () => {
  const graph = createImportGraph(join(import.meta.dir, "../.."));
  const { own, others } = graph.findTests("src/store/approvals.ts");
  expect(own).toContain("tests/store/approvals.test.ts");
  expect(others.every((file) => !file.startsWith("tests/store/"))).toBe(true);
  for (const schema of ["src/protocol/schema-v2.ts", "src/config/schema/schema-parts.ts"]) {
    expect(graph.findTests(schema).others).toContain("tests/repository/schemas.test.ts");
  }
  const [kill, run] = ["tests/transaction/random-kill.test.ts", "src/transaction/run/run.ts"];
  expect(graph.findTests(run).near).toContain(kill);
  expect(graph.reachesByChild(kill, run)).toBe(true);
});

test("copyProject() runs tests in a copy outside the project, and ends one that hangs", async () => {
  let root = "";
  {
    const paths = ["package.json", "bunfig.toml"];
    using copy = copyProject(join(import.meta.dir, "../.."), paths, 400 * 1024 ** 2);
    root = copy.root;
    expect(root).toStartWith(tmpdir());
    copy.write("tests/a.test.ts", 'import { test } from "bun:test"; test("a", () => {});');
    expect(await copy.runTests(["tests/a.test.ts"], 60)).toMatchObject({ end: "passed" });
    copy.write("tests/a.test.ts", 'throw new Error("no");');
    expect(await copy.runTests(["tests/a.test.ts"], 60)).toMatchObject({ end: "failed" });
    copy.write("tests/a.test.ts", "for (;;);");
    expect(await copy.runTests(["tests/a.test.ts"], 0.3)).toMatchObject({ end: "hung" });
    copy.write("tests/a.test.ts", "const all = []; for (;;) all.push(Buffer.alloc(1e7, 1));");
    expect(await copy.runTests(["tests/a.test.ts"], 600)).toMatchObject({ end: "hung" });
  }
  expect(await Bun.file(join(root, "package.json")).exists()).toBe(false);
});
