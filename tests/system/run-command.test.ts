import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { childEnvironment } from "../../src/system/child-environment.ts";
import { createOutputWindow } from "../../src/system/run/output-window.ts";
import { type CommandRequest, runCommand } from "../../src/system/run/run.ts";
import { runs } from "../support/long.ts";
import { cutShort, PATIENCE_MS, until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";

const DRAIN = Bun.fileURLToPath(new URL("./drain-child.ts", import.meta.url));

function run(argv: readonly string[], options: Partial<CommandRequest> = {}) {
  return runCommand({
    argv,
    cwd: "/",
    env: process.env,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    maxOutputBytes: 4096,
    ...options,
  });
}

const sh = (script: string, options?: Partial<CommandRequest>) =>
  run(["sh", "-c", script], options);

/** Waits until a process is gone, which the kernel may need a moment for. */
async function isGone(pid: number): Promise<boolean> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
    const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
    if (stat === "" || stat.includes(") Z ")) return true;
    await Bun.sleep(10);
  }
  return false;
}

describe("runCommand()", () => {
  test("gives exit code, both outputs and how long it took", async () => {
    const result = await sh("echo out; echo err >&2; exit 3");
    expect(result).toMatchObject({ exitCode: 3, timedOut: false });
    expect(result.output).toContain("out\n");
    expect(result.output).toContain("err\n");
  });

  test("lets a command open its outputs by name, and keeps the order of both", async () => {
    const lines = "echo 1; echo 2 >/dev/stderr; echo 3 >/dev/stdout; echo 4 >&2; echo 5";
    expect(await sh(lines)).toMatchObject({ exitCode: 0, output: "1\n2\n3\n4\n5\n" });
    expect((await sh("echo 1 | tee /dev/stderr")).output).toBe("1\n1\n");
  });

  test("leaves no descriptor open, however a command ends", async () => {
    const count = () => readdirSync("/proc/self/fd").length;
    await sh("echo warm");
    const before = count();
    await Promise.all([
      ...Array.from({ length: 8 }, () => sh("echo out; echo err >&2")),
      run(["no-such-program-here"]),
      sh("sleep 600 & echo left", { timeoutMs: 60_000 }),
      sh("sleep 600", { timeoutMs: 100 }),
      sh("head -c 100000 /dev/zero; exit 1"),
    ]);
    await until(
      () => count() <= before,
      () => `${count() - before} more than before`,
    );
  });

  test("reads no shell into its arguments and gives no input", async () => {
    expect((await run(["echo", "$(id)", "; rm", "*"])).output).toBe("$(id) ; rm *\n");
    expect(await run(["cat"])).toMatchObject({ exitCode: 0, output: "" });
  });

  test("says that a program is missing or cannot be started", async () => {
    using dir = tempDir();
    writeFileSync(join(dir.path, "no.sh"), "");
    const missing = await run(["no-such-program-here"]);
    expect(missing).toMatchObject({ exitCode: null, timedOut: false });
    expect(missing.output).toContain('Cannot run "no-such-program-here"');
    const locked = await run(["./no.sh"], { cwd: dir.path });
    expect(locked).toMatchObject({ exitCode: null });
    expect(locked.output).toContain('Cannot run "./no.sh"');
  });

  test("finds Bun where PATH has none", async () => {
    const result = await run(["bun", "-e", "console.log(1 + 1)"], { env: { PATH: "/nowhere" } });
    expect(result).toMatchObject({ exitCode: 0, output: "2\n" });
  });

  test("passes on no secret", async () => {
    const env = { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-1", LD_PRELOAD: "x", CI: "1" };
    const { output } = await run(["env"], { env });
    const names = output
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("=")[0]);
    expect(names.filter((name) => !/^(PATH|CI|PAPAYU_RUN|PWD|SHLVL|_)$/.test(name ?? ""))).toEqual(
      [],
    );
    expect(childEnvironment({ GITHUB_TOKEN: "t", LANG: "C" })).toEqual({ LANG: "C" });
  });

  test.each(
    `LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND IFS
    NODE_OPTIONS NODE_PATH BUN_OPTIONS PYTHONPATH PYTHONSTARTUP PERL5OPT RUBYOPT RUSTC_WRAPPER
    GIT_SSH_COMMAND GIT_CONFIG_GLOBAL GIT_DIR GIT_EXTERNAL_DIFF SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS
    AWS_SECRET_ACCESS_KEY NPM_TOKEN TELEGRAM_BOT_TOKEN DOCKER_HOST GOFLAGS CARGO_REGISTRY_TOKEN`.split(
      /\s+/,
    ),
  )("passes on no %s", (name) => {
    expect(childEnvironment({ [name]: "x" })).toEqual({});
  });

  test("kills children and grandchildren when time is up, even those that ignore SIGTERM", async () => {
    using dir = tempDir();
    const script = `trap "" TERM; (trap "" TERM; sleep 100) & echo $! > pid; sleep 100`;
    const pid = join(dir.path, "pid");
    const result = await cutShort(
      (timeoutMs) => sh(script, { cwd: dir.path, timeoutMs }),
      () => existsSync(pid),
    );
    expect(result).toMatchObject({ exitCode: null, timedOut: true });
    expect(await isGone(Number(readFileSync(pid, "utf8")))).toBe(true);
  });

  test.if(process.platform === "linux")("kills what left the process group", async () => {
    using dir = tempDir();
    const script = `setsid sh -c 'echo $$ > pid; exec sleep 100' & sleep 100`;
    const result = await cutShort(
      (timeoutMs) => sh(script, { cwd: dir.path, timeoutMs }),
      () => existsSync(join(dir.path, "pid")),
    );
    expect(result.timedOut).toBe(true);
    expect(await isGone(Number(readFileSync(join(dir.path, "pid"), "utf8")))).toBe(true);
  });

  test.if(process.platform === "linux")(
    "kills a descendant that dropped its mark and left the group",
    async () => {
      using dir = tempDir();
      const script = `env -i setsid sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 0.1; done'`;
      const result = await cutShort(
        (timeoutMs) => sh(`${script}; true`, { cwd: dir.path, timeoutMs }),
        () => existsSync(join(dir.path, "pid")),
      );
      expect(result.timedOut).toBe(true);
      expect(await isGone(Number(readFileSync(join(dir.path, "pid"), "utf8")))).toBe(true);
    },
  );

  test("ends at an abort, and never starts after one", async () => {
    using dir = tempDir();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const { signal } = controller;
    const result = await sh("sleep 100", { signal });
    expect(result).toMatchObject({ exitCode: null, timedOut: false });
    await sh("touch started", { cwd: dir.path, signal });
    expect(existsSync(join(dir.path, "started"))).toBe(false);
  });

  test("ends with the command although something it started holds the output open", async () => {
    using dir = tempDir();
    const result = await sh("sleep 100 & echo $! > pid; echo done", { cwd: dir.path });
    expect(result).toMatchObject({ exitCode: 0, output: "done\n" });
    expect(await isGone(Number(readFileSync(join(dir.path, "pid"), "utf8")))).toBe(true);
  });

  test("leaves nothing running behind a command that ended well", async () => {
    using dir = tempDir();
    const script = "sleep 100 >/dev/null 2>&1 & echo $! > pid";
    expect(await sh(script, { cwd: dir.path })).toMatchObject({ exitCode: 0 });
    expect(await isGone(Number(readFileSync(join(dir.path, "pid"), "utf8")))).toBe(true);
  });

  test("names the signal that killed a command", async () => {
    const result = await sh("kill -SEGV $$");
    expect(result.exitCode).toBeNull();
    expect(result.output).toContain("killed by SIGSEGV");
  });

  test("drains any amount of output and keeps head and tail", async () => {
    const result = await sh("echo first; yes | head -c 3000000; echo last");
    expect(result.exitCode).toBe(0);
    expect(result.output).toStartWith("first\ny\n");
    expect(result.output).toEndWith("y\nlast\n");
    expect(result.output).toMatch(/… \d+ bytes left out …/);
    expect(result.output.length).toBeLessThan(4200);
  });
});

