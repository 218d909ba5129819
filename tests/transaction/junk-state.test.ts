import { expect, test } from "bun:test";

const CHILD = Bun.fileURLToPath(new URL("./junk-child.ts", import.meta.url));
/** Far more than it takes, on a slow machine as well. */
const MOST_MS = 150_000;

interface Row {
  readonly file: string;
  readonly kind: string;
  readonly isOld: boolean;
  readonly isOutsideOld: boolean;
  readonly isWhole: boolean;
  readonly apply: string;
}

test(
  "a pipe, link, folder, device, second name, junk or huge file in place of any state file: nothing waits, nothing outside changes, and what refuses says where",
  async () => {
    const child = Bun.spawn([process.execPath, CHILD], {
      stdout: "pipe",
      stderr: "pipe",
      timeout: MOST_MS,
    });
    const [output, said] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    await child.exited;
    // Where it was killed for hanging, the last line says at what.
    expect({ code: child.exitCode, at: said.trimEnd().split("\n").at(-1) }).toMatchObject({
      code: 0,
    });
    const rows: readonly Row[] = JSON.parse(output);
    expect(rows.length).toBe(15 * 8);
    for (const row of rows) {
      expect(row).toMatchObject({ isOld: true, isOutsideOld: true, isWhole: true });
      expect(row.apply).toMatch(/^ok$|\.papa-yu/);
    }
    const isJournal = ({ file }: Row) =>
      /^(tx|objects)\/|^workspace\.id$|^lock\.holder$/.test(file);
    const links = rows.filter((row) => isJournal(row) && row.file.includes("/"));
    expect(links.map(({ apply }) => apply)).toEqual(links.map(() => "ok"));
  },
  MOST_MS + 10_000,
);
