import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pagerOf } from "../../../src/cli/screen/pager.ts";
import { createSandbox, openTerminal, type Sandbox } from "../../e2e/papayu.ts";
import { papayuProgram } from "../../support/papayu-program.ts";
import { screenOf } from "../../support/screen-of.ts";
import { tempDir } from "../../support/temp.ts";
import { writeTree } from "../../support/tree.ts";

describe("pagerOf()", () => {
  const find = (name: string) =>
    ["less", "most", "delta"].includes(name) ? `/bin/${name}` : undefined;

  test.each([
    ["less where none is named", {}, ["/bin/less"]],
    ["the one that is named", { PAGER: "most" }, ["/bin/most"]],
    ["its arguments as they are", { PAGER: "delta --dark  -n" }, ["/bin/delta", "--dark", "-n"]],
    ["papa-yu's own first", { PAGER: "most", PAPAYU_PAGER: "delta" }, ["/bin/delta"]],
    ["less for one that needs a shell", { PAGER: "less; rm -rf ~" }, ["/bin/less"]],
    ["less for one with a substitution", { PAGER: "$(evil)" }, ["/bin/less"]],
    ["less for one that is not there", { PAGER: "nothere" }, ["/bin/less"]],
    ["none for cat", { PAGER: "cat" }, undefined],
    ["none for an empty one", { PAPAYU_PAGER: "" }, undefined],
  ])("gives %s", (_, env, argv) => {
    expect(pagerOf(env, find)).toEqual(argv);
  });

  test("gives none where there is no less either", () => {
    expect(pagerOf({ PAGER: "x" }, () => undefined)).toBeUndefined();
  });
});

/** A change whose diff is longer than the terminal's 40 lines. */
const LONG = Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n");
const PATCH = [
  "--- /dev/null",
  "+++ b/long.txt",
  "@@ -0,0 +1,60 @@",
  ...LONG.split("\n").map((line) => `+${line}`),
  "",
].join("\n");

/** A pager that keeps what it was given and which environment it had. */
function layPager(dir: string, name = "pager"): string {
  const path = join(dir, name);
  writeFileSync(
    path,
    '#!/bin/sh\ncat >"$0.got"\necho "$LESSSECURE ${PAPAYU_KEY-none}" >"$0.env"\necho PAGED\n',
  );
  chmodSync(path, 0o755);
  return path;
}

function prepare(dir: string, env: Record<string, string>): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  writeFileSync(join(dir, "long.diff"), PATCH);
  const workspace = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
  return createSandbox(dir, workspace, { TERM: "xterm", PAPAYU_KEY: "secret", ...env });
}

/** The question, with the answers it takes. */
const QUESTION = /Apply this change\? (?:\(v: view it\) )?\[y\/N\] /;
const APPLY = ["apply", "--patch", "long.diff", "-w", "notes"];

test("apply shows a long diff in the person's pager, and the list again above the question", async () => {
  using dir = tempDir();
  using bin = tempDir();
  const pager = layPager(bin.path);
  await using terminal = prepare(dir.path, { PAGER: pager }).terminal(...APPLY);
  const shown = await terminal.waitFor(QUESTION);
  const screen = screenOf(shown, 120).filter(Boolean);
  expect(screen).toEqual([
    "PAGED",
    expect.stringMatching(/^1 change in notes/),
    "  create long.txt +60 -0",
    "No checks will run.",
    "Apply this change? (v: view it) [y/N]",
  ]);
  const got = readFileSync(`${pager}.got`, "utf8");
  expect(got).toContain("1 change in notes");
  expect(got).toContain("\x1b[32m+line 59\x1b[0m\n");
  expect(readFileSync(`${pager}.env`, "utf8")).toBe("1 none\n");
  terminal.type("v\r");
  const again = await terminal.waitFor(QUESTION);
  expect(screenOf(again, 120).filter(Boolean).slice(1)).toEqual(screen);
  terminal.type("y\r");
  await terminal.waitFor(/Applied in notes/);
  expect(await terminal.exited).toBe(0);
});

test.each([
  ["is in a workspace", (dir: string) => layPager(join(dir, "notes"))],
  ["cannot be run", () => "/dev/null"],
])("apply takes no pager that %s: the whole diff is shown, and the list again", async (_, lay) => {
  using dir = tempDir();
  writeTree(join(dir.path, "notes"), { "a.txt": "x\n" });
  const pager = lay(dir.path);
  const env = { PAGER: pager, PATH: dirname(process.execPath) };
  await using terminal = prepare(dir.path, env).terminal(...APPLY);
  const shown = await terminal.waitFor(QUESTION);
  const screen = screenOf(shown, 120);
  expect(screen).not.toContain("PAGED");
  expect(screen.filter((line) => line === "+line 59")).toHaveLength(1);
  expect(screen.filter((line) => line.startsWith("  create long.txt"))).toHaveLength(2);
  terminal.type("n\r");
  expect(await terminal.exited).toBe(1);
});

test("a plain terminal gets the whole diff once, as a pipe does, and no pager", async () => {
  using dir = tempDir();
  using bin = tempDir();
  const env = { PAGER: layPager(bin.path), PAPAYU_PLAIN: "1" };
  await using terminal = prepare(dir.path, env).terminal(...APPLY);
  const shown = await terminal.waitFor(QUESTION);
  const screen = screenOf(shown, 120);
  expect(screen).not.toContain("PAGED");
  expect(screen.filter((line) => line.startsWith("  create long.txt"))).toHaveLength(1);
  terminal.type("n\r");
  expect(await terminal.exited).toBe(1);
});

test.each([
  ["apply", APPLY],
  ["undo --check", ["undo", "--check", "-w", "notes"]],
])("%s shows a long diff where it asks, though stdout is a file", async (name, args) => {
  using dir = tempDir();
  using bin = tempDir();
  const pager = layPager(bin.path);
  writeFileSync(pager, "#!/bin/sh\ncat >/dev/null\n[ -t 1 ] && [ -t 2 ] && echo PAGED\n");
  const sandbox = prepare(dir.path, { PAGER: pager });
  if (name !== "apply") await sandbox.run(...APPLY, "--yes");
  const script = 'exec "$@" >out.json';
  const program = [process.execPath, papayuProgram(), ...args, "--json"];
  const { env } = sandbox;
  await using terminal = openTerminal(["sh", "-c", script, "sh", ...program], {
    cwd: dir.path,
    env: { ...env },
  });
  const shown = await terminal.waitFor(/\(v: view it\) \[y\/N\] /);
  expect(shown).toContain("PAGED");
  terminal.type("n\r");
  expect(await terminal.exited).toBe(1);
  const report: unknown = JSON.parse(readFileSync(join(dir.path, "out.json"), "utf8"));
  expect(report).toMatchObject({ ok: false, error_code: "APPROVAL_REJECTED" });
});

test("apply that is stopped while the pager is open prints no diff", async () => {
  using dir = tempDir();
  using bin = tempDir();
  const pager = layPager(bin.path);
  writeFileSync(pager, "#!/bin/sh\ncat >/dev/null\necho PAGED\nexec sleep 600\n");
  await using terminal = prepare(dir.path, { PAGER: pager }).terminal(...APPLY);
  await terminal.waitFor(/PAGED/);
  terminal.kill("SIGTERM");
  expect(await terminal.exited).toBe(1);
  expect(await terminal.waitFor(/ERR_CANCELLED/)).not.toContain("line 59");
});