test("runCommand() drains 400 MB at speed, in far less memory, and keeps head and tail", async () => {
  // In a process of its own: here other tests have left their garbage.
  const child = Bun.spawn([process.execPath, DRAIN], { stdout: "pipe", stderr: "inherit" });
  const { result, grownBytes } = JSON.parse(await new Response(child.stdout).text());
  expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  expect(result.output).toStartWith("first\ny\n");
  expect(result.output).toEndWith("y\nlast\n");
  // What was read is garbage at once, but when it is collected depends on the machine.
  expect(grownBytes).toBeLessThan(250_000_000);
});

describe("createOutputWindow()", () => {
  test("keeps everything up to its size, however it comes", () => {
    const window = createOutputWindow(10);
    for (const byte of Buffer.from("0123456789")) window.add(Buffer.from([byte]));
    expect(window.text()).toBe("0123456789");
  });

  test("cuts between lines, or between words, and leaves out a word that has no end", () => {
    const cutOf = (text: string, maxBytes: number) => {
      const window = createOutputWindow(maxBytes);
      window.add(Buffer.from(text));
      return window.text();
    };
    expect(cutOf("яяяяяяяяяя", 10)).toBe("\n… 20 bytes left out …\n");
    expect(cutOf("one\ntwo\nthree\nfour\nfive\n", 16)).toBe(
      "one\ntwo\n… 12 bytes left out …\nfive\n",
    );
    expect(cutOf("a b c d e f g h i j k l", 14)).toBe("a b c\n… 18 bytes left out …\n");
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkq\n".repeat(20)}-----END PRIVATE KEY-----\n`;
    expect(cutOf(`${key}after`, 120)).not.toMatch(/left out …\n[^]*MIIE/u);
  });

  test("leaves no piece of a secret that masking would not find, wherever it is cut", () => {
    const tail = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHI";
    const secrets = [`sk-proj-${tail}`, `Bearer ${tail}`, `registered-${tail}`];
    const redactor = createRedactor();
    redactor.add(`registered-${tail}`);
    const anySecret = fc.constantFrom(...secrets);
    const between = fc.constantFrom(" ", "\n", "", " ok\n", " a b ", "\n\n");
    const parts = fc.array(fc.tuple(anySecret, between), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(parts, fc.nat(200), fc.integer({ min: 100, max: 900 }), (all, pad, maxBytes) => {
        const window = createOutputWindow(maxBytes);
        const whole = ".".repeat(pad) + all.flat().join("");
        fc.pre(!redactor.redact(whole).includes(tail));
        window.add(Buffer.from(whole));
        const shown = redactor.redact(window.text());
        for (let at = 0; at + 8 <= tail.length; at++) {
          expect(shown).not.toContain(tail.slice(at, at + 8));
        }
      }),
      { numRuns: runs(300, 3000) },
    );
  });
});
