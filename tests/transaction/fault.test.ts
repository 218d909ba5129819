import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { diskAdvice } from "../../src/core/app-error.ts";
import { childProgram } from "../support/child-program.ts";
import { tellFigures } from "../support/figures.ts";
import { CAN_MOUNT, UNSHARE } from "../support/mount.ts";
import { tempDir } from "../support/temp.ts";
import { WITHOUT_RIGHTS } from "../support/without-rights.ts";
import { writeCrashScene } from "./crash-scene.ts";
import type { FaultRow, FaultSample } from "./fault-child.ts";

const FAULT_CHILD = Bun.fileURLToPath(new URL("./fault-child.ts", import.meta.url));
const STEPPED_FS = Bun.fileURLToPath(new URL("./stepped-fs.ts", import.meta.url));
const MOUNTED_CHILD = await childProgram(new URL("./mounted-child.ts", import.meta.url));

/** Hundreds of applies: where there is a disk in memory, they are made there. */
const TMPDIR = existsSync("/dev/shm") ? { TMPDIR: "/dev/shm" } : {};

/** `FAULTS=all bun test tests/transaction/fault.test.ts` prints what every fault at every step did. */
const ALL = process.env["FAULTS"] === "all";
/** Else each code fails every sixth call, the next code the next: no call is left out. */
const STRIDE = 6;
const CODES = ["ENOSPC", "EDQUOT", "EACCES", "EROFS", "EMFILE", "EIO"];
const TIMEOUT_MS = ALL ? 3_600_000 : 240_000;

const FOR_GOOD = ["ENOSPC", "EROFS"];
const SAMPLES: readonly FaultSample[] = [
  ...CODES.map((code, nth) => toSample(code, false, STRIDE, 1 + nth)),
  ...FOR_GOOD.map((code) => toSample(code, true, 2 * STRIDE, 1 + CODES.indexOf(code))),
  toSample("EXDEV", false, 4, 1),
];

function toSample(code: string, forGood: boolean, stride: number, first: number): FaultSample {
  return ALL ? { code, forGood, stride: 1, first: 1 } : { code, forGood, stride, first };
}

/** All samples in one process; asked for once. */
let allRows: Promise<readonly (readonly FaultRow[])[]> | undefined;

async function readAllRows(): Promise<readonly (readonly FaultRow[])[]> {
  const argv = ["--preload", STEPPED_FS, FAULT_CHILD, JSON.stringify(SAMPLES)];
  const env = { ...process.env, ...TMPDIR };
  const child = Bun.spawn([process.execPath, ...argv], { stdout: "pipe", stderr: "inherit", env });
  return JSON.parse(await child.stdout.text());
}

async function runFaults(code: string, forGood: boolean): Promise<readonly FaultRow[]> {
  allRows ??= readAllRows();
  const nth = SAMPLES.findIndex((each) => each.code === code && each.forGood === forGood);
  const rows = (await allRows)[nth] ?? [];
  expect(rows).not.toEqual([]);
  for (const { step, status, unsynced } of rows) {
    // A disk that refuses for good takes no last record of a journal, which stays open then.
    const isOpen = forGood && status !== "committed";
    const early = unsynced.filter((path) => !isOpen || !path.endsWith("/journal.jsonl"));
    expect({ step, early }).toEqual({ step, early: [] });
  }
  tellFigures(`${code}${forGood ? " from here on" : ""}`, { faults: rows.length });
  if (ALL) console.log(renderMatrix(`${code}${forGood ? " from here on" : " once"}`, rows));
  return rows;
}

function renderMatrix(title: string, rows: readonly FaultRow[]): string {
  const lines = rows.map(({ step, status, code, tree, recovered }) => {
    const later = tree === recovered ? "" : `, after recover ${recovered}`;
    return `${step.padEnd(48)}  ${`${status} ${code}`.padEnd(36)}  ${tree}${later}`;
  });
  return [`\n${title}`, ...lines].join("\n");
}

describe("runTransaction() on a disk that refuses", () => {
  test.each(CODES)(
    "is all old, with advice, after %s at any one call",
    async (code) => {
      const rows = await runFaults(code, false);
      expect(rows.length).toBeGreaterThan(ALL ? 90 : 15);
      for (const row of rows) {
        expect([row.status, row.tree]).toEqual(
          row.status === "committed" ? ["committed", "all new"] : [row.status, "all old"],
        );
        expect(row.recovered).toBe(row.tree);
        // A line that the disk refused spoils none that follows it.
        const told = row.status === "rejected" ? "none" : row.status;
        expect([row.step, row.told]).toEqual([row.step, told]);
        if (row.status === "committed") continue; // litter that could not be removed
        expect(row.message).toContain(diskAdvice(code) ?? "no advice");
        expect(row.message).not.toContain("/proc/");
      }
    },
    TIMEOUT_MS,
  );

  test.each(FOR_GOOD)(
    "is whole again when %s stays until recover()",
    async (code) => {
      const rows = await runFaults(code, true);
      for (const row of rows) {
        expect(row.recovered).not.toBe("neither");
        if (row.status !== "incomplete") {
          expect([row.step, row.tree]).not.toEqual([row.step, "neither"]);
          continue;
        }
        expect(row).toMatchObject({ code: "ERR_ROLLBACK_INCOMPLETE", recovered: "all old" });
        expect(row.message).toContain("run papayu recover -w /");
        if (row.tree === "all old") expect(row.message).toContain("the disk did not confirm it");
      }
    },
    TIMEOUT_MS,
  );

  test(
    "copies where a file cannot be moved: EXDEV at any one call",
    async () => {
      const rows = await runFaults("EXDEV", false);
      for (const { tree, recovered } of rows) expect(recovered).toBe(tree);
      const moves = rows.filter(({ step }) =>
        /^(link|rename) \S+ → (?!\.|SHA|journal|workspace\.id|lock)/.test(step),
      );
      expect(moves.length).toBeGreaterThan(ALL ? 7 : 0);
      expect(moves.map(({ status }) => status)).toEqual(moves.map(() => "committed"));
    },
    TIMEOUT_MS,
  );
});

