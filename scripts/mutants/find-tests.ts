import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The test files that know a source file, from the likeliest to notice a wrong in it. */
export interface TestsOfFile {
  /** Of the source's own room, that import the file themselves. */
  readonly own: readonly string[];
  /** Of its room, that get to it by other files or by a script that they start. */
  readonly near: readonly string[];
  /** Of other folders, that import the file themselves, or a script of the project that reads it. */
  readonly others: readonly string[];
}

/** Who imports whom in a copy of the project; a script that is started by its name counts too. */
export interface ImportGraph {
  findTests(source: string): TestsOfFile;
  /** Every file that a run of this one reads. */
  reach(file: string): ReadonlySet<string>;
  /** Whether this file reaches the source only in another process, which no coverage sees. */
  reachesByChild(file: string, source: string): boolean;
}

/** Reads the imports of all files as they are asked for; the files do not change meanwhile. */
export function createImportGraph(root: string): ImportGraph {
  const edges = new Map<string, { imports: string[]; scripts: string[] }>();
  const reached = new Map<string, Set<string>>();
  const tests = [...new Bun.Glob("tests/**/*.test.ts").scanSync(root)].toSorted();
  const edgesOf = (file: string) => {
    const known = edges.get(file) ?? readEdges(root, file);
    edges.set(file, known);
    return known;
  };
  const reach = (file: string, follow: "imports" | "all"): Set<string> => {
    const key = `${follow} ${file}`;
    const known = reached.get(key);
    if (known) return known;
    const seen = new Set([file]);
    for (const next of seen) {
      const { imports, scripts } = edgesOf(next);
      for (const other of follow === "all" ? [...imports, ...scripts] : imports) seen.add(other);
    }
    reached.set(key, seen);
    return seen;
  };
  return {
    reach: (file) => reach(file, "all"),
    findTests(source) {
      const room = source.split("/")[1] ?? "";
      const isOwn = (test: string) => test.startsWith(`tests/${room}/`);
      const imports = (file: string) => edgesOf(file).imports.includes(source);
      // What a script makes of a schema is held by tests of the script.
      const isNear = (test: string) =>
        imports(test) ||
        edgesOf(test).imports.some(
          (name) => name.startsWith("scripts/") && reach(name, "imports").has(source),
        );
      const known = tests.filter((test) => isOwn(test) && reach(test, "all").has(source));
      return {
        own: known.filter(imports),
        near: known.filter((test) => !imports(test)),
        others: tests.filter((test) => !isOwn(test) && isNear(test)),
      };
    },
    reachesByChild(file, source) {
      return [...reach(file, "imports")]
        .flatMap((near) => edgesOf(near).scripts)
        .some((script) => reach(script, "all").has(source));
    },
  };
}

function readEdges(root: string, file: string) {
  const text = readFileSync(join(root, file), "utf8").replace(/^#!.*/, "");
  const place = (name: string) => relative(root, join(root, dirname(file), name));
  const isThere = (name: string) => !name.startsWith("..") && existsSync(join(root, name));
  const imports = new Bun.Transpiler({ loader: "ts" })
    .scanImports(text)
    .filter(({ path }) => path.startsWith("."))
    .map(({ path }) => place(path))
    .filter((name) => name.endsWith(".ts") && isThere(name));
  const named = [...text.matchAll(/["'`/]([\w./-]+\.ts)["'`]/g)].map(([, name = ""]) => name);
  const scripts = named
    .flatMap((name) => [place(name), name])
    .filter((name) => isThere(name) && !imports.includes(name));
  return { imports, scripts: [...new Set(scripts)] };
}
