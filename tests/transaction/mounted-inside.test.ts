import { describe, expect, test } from "bun:test";
import { childProgram } from "../support/child-program.ts";
import { CAN_MOUNT, UNSHARE } from "../support/mount.ts";
import { tempDir } from "../support/temp.ts";

const CHILD = await childProgram(new URL("./mounted-inside-child.ts", import.meta.url));

/** What the shell does before: another disk at "m", and one file that is mounted by itself. */
const MOUNT =
  'mkdir "$1/m"; mount -t tmpfs none "$1/m"; touch "$1/bound" "$1/source"; mount --bind "$1/source" "$1/bound"';

describe.if(CAN_MOUNT)("A workspace in which something is mounted", () => {
  test("loses nothing that is written into an open file, and no file stays beside", async () => {
    using dir = tempDir();
    const argv = ["sh", "-ec", `${MOUNT}\nexec "$2" "$3" "$1"`, "sh", dir.path];
    const child = Bun.spawn([...UNSHARE, ...argv, process.execPath, CHILD], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect(errors).toBe("");
    const ended = JSON.parse(output);
    const inFolder = ["f", "sub"];
    const wrote = expect.stringContaining("a program that has it open wrote into it meanwhile");
    const back = { status: "conflict", holds: "work\n", inFolder };
    expect(ended).toMatchObject({
      update: { ...back, told: wrote },
      "update that fails": back,
      delete: { ...back, told: wrote },
    });
    const { inFolder: kept, ...late } = ended["update, late"];
    expect(late).toEqual({
      status: "committed",
      holds: "new\n",
      told: [{ kind: "written late", facts: { path: "m/f", at: `m/${kept[0]}` } }],
    });
    expect(kept).toEqual([expect.stringMatching(/^\.papa-yu-tx_\w+-0\.kept$/u), ...inFolder]);
    expect(ended).toMatchObject({
      "nobody writes": { status: "committed", holds: "new\n", told: [], inFolder: kept },
      "a new folder goes again": { status: "rolled_back", inFolder: kept },
      "a folder goes with its file": { status: "committed", inFolder: [kept[0], "f"] },
      bound: { status: "rolled_back", holds: "old\n" },
    });
    expect(ended.bound.told).toStartWith(
      'Cannot update "bound": it is a mount point, whose place nothing else can take; change what is mounted there, or unmount it first',
    );
  });
});
