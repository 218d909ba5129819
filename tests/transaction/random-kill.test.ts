import { expect, test } from "bun:test";
import { readHistory } from "../../src/transaction/journal/history.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { childProgram } from "../support/child-program.ts";
import { tellFigures } from "../support/figures.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { workspaceAt } from "./scene.ts";

const CHILD = await childProgram(new URL("./kill-child.ts", import.meta.url));

/** `npm run test:long -- kill` is the long form. */
const KILLS = Number(process.env["KILLS"] ?? 4);
const FILES = 200;

function writeScene(root: string): void {
  const files = Array.from({ length: FILES / 2 }, (_, index) => {
    return [`old/file-${index}.txt`, `${index}\r\nkeep\r\n`] as const;
  });
  writeTree(root, { ...Object.fromEntries(files), "image.bin": Buffer.from([0, 255, 13, 10]) });
}

/** From its begin on most of an apply is staging; from the journal on it changes files. */
type Step = "begun" | "journal";

/** Kills an apply so long after a step, and returns how long it lived from there. */
async function applyAndKill(root: string, from: Step, afterMs: number): Promise<number> {
  const argv = [process.execPath, CHILD, root, `${FILES}`, from];
  const child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read();
  const begunAt = performance.now();
  await Promise.race([child.exited, Bun.sleep(afterMs)]);
  child.kill("SIGKILL");
  await child.exited;
  return performance.now() - begunAt;
}

/** How long an apply takes from a step when nobody kills it, and what it does. */
async function measure(from: Step) {
  using dir = tempDir();
  writeScene(dir.path);
  const before = readTree(dir.path);
  const durationMs = await applyAndKill(dir.path, from, 60_000);
  return { from, durationMs, before, after: readTree(dir.path) };
}

test(
  `recover() makes all old or all new after ${KILLS} kills of an apply of ${FILES} files`,
  async () => {
    const [fromBegin, fromJournal] = [await measure("begun"), await measure("journal")];
    const { before, after } = fromBegin;
    const counts = { "all old, nothing begun": 0, "all old, rolled back": 0, "all new": 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      using dir = tempDir();
      writeScene(dir.path);
      const workspace = workspaceAt(dir.path);
      const { from, durationMs } = kill % 2 === 0 ? fromBegin : fromJournal;
      // Early rather than late: after its commit a process takes a while to exit.
      await applyAndKill(dir.path, from, Math.random() ** 2 * durationMs);
      const recovered = recover(workspace, { log: silentLog });
      const status = readHistory(workspace).at(-1)?.status;
      const tree = readTree(dir.path);
      expect(tree).toEqual(status === "committed" ? after : before);
      expect(recovered.map(({ looked }) => looked.status)).toEqual(
        status === "rolled_back" ? ["rolled_back"] : [],
      );
      if (status === "committed") counts["all new"]++;
      else counts[status === "rolled_back" ? "all old, rolled back" : "all old, nothing begun"]++;
    }
    tellFigures("kill", { kills: KILLS, ...counts });
  },
  Math.max(600_000, KILLS * 10_000),
);
