import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createPairing } from "../../src/store/chats/pairing.ts";
import { openState } from "../../src/store/open/open.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { createSandbox, type Sandbox } from "../e2e/papayu.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { SEARCH_KEY, startSearchServer } from "../support/search-server.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

const WORKSPACE = '[[workspaces]]\nname = "notes"\npath = "./notes"\ncheck = false\n';
/** A check may write there in its sandbox, and it is no part of the workspace's tree. */
const BEGUN = ".papa-yu/cache/begun";

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly found: string;
  readonly mend: string;
}

function prepare(dir: string, config = WORKSPACE, env = {}): Sandbox {
  writeTree(join(dir, "notes"), { "a.txt": "x\n" });
  return createSandbox(dir, config, env);
}

/** The findings of `papayu doctor` by name, and its exit code. */
async function examine(sandbox: Sandbox, ...args: readonly string[]) {
  const { exitCode, stdout } = await sandbox.run("doctor", "--json", ...args);
  const { ok, findings }: { ok: boolean; findings: readonly Finding[] } = JSON.parse(stdout);
  return {
    exitCode,
    ok,
    findings,
    of: (name: string) => findings.find((finding) => finding.name === name),
  };
}

describe("papayu doctor", () => {
  test("finds nothing wrong on a fresh machine, and changes nothing", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const before = readTree(join(dir.path, "notes"));
    const { exitCode, ok, of } = await examine(sandbox);
    expect({ exitCode, ok }).toEqual({ exitCode: 0, ok: true });
    expect(of("configuration")).toMatchObject({ state: "ok" });
    expect(of("home")?.found).toContain("not there yet");
    expect(of("workspace notes")?.found).toContain(join(dir.path, "notes"));
    expect(of("workspace notes")?.found).toMatch(/; view: (overlay|(clone|copy|none) \(.+\))$/);
    expect(existsSync(join(sandbox.home, "views"))).toBe(false);
    expect((await sandbox.run("doctor")).stdout).toMatch(/^ok {7}configuration: /);
    expect(readTree(join(dir.path, "notes"))).toEqual(before);
    expect(existsSync(sandbox.home)).toBe(false);
  });

  test.each([
    ["ru", /\p{Script=Cyrillic}/u],
    ["zh", /\p{Script=Han}/u],
  ])("speaks %s where the configuration does, in a broken one too", async (language, script) => {
    using dir = tempDir();
    const config = `[default]\nlanguage = "${language}"\n[telegram]\nbot_token = "env:TG"\n`;
    const sandbox = prepare(dir.path, `${config}${WORKSPACE}`);
    const { findings } = await examine(sandbox);
    const said = findings.filter(({ found }) => /\s/u.test(found)); // no path and no name
    expect(said.filter(({ found }) => !script.test(found))).toEqual([]);
    expect(said.filter(({ mend }) => mend !== "" && !script.test(mend))).toEqual([]);
    const broken = prepare(join(dir.path, "broken"), `${config}mode = 7\n${WORKSPACE}`);
    const last = (await examine(broken)).findings.at(-1);
    expect(last).toMatchObject({ state: "warning", mend: expect.stringMatching(script) });
  });

  test.each(["en", "ru", "zh"])(
    "names in %s a folder that is gone, the file that has it, and what to do",
    async (language) => {
      using dir = tempDir();
      const sandbox = prepare(dir.path, `[default]\nlanguage = "${language}"\n${WORKSPACE}`);
      const path = join(dir.path, "notes");
      rmSync(path, { recursive: true });
      const { of, findings } = await examine(sandbox);
      const { state, found = "", mend } = of("workspace notes") ?? {};
      expect(state).toBe("failed");
      expect(found).toContain(path);
      for (const part of ["notes", join(dir.path, "config.toml"), "[[workspaces]]", "path"]) {
        expect(mend).toContain(part);
      }
      expect(JSON.stringify(findings)).not.toContain("did you mean");
      const elsewhere = (await examine(sandbox, "-w", join(dir.path, "none"))).findings;
      const other = elsewhere.find(({ name }) => name.startsWith("workspace "));
      expect(other?.mend).not.toContain("config.toml");
    },
  );

  test("says of each workspace what view it has, whatever the others take", async () => {
    using dir = tempDir();
    const names = ["a", "b", "c"];
    const many = Array.from({ length: 3000 }, (_, n) => [`f${n}`, ""]);
    writeTree(join(dir.path, "a"), Object.fromEntries(many));
    for (const name of names) writeTree(join(dir.path, name), { "a.txt": "x\n" });
    const config = names.map(
      (n) => `[[workspaces]]\nname = "${n}"\npath = "./${n}"\ncheck = false\n`,
    );
    const sandbox = createSandbox(dir.path, config.join(""));
    mkdirSync(sandbox.home, { recursive: true, mode: 0o700 });
    const { of } = await examine(sandbox);
    const views = names.map((name) => of(`workspace ${name}`)?.found.replace(/^.*; view: /u, ""));
    expect(new Set(views).size).toBe(1);
    expect(existsSync(join(sandbox.home, "views"))).toBe(false);
  });

  test("tells how long things are kept, what the last pass came to, and what does not fit", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path, `[retention]\nmax_mb = 7\n${WORKSPACE}`);
    const found = async () => (await examine(sandbox)).of("retention");
    expect(await found()).toMatchObject({
      state: "ok",
      found: expect.stringMatching(/messages_days 365, .*; nothing was gone over yet$/u),
    });
    const pass = { at: Date.UTC(2026, 5, 1), removed: 12, bytes: 9 * 1024 * 1024 };
    {
      using store = openState(sandbox.home);
      createSettings(store).of("retention.pass").set("", pass);
    }
    expect(await found()).toMatchObject({
      state: "ok",
      found: expect.stringMatching(
        /; 9\.0 MB were kept after the last pass of .*, 12 things went$/u,
      ),
    });
    {
      using store = openState(sandbox.home);
      createSettings(store)
        .of("retention.pass")
        .set("", { ...pass, fits: 3 });
    }
    expect(await found()).toMatchObject({
      state: "warning",
      found: expect.stringMatching(/; only 3 days of it fit$/u),
    });
    {
      using store = openState(sandbox.home);
      createSettings(store)
        .of("retention.pass")
        .set("", { ...pass, failed: "rows: why" });
    }
    expect(await found()).toMatchObject({
      state: "warning",
      found: expect.stringMatching(/; not gone over: rows: why$/u),
    });
    {
      using store = openState(sandbox.home);
      const settings = createSettings(store);
      const more = { failed: "rows: why", failedParts: 3, fits: 2, heldSince: pass.at + 1 };
      settings.of("retention.pass").set("", { ...pass, ...more });
      settings.of("retention.begun").set("", { at: pass.at + 7_200_000, removed: 41 });
    }
    expect((await found())?.found).toMatch(
      /; not gone over: rows: why, and 2 more parts; the pass of .* was cut off after 41 things; since .* the clock is more than a week ahead of that pass, .*; only 2 days of it fit$/u,
    );
    {
      using store = openState(sandbox.home);
      const settings = createSettings(store);
      settings.of("retention.begun").remove("");
      const cutOff = { at: pass.at - 1, removed: 5 };
      settings.of("retention.pass").set("", { ...pass, cutOff });
    }
    expect(await found()).toMatchObject({
      state: "ok",
      found: expect.stringMatching(
        /, 12 things went, 5 of them before the one of .* was cut off$/u,
      ),
    });
    const log = join(sandbox.home, "logs/papayu.log");
    writeTree(sandbox.home, {
      "logs/papayu.log": `${new Date(pass.at + 1).toISOString()} [trace] RETENTION_FAILED part="rows: full"\n`,
    });
    expect(await found()).toMatchObject({
      state: "warning",
      found: expect.stringMatching(/; not gone over by a pass of 2026.*: "rows: full"$/u),
    });
    rmSync(log);
    {
      using store = openState(sandbox.home);
      store.run(
        `INSERT INTO inbox (bot_id, update_id, session_id, lane, update_json, state, received_at)
         VALUES (1, 1, 's', 'turn', '{}', 'waiting', ${pass.at})`,
      );
    }
    expect(await found()).toMatchObject({
      state: "warning",
      found: expect.stringMatching(/ of 2026-06-01 .* is not over, so nothing newer goes/u),
    });
  });

  test.if(hasBubblewrap)("tries the sandbox out once for all workspaces", async () => {
    using dir = tempDir();
    const [starts, bwrap] = [join(dir.path, "starts"), join(dir.path, "bin/bwrap")];
    const count = `case "$*" in *--unshare-net*/proc/self/status*) echo 1 >>${starts} ;; esac`;
    const script = `#!/bin/sh\n${count}\nexec ${Bun.which("bwrap")} "$@"\n`;
    writeTree(dir.path, { "bin/bwrap": script, "letters/b.txt": "b\n" });
    chmodSync(bwrap, 0o755);
    const PATH = `${join(dir.path, "bin")}:${process.env["PATH"]}`;
    const sandbox = prepare(dir.path, WORKSPACE + WORKSPACE.replaceAll("notes", "letters"), {
      PATH,
    });
    const { of } = await examine(sandbox);
    expect([of("workspace notes")?.state, of("workspace letters")?.state]).toEqual(["ok", "ok"]);
    expect(readFileSync(starts, "utf8")).toBe("1\n");
  });

  test("looks at the one workspace that -w names, and says where its checks are from", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    const scripts = { test: "bun -e 0" };
    writeTree(dir.path, {
      "site/package.json": JSON.stringify({ scripts }),
      "site/bun.lock": "",
      "tool/justfile": "test:\n\ttrue\n",
    });
    const { findings } = await examine(sandbox, "-w", join(dir.path, "site"));
    const seen = findings.filter(({ name }) => name.startsWith("workspace "));
    expect(seen.map(({ name, state }) => [name, state])).toEqual([["workspace site", "ok"]]);
    expect(seen[0]?.found).toContain("checks: bun run test (package.json: test)");
    expect((await examine(sandbox, "-w", "notes")).of("workspace notes")).toBeDefined();
    const bare = createSandbox(dir.path, WORKSPACE, { PATH: join(dir.path, "nothing") });
    const tool = (await examine(bare, "-w", join(dir.path, "tool"))).of("workspace tool");
    expect(tool).toMatchObject({ state: "warning" });
    expect(tool?.found).toContain('just test (justfile: test); a check needs "just", not on PATH');
    expect((await examine(sandbox, "-w", join(dir.path, "gone"))).exitCode).toBe(1);
  });

  test("lists every problem of a broken configuration and looks at the rest", async () => {
    using dir = tempDir();
    const broken = `${WORKSPACE}[agent]\nmax_tool_iteration = 3\n[http]\nport = -1\n`;
    const sandbox = prepare(dir.path, broken);
    const ran = await sandbox.run("doctor");
    expect(ran).toMatchObject({ exitCode: 1, stderr: "" });
    expect(ran.stdout).toMatch(/failed {3}configuration: config.toml:6: agent.max_tool_iteration/);
    expect(ran.stdout).toMatch(/failed {3}configuration: config.toml:8: http.port/);
    expect(ran.stdout).toMatch(/ok {7}daemon: not running/);
    writeFileSync(join(dir.path, "config.toml"), "[[[");
    expect((await examine(sandbox)).of("configuration")).toMatchObject({ state: "failed" });
  });

  test("says which key is missing and how to set it", async () => {
    using dir = tempDir();
    const provider = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "http://user:hush@x.invalid/v1"\nmodel = "big"\napi_key = "env:NOT_SET"\n`;
    const { exitCode, of } = await examine(prepare(dir.path, provider + WORKSPACE));
    expect(exitCode).toBe(1);
    expect(of("provider m")).toMatchObject({
      state: "failed",
      found: "big at x.invalid",
      mend: expect.stringContaining("NOT_SET"),
    });
  });

  test("knows research: off, auto-use alone, no key, a wrong one, nobody there, in order", async () => {
    using dir = tempDir();
    await using web = startSearchServer({ results: [] });
    const research = (lines: string) => `[online_research]\n${lines}\n${WORKSPACE}`;
    const on = `enabled = true\nbase_url = "${web.url}"\n`;
    const rows = [
      ["", {}, "ok", /^off$/u],
      ["auto_use_as_context = true", {}, "warning", /auto_use_as_context is on: it does nothing/u],
      [on, {}, "failed", /^tavily: no key$/u],
      [on, { PAPAYU_TAVILY_API_KEY: "wrong-key" }, "failed", /status 401/u],
      [on, { PAPAYU_TAVILY_API_KEY: SEARCH_KEY }, "ok", /^tavily answers$/u],
      [`${on}search = "searxng"`, {}, "ok", /^searxng answers$/u],
      [`enabled = true\nsearch = "searxng"`, {}, "failed", /needs online_research\.base_url/u],
      [
        `enabled = true\nsearch = "searxng"\nbase_url = "http://127.0.0.1:9"`,
        {},
        "failed",
        /Cannot fetch "http:\/\/127\.0\.0\.1:9\//u,
      ],
      [`${on}search = "searxng"\nauto_use_as_context = true`, {}, "ok", /used at once$/u],
    ] as const;
    for (const [lines, env, state, found] of rows) {
      const { findings } = await examine(prepare(dir.path, research(lines), env));
      const [first, ...more] = findings.filter(({ name }) => name === "research");
      expect(first?.found).toMatch(found);
      expect(first?.state).toBe(state);
      // Where it is asked, it is said as well that the built-in rules read nothing.
      expect(more).toHaveLength(/^off|no key$/u.test(first?.found ?? "") ? 0 : 1);
    }
  });

  test("knows a Telegram that is off, half on, and on for nobody", async () => {
    using dir = tempDir();
    const telegram = async (toml: string, env = {}) =>
      (await examine(prepare(dir.path, `[telegram]\n${toml}\n${WORKSPACE}`, env))).of("telegram");
    expect(await telegram("")).toMatchObject({ state: "ok", found: "off" });
    for (const half of ["allowed_user_ids = [5]", 'bot_token = "env:NO_SUCH_TOKEN"'])
      expect(await telegram(half)).toMatchObject({ state: "failed" });
    const env = { TELEGRAM_BOT_TOKEN: "1:secret-token" };
    expect(await telegram("", env)).toMatchObject({ state: "warning", found: "on for nobody yet" });
    const on = await telegram("allowed_user_ids = [5]", env);
    expect(on).toMatchObject({ state: "ok", found: "on for 1 user" });
    expect(JSON.stringify(on)).not.toContain("secret-token");
  });

  test("names a routine whose webhook nobody can call, for its secret is not there", async () => {
    using dir = tempDir();
    const job = (name: string, more: string) =>
      `[[routines.jobs]]\nname = "${name}"\nschedule = "0 8 * * *"\nmode = "ask"\ntask = "x"\n${more}\n`;
    const jobs = ["none", "unset", "set"].map((name) =>
      job(name, name === "none" ? "" : `trigger_secret = "env:HOOK_${name}"`),
    );
    const sandbox = prepare(dir.path, `${WORKSPACE}\n${jobs.join("")}`, { HOOK_set: "s3cret" });
    const { findings } = await examine(sandbox);
    expect(findings.filter(({ name }) => name.startsWith("routine "))).toEqual([
      {
        name: "routine unset",
        state: "warning",
        found: "trigger_secret",
        mend: expect.stringContaining("HOOK_unset"),
      },
    ]);
  });

  test("counts those whom a code let in among the users of Telegram", async () => {
    using dir = tempDir();
    const env = { TELEGRAM_BOT_TOKEN: "1:secret-token" };
    const sandbox = prepare(dir.path, `[telegram]\nallowed_user_ids = [5]\n${WORKSPACE}`, env);
    mkdirSync(sandbox.home, { recursive: true, mode: 0o700 });
    {
      using store = openState(sandbox.home);
      const pairing = createPairing(store);
      for (const id of [5, 6]) pairing.pair(pairing.ask({ id, name: "x" }, 1) ?? "", 1);
    }
    const { of } = await examine(sandbox);
    expect(of("telegram")).toMatchObject({ state: "ok", found: "on for 2 users" });
  });

  test("sees a database that is damaged and a home that others could write", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    mkdirSync(sandbox.home, { recursive: true });
    chmodSync(sandbox.home, 0o777);
    writeFileSync(join(sandbox.home, "state.db"), "damaged ".repeat(500));
    writeFileSync(join(sandbox.home, "daemon.lock"), "damaged ".repeat(500));
    const { exitCode, findings, of } = await examine(sandbox);
    expect(exitCode).toBe(1);
    expect(of("database")).toMatchObject({ state: "failed" });
    expect(of("daemon")).toMatchObject({ state: "failed", found: expect.stringContaining("lock") });
    expect(findings.map(({ found }) => found).join("\n")).toContain("could be written by others");
    expect(statSync(sandbox.home).mode & 0o777).toBe(0o700);
  });

  test("sees a missing folder, a missing program and what a crash left", async () => {
    using dir = tempDir();
    const config = `
[[workspaces]]
name = "gone"
path = "./gone"
[[workspaces]]
name = "tools"
path = "./tools"
check = [["no-such-program-anywhere"]]
[[workspaces]]
name = "crashed"
path = "./crashed"
check = [["sh", "-c", "touch ${BEGUN}; sleep 600"]]
check_when = "after"
`;
    writeTree(dir.path, { "tools/a.txt": "x\n", "crashed/a.txt": "x\n" });
    const sandbox = createSandbox(dir.path, config);
    await crashWhileApplying(sandbox);
    const { exitCode, of } = await examine(sandbox);
    expect(exitCode).toBe(1);
    expect(of("workspace gone")).toMatchObject({ state: "failed" });
    expect(of("workspace tools")?.found).toContain('"no-such-program-anywhere", not on PATH');
    expect(of("workspace crashed")).toMatchObject({
      state: "warning",
      mend: "papayu recover -w crashed",
    });
  });

  test("lists the skills, and says what is wrong with one", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    expect((await examine(sandbox)).of("skills")).toMatchObject({
      state: "ok",
      found: "release-notes",
    });
    writeTree(join(dir.path, "notes"), { ".papa-yu/skills/tidy/SKILL.md": "---\nname: [\n---\n" });
    const { exitCode, of } = await examine(sandbox);
    expect(exitCode).toBe(0);
    expect(of("skills")).toMatchObject({
      state: "warning",
      found: expect.stringContaining("tidy/SKILL.md: its front matter is no YAML"),
    });
  });

  test("says whether the daemon runs", async () => {
    using dir = tempDir();
    const sandbox = prepare(dir.path);
    await using daemon = await sandbox.start();
    expect((await examine(sandbox)).of("daemon")).toMatchObject({
      state: "ok",
      found: `runs (pid ${daemon.pid})`,
    });
  });
});

describe("papayu recover", () => {
  const config = `[[workspaces]]\nname = "crashed"\npath = "./crashed"\ncheck = [["sh", "-c", "touch ${BEGUN}; sleep 600"]]\ncheck_when = "after"\n`;

  test("rolls back what a crash left, says so, and finds nothing the second time", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "crashed"), { "a.txt": "x\n" });
    const sandbox = createSandbox(dir.path, config);
    const original = readTree(join(dir.path, "crashed"));
    await crashWhileApplying(sandbox);
    expect(readTree(join(dir.path, "crashed"))).not.toEqual(original);
    const { exitCode, stdout } = await sandbox.run("recover");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^Rolled back tx_\w+: apply of "add .*"; every file of it is as it was before\n$/,
    );
    expect(readTree(join(dir.path, "crashed"))).toEqual(original);
    expect((await sandbox.run("recover")).stdout).toContain("Nothing to recover in crashed");
    const again: unknown = await sandbox.json("recover");
    const report = { ok: true, recovered: [], adopted: [], closed: [], left_alone: [] };
    expect(again).toEqual({ exitCode: 0, report });
  });

  test("leaves a file that somebody changed since, names it and exits 1", async () => {
    using dir = tempDir();
    writeTree(join(dir.path, "crashed"), { "a.txt": "x\n" });
    const sandbox = createSandbox(dir.path, config);
    await crashWhileApplying(sandbox);
    writeFileSync(join(dir.path, "crashed/README.md"), "mine\n");
    const { exitCode, report } = await sandbox.json("recover");
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({
      ok: false,
      error_code: "ERR_RECOVERY_CONFLICT",
      recovered: [{ kind: "apply", kept: [{ path: "README.md", before_sha256: null }] }],
    });
    expect(await Bun.file(join(dir.path, "crashed/README.md")).text()).toBe("mine\n");
  });
});

/** Kills an apply in `crashed` while its check sleeps. */
async function crashWhileApplying({ dir, env }: Sandbox): Promise<void> {
  const main = papayuProgram();
  const goal = ["--goal", "add what a newcomer would miss", "-w", "crashed", "--yes"];
  const child = Bun.spawn([process.execPath, main, "apply", ...goal], {
    cwd: dir,
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  while (!(await Bun.file(join(dir, "crashed", BEGUN)).exists())) {
    if (child.exitCode !== null) throw new Error("the apply ended before its check began");
    await Bun.sleep(10);
  }
  child.kill("SIGKILL");
  await child.exited;
}
