import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { applyActions, bunCheck, type RequestOptions, workspaceAt } from "./scene.ts";

/** Changes files of a folder in which others are mounted, "m" and the file "bound", and tells how that ended. */
const [root = ""] = process.argv.slice(2);
const FAILING = { checks: [bunCheck("process.exit(1)")] };
const OLD = "old\n";

async function run(path: string, actions: readonly Action[], options: RequestOptions = {}) {
  const workspace = workspaceAt(root);
  const place = join(root, path);
  writeFileSync(place, OLD);
  const result = await applyActions(workspace, actions, options);
  const { status } = result;
  const holds = existsSync(place) ? readFileSync(place, "utf8") : "nothing";
  const told = result.ok ? (result.notes ?? []) : result.message;
  return { status, holds, told, inFolder: readdirSync(join(root, "m")).toSorted() };
}

function updateOf(path: string): readonly Action[] {
  const lines = { start_line: 1, end_line: 1, content: "new" };
  return [{ kind: "REPLACE_RANGE", path, base_sha256: sha256(OLD), ...lines }];
}

/** Somebody has the file open, and writes into it at a step. */
async function writing(actions: readonly Action[], at: string, options: RequestOptions = {}) {
  writeFileSync(join(root, "m/f"), OLD);
  const fd = openSync(join(root, "m/f"), "r+");
  const onStep = (step: string) => {
    if (step !== at) return;
    ftruncateSync(fd, 0);
    writeSync(fd, "work\n", 0);
  };
  const ended = await run("m/f", actions, { ...options, onStep });
  closeSync(fd);
  return ended;
}

const REMOVE: readonly Action[] = [{ kind: "DELETE_FILE", path: "m/f" }];
const inFolder = (path: string): readonly Action[] => [
  { kind: "CREATE_FILE", path: `${path}/g`, content: "g\n" },
];
mkdirSync(join(root, "m/sub"));
writeFileSync(join(root, "m/sub/h"), "h\n");

process.stdout.write(
  JSON.stringify({
    update: await writing(updateOf("m/f"), "synced"),
    "update that fails": await writing(updateOf("m/f"), "synced", FAILING),
    delete: await writing(REMOVE, "synced"),
    "update, late": await writing(updateOf("m/f"), "committed"),
    "nobody writes": await run("m/f", updateOf("m/f")),
    "a new folder goes again": await run("m/f", inFolder("m/new"), FAILING),
    "a folder goes with its file": await run("m/f", [
      { kind: "DELETE_FILE", path: "m/sub/h" },
      { kind: "DELETE_DIR", path: "m/sub" },
    ]),
    bound: await run("bound", updateOf("bound")),
  }),
);
