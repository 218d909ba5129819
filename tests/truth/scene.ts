import { expect } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { type BotApiServer, startBotApi } from "../support/bot-api-server.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";

/** Who talks to the bot. */
export const OWNER = 501;
const PRELOAD = Bun.fileURLToPath(import.meta.resolve("./stop-preload.ts"));

/**
 * `TRUTH_STOPS=40 bun test tests/truth` ends each act that often by each signal; `TRUTH_SEED` does
 * again what a run before did that printed it.
 */
export const STOPS = Number(process.env["TRUTH_STOPS"] ?? 1);

/** Ends right behind the commit, where nobody is told yet, and elsewhere by chance. */
export function pickPlaces(what: string): readonly (number | "commit")[] {
  return ["commit", ...Array.from({ length: STOPS }, (_, nth) => pickStep(`${what} ${nth}`))];
}
export const SEED = process.env["TRUTH_SEED"] ?? `${Date.now() % 100_000}`;

/** More writes than any act makes: what is not reached ends behind the act. */
const MOST_STEPS = 80;

/** After which write to end. */
function pickStep(what: string): number {
  return 1 + (Number.parseInt(sha256(`${SEED} ${what}`).slice(0, 8), 16) % MOST_STEPS);
}

/** Something that a person asks for, in the middle of which papa-yu ends. */
export interface Act {
  readonly autonomy: "supervised" | "full";
  /** The workspace's checks, as the configuration writes them; none. */
  readonly check?: string;
  /** What leads up to it. */
  readonly before?: (bot: BotApiServer) => Promise<unknown>;
  readonly act: (bot: BotApiServer) => Promise<unknown> | number;
  /** What the person reads in the end. */
  readonly said: RegExp;
  /** A routine of the folder. */
  readonly job?: string;
  /** The transactions that are committed in the end, by kind. */
  readonly committed: readonly string[];
  /** What is in the folder in the end, beside a.txt. */
  readonly files: readonly string[] | RegExp;
}

const plan = async (bot: BotApiServer) => {
  bot.say(OWNER, "plan: write b.txt");
  await bot.waitForText("1. Write b.txt");
};
const ask = async (bot: BotApiServer) => {
  await plan(bot);
  await bot.tap(OWNER, "Apply");
  await waitForButton(bot, "Approve");
};
const apply = async (bot: BotApiServer) => {
  await ask(bot);
  await bot.tap(OWNER, "Approve");
  await waitForButton(bot, "Undo");
};
const undo = async (bot: BotApiServer) => {
  await apply(bot);
  await bot.tap(OWNER, "Undo");
  await bot.waitForText(/Undone in/);
};

function waitForButton(bot: BotApiServer, label: string) {
  const has = () => bot.sent(OWNER).some(({ buttons }) => buttons.some((it) => it.label === label));
  return bot.waitFor(has);
}

const APPLIED = /Applied in notes: 1 change/;
const applied = { said: APPLIED, committed: ["apply"], files: ["b.txt"] } as const;

/** Every way to a change, and one that runs a program. */
export const ACTS = {
  "an approval by its button": {
    autonomy: "supervised",
    before: ask,
    act: (bot) => bot.tap(OWNER, "Approve"),
    ...applied,
  },
  "an approval by a yes": {
    autonomy: "supervised",
    before: ask,
    act: (bot) => bot.say(OWNER, "yes"),
    ...applied,
  },
  "an apply by its button": {
    autonomy: "full",
    before: plan,
    act: (bot) => bot.tap(OWNER, "Apply"),
    ...applied,
  },
  "an apply in one message": {
    autonomy: "full",
    act: (bot) => bot.say(OWNER, "apply: write b.txt"),
    ...applied,
  },
  "an undo by its button": {
    autonomy: "supervised",
    before: apply,
    act: (bot) => bot.tap(OWNER, "Undo"),
    said: /Undone in notes: 1 change/,
    committed: ["apply", "undo"],
    files: [],
  },
  "an undo by a word": {
    autonomy: "supervised",
    before: apply,
    act: (bot) => bot.say(OWNER, "/undo"),
    said: /Undone in notes: 1 change/,
    committed: ["apply", "undo"],
    files: [],
  },
  "a redo": {
    autonomy: "supervised",
    before: undo,
    act: (bot) => bot.say(OWNER, "/redo"),
    said: /Redone in notes: 1 change/,
    committed: ["apply", "undo", "redo"],
    files: ["b.txt"],
  },
  "a proposal of a chat": {
    autonomy: "full",
    act: (bot) => bot.say(OWNER, "please propose"),
    ...applied,
    said: /all done/,
  },
  "an approved call": {
    autonomy: "supervised",
    before: async (bot) => {
      bot.say(OWNER, "please run");
      await waitForButton(bot, "Approve");
    },
    act: (bot) => bot.tap(OWNER, "Approve"),
    said: /all done/,
    committed: [],
    files: /^(run-\w+)?$/,
  },
} as const satisfies Readonly<Record<string, Act>>;