/** Runs the child after shell commands that know the workspace as "$1", in the given wrapper. */
async function runIn(wrapper: readonly string[], root: string, before: string, task: string) {
  const script = `${before}\nexec "$2" "$3" "$1" "$4"`;
  const shell = ["sh", "-ec", script, "sh", root, process.execPath, MOUNTED_CHILD, task];
  const child = Bun.spawn([...wrapper, ...shell], { stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(errors).toBe("");
  return JSON.parse(output);
}

describe("runTransaction() within limits of the process", () => {
  test("EFBIG: is all old, and names the limit", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const limit = "trap '' XFSZ; ulimit -f 1200"; // blocks: the new file is longer, state.db is not
    expect(await runIn([], dir.path, limit, "apply a large file")).toMatchObject({
      status: "rejected",
      tree: "all old",
      message: expect.stringContaining("ulimit -f"),
    });
  });

  test("EMFILE: is all old, and names the limit", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const result = await runIn([], dir.path, "ulimit -n 16", "apply");
    expect(result).toMatchObject({ ok: false, tree: "all old" });
    expect(result.message).toContain("ulimit -n");
  });

  test("EACCES: is all old, and names the folder's file", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const result = await runIn(WITHOUT_RIGHTS, dir.path, 'chmod 555 "$1/text"', "apply");
    expect(result).toMatchObject({ status: "rolled_back", code: "APPLY_FAILED_ROLLED_BACK" });
    expect(result.message).toMatch(
      /^Cannot update "text\/crlf.txt": EACCES: .* permissions; every/,
    );
    Bun.spawnSync(["chmod", "755", `${dir.path}/text`]);
  });
});

/** Mounts of a namespace go with it; where none can be made, the faults above stand for these. */

describe.if(CAN_MOUNT)("runTransaction() on real disks", () => {
  test("ENOSPC: is whole with any number of free pages, and says what to do", async () => {
    using dir = tempDir();
    const mount = 'mount -t tmpfs -o size=1m none "$1"';
    const rows = await runIn(UNSHARE, dir.path, mount, "fill the disk");
    expect(rows.length).toBeGreaterThan(8);
    expect(rows.at(-1)).toMatchObject({ status: "committed", tree: "changed" });
    for (const row of rows.slice(0, -1)) {
      expect(row).toMatchObject({ tree: "all old", recovered: "all old" });
      expect(row.message).toMatch(/free some space/);
    }
    if (ALL)
      console.log(Bun.inspect.table(rows, ["freePages", "status", "code", "tree", "recovered"]));
  });

  test("SQLITE_FULL: is ERR_STORE, and the database stays whole", async () => {
    using dir = tempDir();
    const mount = 'mount -t tmpfs -o size=1m none "$1"';
    expect(await runIn(UNSHARE, dir.path, mount, "fill the database")).toMatchObject({
      code: "ERR_STORE",
      message: expect.stringContaining("free some space"),
      integrity: { integrity_check: "ok" },
    });
  });

  test("EROFS: a read-only folder half-way takes all back", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const mount = 'mount --bind "$1/text" "$1/text"; mount -o remount,ro,bind "$1/text"';
    const result = await runIn(UNSHARE, dir.path, mount, "apply");
    expect(result).toMatchObject({ status: "rolled_back", tree: "all old" });
    expect(result.message).toMatch(/"text\/crlf.txt": EROFS: .*; make the disk writable; every/);
  });

  test("EROFS: a read-only workspace is not touched", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const mount = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"';
    const result = await runIn(UNSHARE, dir.path, mount, "apply");
    expect(result).toMatchObject({ status: "rejected", code: "ERR_IO", tree: "all old" });
    expect(result.message).toContain("make the disk writable");
  });

  test("EXDEV: .papa-yu on another disk goes there, back and undone", async () => {
    using dir = tempDir();
    writeCrashScene(dir.path);
    const mount = 'mkdir "$1/.papa-yu"; mount -t tmpfs none "$1/.papa-yu"';
    expect(await runIn(UNSHARE, dir.path, mount, "go there and back")).toEqual({
      statuses: ["rolled_back", "committed", "undone"],
      trees: ["all old", "changed", "all old"],
      litter: [],
    });
  });
});
