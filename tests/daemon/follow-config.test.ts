import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load/load.ts";
import { rememberTrust } from "../../src/config/places/places.ts";
import { createApp } from "../../src/daemon/app/app.ts";
import { followConfig } from "../../src/daemon/follow-config.ts";
import { layState } from "../support/fresh-store.ts";
import { until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const STRICT = '[security]\nautonomy = "readonly"\n';
const OWN = '[security]\nautonomy = "full"\n';

/** A checkout with a configuration that is in force, and what follows it; the clock runs faster. */
async function follow(
  how: "found" | "trusted" | "trusted later" | "own",
  folder = "checkout/.git",
) {
  const dir = tempDir();
  const cwd = join(dir.path, "checkout");
  const path = join(cwd, "config.toml");
  const home = join(dir.path, "home");
  writeTree(dir.path, { "checkout/config.toml": STRICT, "home/.papa-yu/config.toml": OWN });
  mkdirSync(join(dir.path, folder), { recursive: true });
  const own = join(home, ".papa-yu/config.toml");
  if (how === "own") renameSync(path, own);
  const trust = () => {
    rememberTrust(
      join(home, ".papa-yu"),
      { path, real: path },
      { security: { autonomy: "readonly" } },
    );
  };
  if (how === "trusted") trust();
  const notices: string[] = [];
  const sleep = (ms: number) => Bun.sleep(ms / 30);
  const around = { cwd, env: {}, writeLog: () => {}, clock: { now: Date.now, sleep } };
  layState(join(home, ".papa-yu"));
  const app = createApp(await loadConfig({ cwd, home, env: {} }), around);
  const following = await followConfig(app, {
    tell: async (text) => void notices.push(text),
    adopted: () => {},
    settled: async () => {},
  });
  const said = async () => {
    await until(() => notices.length > 0);
    return {
      autonomy: app.current.loaded.config.security.autonomy,
      notices: notices.splice(0).join("\n"),
    };
  };
  if (how === "trusted later") {
    trust();
    await until(() => app.current.loaded.source.origin === "folder");
  }
  return {
    app,
    path,
    cwd,
    said,
    trust,
    own,
    async [Symbol.asyncDispose]() {
      await following.stop();
      await app[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

const write = (text: string | Uint8Array) => (path: string) => writeFileSync(path, text);

function replace(make: (path: string) => void) {
  return (path: string) => {
    rmSync(path);
    make(path);
  };
}

/** Whatever may become of a file, but that it is right and says something, or is gone. */
const BREAKS: Readonly<Record<string, (path: string) => void>> = {
  "gets a key at the top that is not known": write(`${STRICT}[telegramm]\n`),
  "becomes another program's": write('baseURL = "https://example.org/"\n[params]\na = 1\n'),
  "gets a key in a table that is not known": write(`${STRICT}autonomi = "full"\n`),
  "gets a value of the wrong type": write("[security]\nautonomy = 1\n"),
  "gets a value that is not allowed": write('[security]\nautonomy = "maximum"\n'),
  "names what there is not": write('[default]\nprovider = "nobody"\n'),
  "is no TOML": write("= =\n"),
  "is no text": write(new Uint8Array([0xff, 0xfe, 0])),
  "is too large": write("# padding\n".repeat(200_000)),
  "becomes a folder": replace((path) => mkdirSync(path)),
  "becomes a pipe": replace((path) => void Bun.spawnSync(["mkfifo", path])),
  "becomes a device": replace((path) => symlinkSync("/dev/zero", path)),
  "cannot be read any more": replace((path) => symlinkSync(path, path)),
  "becomes a link to nothing": replace((path) => symlinkSync("nowhere.toml", path)),
};

/** What is told of a file that is not taken. */
function keptHead(path: string, title: string): string {
  const isGone = title === "is removed" || title === "is renamed";
  const what = isGone
    ? "is gone; what it said stays in force"
    : "was saved, but the one before it stays in force";
  return `"${path}" ${what}:`;
}

/** What a person, a program or a checkout does to a file on purpose. */
const TAKES_BACK: Readonly<Record<string, (path: string) => void>> = {
  "is removed": (path) => rmSync(path),
  "is renamed": (path) => renameSync(path, `${path}.old`),
  "is emptied": (path) => truncateSync(path),
  "says nothing but comments": write("# nothing\n"),
  "leaves out its value": write("[security]\nworkspace_only = true\n"),
  "allows more than the owner's": write('[security]\nautonomy = "full"\nsandbox = "none"\n'),
};

describe("followConfig(): a found file that made the owner's stricter", () => {
  test.each(Object.entries(BREAKS))("%s: what it said holds, and that is told", async (_, act) => {
    await using world = await follow("found");
    act(world.path);
    const { autonomy, notices } = await world.said();
    expect({ autonomy, keeps: world.app.current.loaded.source.found?.stricter }).toEqual({
      autonomy: "readonly",
      keeps: ["security.autonomy"],
    });
    expect(notices).toContain(`"${world.path}" was saved, but the one before it stays in force`);
    // The owner's own is followed all the same, and a right one counts again.
    writeFileSync(world.own, `${OWN}[default]\nlanguage = "ru"\n`);
    await until(() => world.app.current.loaded.config.default.language === "ru");
    expect((await world.said()).autonomy).toBe("readonly");
    rmSync(world.path, { recursive: true });
    writeFileSync(world.path, '[security]\nautonomy = "supervised"\n');
    expect((await world.said()).autonomy).toBe("supervised");
  });

  test.each(Object.entries(TAKES_BACK))(
    "%s: the owner's holds, and that is told",
    async (_, act) => {
      await using world = await follow("found");
      act(world.path);
      const { autonomy, notices } = await world.said();
      expect(autonomy).toBe("full");
      expect(notices).toContain('security.autonomy = "full"');
      expect(world.app.current.loaded.config.security.sandbox).toBe("auto");
    },
  );

  test("goes with its folder: the owner's holds, and that is told", async () => {
    await using world = await follow("found");
    renameSync(world.cwd, `${world.cwd}.old`);
    expect(await world.said()).toEqual({
      autonomy: "full",
      notices: expect.stringContaining('security.autonomy = "full"'),
    });
  });
});

describe("followConfig(): the owner's file in the daemon's folder", () => {
  const GONE = Object.entries(TAKES_BACK).slice(0, 3);
  const ROWS = [...Object.entries(BREAKS), ...GONE].flatMap(([title, act]) =>
    (["own", "found"] as const).map((how) => [title, how, act] as const),
  );

  test.each(ROWS)(
    "%s, %s: what was in force stays, and that is told once",
    async (title, how, act) => {
      await using world = await follow(how);
      act(world.own);
      const { autonomy, notices } = await world.said();
      const { path } = world.app.current.loaded.source;
      expect({ autonomy, path }).toEqual({ autonomy: "readonly", path: world.own });
      expect(notices.split("stays in force")).toHaveLength(2);
      expect(notices).toContain(keptHead(world.own, title));
      rmSync(world.own, { recursive: true, force: true });
      writeFileSync(world.own, how === "own" ? STRICT : OWN);
      expect((await world.said()).notices).toContain("is valid again; nothing changed");
    },
  );

  test("is given up for nothing that is found while it is gone", async () => {
    await using world = await follow("own");
    rmSync(world.own);
    await world.said();
    writeFileSync(world.path, '[security]\nautonomy = "supervised"\n');
    expect((await world.said()).autonomy).toBe("readonly");
    writeFileSync(world.own, "# nothing\n");
    expect((await world.said()).autonomy).toBe("supervised");
  });
});

describe("followConfig(): a file in a checkout that the owner trusted", () => {
  const ALL = Object.entries({ ...BREAKS, ...TAKES_BACK });
  const ROWS = ALL.flatMap(([title, act]) =>
    (["trusted", "trusted later"] as const).map((how) => [how, title, act] as const),
  );

  test.each(ROWS)("%s, %s: what was in force stays, and that is told", async (how, title, act) => {
    await using world = await follow(how);
    act(world.path);
    const { autonomy, notices } = await world.said();
    expect({ autonomy, origin: world.app.current.loaded.source.origin }).toEqual({
      autonomy: "readonly",
      origin: "folder",
    });
    expect(notices).toContain(keptHead(world.path, title));
    rmSync(world.path, { recursive: true, force: true });
    writeFileSync(world.path, STRICT);
    expect((await world.said()).notices).toContain("is valid again; nothing changed");
  });

  test.each(["trusted", "trusted later"] as const)(
    "%s, with its record gone: what was in force stays",
    async (how) => {
      await using world = await follow(how);
      rmSync(join(world.app.current.loaded.home, "trusted"), { recursive: true });
      for (const text of [undefined, `${STRICT}[telegramm]\n`, "= =\n", "# nothing\n"]) {
        if (text !== undefined) writeFileSync(world.path, text);
        expect(await world.said()).toMatchObject({ autonomy: "readonly" });
      }
    },
  );
});

test("followConfig(): a file of the owner's own folder counts as it is edited, and broken not at all", async () => {
  for (const [title, act] of Object.entries(BREAKS)) {
    await using world = await follow("trusted", "elsewhere");
    act(world.path);
    const { autonomy, notices } = await world.said();
    expect({ title, autonomy }).toEqual({ title, autonomy: "readonly" });
    expect(notices).toContain("the one before it stays in force");
  }
  await using world = await follow("trusted", "elsewhere");
  writeFileSync(world.path, "# nothing\n");
  expect((await world.said()).autonomy).toBe("supervised"); // its own defaults, not the other file
});