/** A home with a bot and a model, in which `act` is to be done. */
export async function openTruth(
  act: Act,
  answer: (request: ModelRequest, n: number) => Reply = playModel,
) {
  const dir = tempDir();
  const folder = join(dir.path, "notes");
  writeTree(folder, { "a.txt": "a\n" });
  const bot = await startBotApi();
  const model = startModelServer(answer);
  const config = `
[default]
provider = "m"
language = "en"
[providers.m]
base_url = "${model.url}"
model = "x"
[security]
autonomy = "${act.autonomy}"
allowed_commands = ["mktemp", "sleep"]
sandbox = "none"
[http]
enabled = false
[telegram]
api_root = "${bot.url}"
allowed_user_ids = [${OWNER}]
[[workspaces]]
name = "notes"
path = "./notes"
check = ${act.check ?? "false"}
${act.job ?? ""}
`;
  const sandbox = createSandbox(dir.path, config, { TELEGRAM_BOT_TOKEN: bot.token });
  const files = () => Object.keys(readTree(folder)).filter((path) => path !== "a.txt");
  const arm = join(dir.path, "arm");

  /** Does the act in a daemon that ends by `signal` after so many of its writes, or after it. */
  async function stopDuring(
    signal: "SIGKILL" | "SIGTERM",
    place: number | "commit",
  ): Promise<void> {
    const at = place === "commit" ? { END_AT: "committed" } : { END_AFTER: `${place}` };
    const stop = { END_ARM: arm, END_BY: signal, ...at };
    const daemon = await sandbox.start(PRELOAD, stop);
    await act.before?.(bot);
    writeFileSync(arm, "");
    await bot.waitFor(() => !existsSync(arm));
    await act.act(bot);
    let isOver = false;
    void daemon.exited.then(() => (isOver = true));
    await bot.waitFor(() => isOver || bot.texts().some((text) => act.said.test(text)));
    daemon.kill(signal);
    await daemon.exited;
  }

  /** Does the act in a daemon that is stopped in order when it is time. */
  async function stopWhen(isTime: () => boolean): Promise<void> {
    const daemon = await sandbox.start();
    await act.before?.(bot);
    await act.act(bot);
    await bot.waitFor(isTime);
    daemon.kill("SIGTERM");
    expect(await daemon.exited).toBe(0);
  }

  /** The next start, until the person has read the end. */
  async function readOn(): Promise<void> {
    const daemon = await sandbox.host();
    await bot.waitForText(act.said).catch((error: unknown) => {
      const seen = [...bot.texts(), ...bot.popUps.map(({ text }) => text), daemon.log()];
      throw new Error(seen.join("\n"), { cause: error });
    });
    await daemon.stop();
  }

  /** The kinds of all transactions that are committed. */
  async function committed(): Promise<readonly string[]> {
    const { report } = await sandbox.json("history", "-w", "notes");
    const entries: readonly { kind: string; status: string }[] = report["entries"] ?? [];
    return entries.filter(({ status }) => status === "committed").map(({ kind }) => kind);
  }

  /** What is known after the next start has ended in order. */
  async function expectTruth(): Promise<void> {
    await readOn();
    expect((await committed()).toSorted()).toEqual([...act.committed].toSorted());
    if (act.files instanceof RegExp) expect(files().join(" ")).toMatch(act.files);
    else expect(files()).toEqual([...act.files]);
    const read = [...bot.texts(OWNER), ...bot.popUps.map(({ text }) => text)].join("\n");
    if (act.committed.length === 1) {
      expect(read).toMatch(APPLIED);
      const labels = bot.sent(OWNER).flatMap(({ buttons }) => buttons.map(({ label }) => label));
      expect(labels).toContain("Undo");
    }
    expect(read).not.toMatch(/Nothing to change|Rejected|[Cc]ancel|ERR_|_INVALID|newest|UNDO_/);
  }

  return {
    bot,
    model,
    sandbox,
    files,
    stopDuring,
    stopWhen,
    readOn,
    committed,
    expectTruth,
    async [Symbol.asyncDispose]() {
      await bot.stop();
      await model.stop();
      dir[Symbol.dispose]();
    },
  };
}

/** Plays the model of the planner and of the chat; what was said before decides what it answers. */
export function playModel({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content));
  if (said.some((text) => text.includes("GOAL: "))) {
    const isApply = said.some((text) => text.includes("Now APPLY"));
    const write = { kind: "CREATE_FILE", path: "b.txt", content: "b\n" };
    const document = { actions: isApply ? [write] : [], summary: "1. Write b.txt" };
    return { kind: "text", text: JSON.stringify(document) };
  }
  if (body.messages.some(({ role }) => role === "tool")) return { kind: "text", text: "all done" };
  const call = said.some((text) => text.includes("please run"))
    ? { name: "run_command", arguments: { argv: ["mktemp", "run-XXXXXX"] } }
    : { name: "propose_changes", arguments: { goal: "write b.txt" } };
  return { kind: "tools", calls: [call] };
}
