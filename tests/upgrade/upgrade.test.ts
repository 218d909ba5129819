import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config/load/load.ts";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import { createApp } from "../../src/daemon/app/app.ts";
import { startDaemon } from "../../src/daemon/start-daemon.ts";
import { MIGRATIONS } from "../../src/store/open/migrations.ts";
import { runInProcess } from "../e2e/in-process.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { startModelServer } from "../support/model-server.ts";
import {
  HELD,
  type Held,
  holdPlace,
  OWNER,
  PLACE,
  TOKEN,
  toConfig,
  toEnvironment,
} from "./lived-in.ts";

const HOMES = join(import.meta.dir, "homes");
const NAMES = readdirSync(HOMES).map((file) => file.replace(/\.tar\.gz$/u, ""));
/** Journals of then say of no home that it wrote them: they have to be taken over one by one. */
const UNSEALED: ReadonlySet<string> = new Set(["17735873"]);
const FILES = { first: join(PLACE, "w/first.md"), third: join(PLACE, "w/third.md") };

describe.each(NAMES)("a home that %s left", (name) => {
  test("holds under this papa-yu what it held: questions, talk, changes, notes, routines, traces", async () => {
    await using _place = await unpack(name);
    await using bot = await startBotApi(TOKEN, undefined, { updateId: 2000, messageId: 100 });
    await using model = startModelServer(() => ({ kind: "text", text: "You said it." }));
    writeFileSync(join(PLACE, "home/config.toml"), toConfig(model.url, bot.url));
    {
      await using _daemon = await start();
      const { messageId, data } = readHeld();
      bot.press(OWNER, messageId, data);
      await bot.waitForText(/Applied in w: 1 change/u);
      expect(readFileSync(FILES.third, "utf8")).toBe("# third\n");
      bot.say(OWNER, "what did I say first?");
      await bot.waitForText("You said it.");
    }
    const talk = model.requests.at(-1)?.body.messages.map(({ content }) => content) ?? [];
    expect(talk).toContain(HELD.said);
    expect(talk).toContain(HELD.answered);

    expect(await papayu("undo", "-w", "w")).toContain("Undone in w");
    expect(existsSync(FILES.third)).toBe(false);
    expect(await papayu("redo", "-w", "w")).toContain("Redone in w");
    expect(await papayu("undo", "-w", "w")).toContain("Undone in w");
    if (UNSEALED.has(name)) await takeOver();
    expect(await papayu("undo", "-w", "w")).toContain("delete first.md");
    expect(existsSync(FILES.first)).toBe(false);

    expect(await papayu("tool", "recall", JSON.stringify({ query: HELD.key }))).toContain(
      HELD.note,
    );
    expect(await papayu("routine", "list")).toMatch(new RegExp(`${HELD.routine} +0 8 `, "u"));
    // first, second, the talk and third, as whatever papa-yu it was wrote them; and the talk of now.
    const traces = await papayu("trace", "list", "-w", "w");
    expect(traces.match(/LLM_APPLY_OK/gu)).toHaveLength(3);
    expect(traces.match(/LLM_CHAT_OK/gu)).toHaveLength(2);
    const id = /trace_\w+/u.exec(traces.split("\n").at(-2) ?? "")?.[0] ?? "";
    expect(await papayu("trace", "show", id, "-w", "w")).toContain(id);
    const looked = (await papayu("doctor"))
      .split("\n")
      .filter((line) => !/^(ok\b|  |$)/u.test(line));
    expect(looked).toEqual([]);
  });
});

test("state.db as it was before the newest migration is in a home, or packed by scripts/pack-home.ts", async () => {
  const shapes: number[] = [];
  for (const name of NAMES) {
    await using _place = await unpack(name);
    using database = new Database(join(PLACE, "home/state.db"), { readonly: true });
    const row = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
    shapes.push(row?.user_version ?? 0);
  }
  expect(Math.max(...shapes)).toBeGreaterThanOrEqual(MIGRATIONS.length - 1);
});

/** Lays a packed home to where it lived. */
async function unpack(name: string): Promise<AsyncDisposable> {
  const place = await holdPlace(name);
  const packed = join(HOMES, `${name}.tar.gz`);
  const { exitCode, stderr } = Bun.spawnSync(["tar", "-C", PLACE, "-xzf", packed]);
  if (exitCode === 0) return place;
  await place[Symbol.asyncDispose]();
  throw new Error(stderr.toString());
}

function readHeld(): Held {
  return JSON.parse(readFileSync(join(PLACE, "held.json"), "utf8"));
}

/** The daemon in the hour after the home was left: a question does not wait for ever. */
async function start(): Promise<AsyncDisposable> {
  const leftMs = statSync(join(PLACE, "held.json")).mtimeMs;
  const agoMs = systemClock.now() - leftMs - 60_000;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() - agoMs };
  const env = toEnvironment();
  const loaded = await loadConfig({ cwd: PLACE, env, home: env["HOME"] ?? "" });
  const app = createApp(loaded, { env, cwd: PLACE, writeLog: () => {}, clock });
  const daemon = await startDaemon(app, { configPath: undefined, cwd: PLACE });
  return {
    async [Symbol.asyncDispose]() {
      await daemon.stop();
      await app[Symbol.asyncDispose]();
    },
  };
}

async function papayu(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runInProcess(args, {
    input: "",
    cwd: PLACE,
    env: toEnvironment(),
  });
  return `${stdout}${stderr}`;
}

/** Nobody sealed it then: a person looks at what it would do, and says yes. */
async function takeOver(): Promise<void> {
  const left = await papayu("recover", "-w", "w");
  const id = /(tx_\w+):.*apply of "first"/u.exec(left)?.[1] ?? "";
  expect(await papayu("recover", "--adopt", id, "--yes", "-w", "w")).toContain(`Adopted ${id}`);
}
