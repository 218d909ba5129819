import { expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";

const SRC = join(import.meta.dir, "../../src");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Files and packages that a module loads at once, by itself or by what it imports. */
async function loadedBy(...entries: readonly string[]): Promise<ReadonlySet<string>> {
  const loaded = new Set<string>();
  const waiting = entries.map((entry) => join(SRC, entry));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const name = relative(SRC, file);
    if (loaded.has(name)) continue;
    loaded.add(name);
    if (!name.endsWith(".ts")) continue;
    for (const { kind, path } of transpiler.scanImports(
      (await Bun.file(file).text()).replace(/^#!.*/u, ""),
    )) {
      if (kind !== "import-statement") continue;
      if (path.startsWith(".")) waiting.push(join(dirname(file), path));
      else loaded.add(path);
    }
  }
  return loaded;
}

test("what every start loads has no planner, no web, no validator and no vendor's client", async () => {
  const loaded = await loadedBy("daemon/app/app.ts", "agent/conversation.ts", "main.ts");
  const heavy = [...loaded].filter((name) =>
    /^(?:planner\/(?!defer-operations)|http\/|research\/(?!join-failures)|patch\/|openai|grammy|ajv|htmlparser2|@modelcontextprotocol)|llm_response/u.test(
      name,
    ),
  );
  expect(heavy).toEqual([]);
  expect(loaded.size).toBeGreaterThan(50);
});
