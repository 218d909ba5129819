/**
 * Loaded before the daemon: every function of `src/` says that it is entered before its first
 * statement runs. The first SIGUSR2 forgets what was entered until then, the next one writes the
 * files of the rest, in the order of their first entry; each says so on stderr.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

const SRC = join(import.meta.dir, "../../src");
const log = process.env["ENTRIES_LOG"] ?? "";
const entered = new Set<string>();
let isRecording = false;

Object.defineProperty(globalThis, "enterFile", { value: (file: string) => void entered.add(file) });

process.on("SIGUSR2", () => {
  if (isRecording) writeFileSync(log, [...entered].join("\n"));
  entered.clear();
  isRecording = !isRecording;
  process.stderr.write(isRecording ? "ENTRIES_BEGIN\n" : "ENTRIES_END\n");
});

Bun.plugin({
  name: "record-entries",
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/u }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const isOurs = path.startsWith(`${SRC}/`);
      return { contents: isOurs ? addEntries(path, source) : source, loader: "ts" };
    });
  },
});

/** The same program, whose functions call `enterFile` first. */
function addEntries(path: string, source: string): string {
  const call = `enterFile(${JSON.stringify(relative(SRC, path))})`;
  const inserts: { readonly at: number; readonly text: string }[] = [];
  const intoBlock = (body: { readonly start: number } | null) => {
    if (body) inserts.push({ at: body.start + 1, text: `${call};` });
  };
  new Visitor({
    FunctionDeclaration: ({ body }) => intoBlock(body),
    FunctionExpression: ({ body }) => intoBlock(body),
    ArrowFunctionExpression({ body }) {
      if (body.type === "BlockStatement") return intoBlock(body);
      inserts.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ")" });
    },
  }).visit(parseSync(path, source).program);
  let text = "";
  let done = 0;
  for (const insert of inserts.toSorted((one, other) => one.at - other.at)) {
    text += source.slice(done, insert.at) + insert.text;
    done = insert.at;
  }
  return text + source.slice(done);
}
