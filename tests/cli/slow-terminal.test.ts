import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { startModelServer } from "../support/model-server.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

/**
 * A terminal whose reader takes its time, as a slow connection does: at "hold" nothing is read for a
 * second behind the first byte, in which a question that does not wait is there. Gives the exit code.
 */
const SLOW = `import json, os, pty, select, subprocess, sys, time
steps, limit, command = json.loads(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
us, it = pty.openpty()
child = subprocess.Popen(command, stdin=it, stdout=it, stderr=it, start_new_session=True)
os.close(it)
seen = b""
def read():
  if not select.select([us], [], [], limit)[0]: sys.exit("nothing more came: " + seen[-400:].decode(errors="replace"))
  return os.read(us, 65536)
for kind, text in steps:
  if kind == "type": os.write(us, text.encode())
  elif kind == "hold":
    select.select([us], [], [], limit)
    time.sleep(1)
  else:
    while text.encode() not in seen: seen += read()
    seen = seen[seen.index(text.encode()) + len(text.encode()):]
try:
  while True: read()
except OSError: pass
print(child.wait())
`;

type Step = readonly ["type" | "wait" | "hold", string];

async function play(
  { dir: cwd, env }: Sandbox,
  args: readonly string[],
  steps: readonly Step[],
): Promise<string> {
  const order = [JSON.stringify(steps), String(PATIENCE_MS / 2000)];
  const command = ["python3", "-c", SLOW, ...order, process.execPath, papayuProgram(), ...args];
  const child = Bun.spawn(command, { cwd, env: { ...env }, stdout: "pipe", stderr: "pipe" });
  const said = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return said.join("").trim();
}

const NOTES = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
const ENV = { TERM: "xterm", PAGER: "cat" };

/** More than the kernel holds of a terminal, and more than is kept for one that takes nothing. */
const LINES = [2_000, 18_000];

describe.each(LINES)("a diff of %d lines that is still on its way to the screen", (count) => {
  const lines = Array.from({ length: count }, (_, at) => `${String(at).padEnd(60, ".")}\n`);

  test("is asked about by papayu apply behind it, and a key typed before is no answer", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "notes/a.txt": "x\n" });
    const head = `--- /dev/null\n+++ b/long.txt\n@@ -0,0 +1,${count} @@\n`;
    writeFileSync(join(dir.path, "long.diff"), head + lines.map((line) => `+${line}`).join(""));
    const sandbox = createSandbox(dir.path, NOTES, ENV);
    const ended = await play(
      sandbox,
      ["apply", "--patch", "long.diff", "-w", "notes"],
      [
        ["hold", ""],
        ["type", "y\r"],
        ["wait", "Apply this change? [y/N] "],
        ["type", "\r"],
      ],
    );
    expect(ended).toBe("1");
    expect(Object.keys(readTree(join(dir.path, "notes")))).toEqual(["a.txt"]);
  });

  test("is asked about by a chat behind it, and a key typed before is no answer", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "notes/a.txt": "x\n" });
    const actions = [{ kind: "CREATE_FILE", path: "long.txt", content: lines.join("") }];
    await using model = startModelServer([
      { kind: "text", text: JSON.stringify({ actions: [], summary: "1. A long file" }) },
      { kind: "text", text: JSON.stringify({ actions, summary: "A long file" }) },
    ]);
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${model.url}"\nmodel = "x"\n`;
    const sandbox = createSandbox(dir.path, provider + NOTES, ENV);
    await using _daemon = await sandbox.host();
    const ended = await play(
      sandbox,
      ["chat"],
      [
        ["wait", "› "],
        ["type", "plan: a long file\r"],
        ["wait", "A long file"],
        ["wait", "› "],
        ["type", "ok\r"],
        ["wait", "create long.txt"],
        ["hold", ""],
        ["type", "y\r"],
        ["wait", `+${lines.at(-1)?.trim()}`], // nothing of it is left out
        ["wait", "Apply? [y/N"],
        ["type", "\r"],
        ["wait", "Rejected"],
        ["wait", "› "],
        ["type", "\x04"],
      ],
    );
    expect(ended).toBe("0");
    expect(Object.keys(readTree(join(dir.path, "notes")))).toEqual(["a.txt"]);
  });
});

test("a terminal that tells no size gets a short diff as it is, and no pager", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "notes/a.txt": "x\n" });
  writeFileSync(join(dir.path, "fix.diff"), "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n");
  const sandbox = createSandbox(dir.path, NOTES, { TERM: "xterm", PAGER: "less" });
  const steps = [
    ["wait", "Apply this change? [y/N] "],
    ["type", "\r"],
  ] as const;
  expect(await play(sandbox, ["apply", "--patch", "fix.diff", "-w", "notes"], steps)).toBe("1");
});
