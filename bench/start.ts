import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../tests/e2e/papayu.ts";
import { tempDir } from "../tests/support/temp.ts";
import { writeTree } from "../tests/support/tree.ts";

const RUNS = 9;
const OWNER = 501;
const IDLE_MS = 3000;
/** USER_HZ on every Linux that Bun runs on. */
const MS_PER_TICK = 10;

/** Cold starts to the first request on the wire, message overhead and idle cost, as medians. */
export async function benchStart(): Promise<string> {
  using dir = tempDir("papayu-bench-");
  using wire = listen();
  writeTree(join(dir.path, "w"), { "a.txt": "x\n" });
  const config = `[default]\nprovider = "m"\n[providers.m]\nbase_url = "${wire.url}/v1"\nmodel = "x"\n[telegram]\napi_root = "${wire.url}"\nallowed_user_ids = [${OWNER}]\n[[workspaces]]\nname = "w"\npath = "./w"\n`;
  const sandbox = createSandbox(dir.path, config, { TELEGRAM_BOT_TOKEN: "1:bench" });
  const main = join(import.meta.dir, "../src/main.ts");
  const start = (file: string, ...args: string[]) => spawn(sandbox.env, [file, ...args]);

  const asks = await pair(
    () => timeTo(wire, "chat", () => start(main, "ask", "hi")),
    () => timeTo(wire, "chat", () => start(join(import.meta.dir, "bare-ask.ts"), `${wire.url}/v1`)),
  );
  const daemons = await pair(
    () => timeTo(wire, "getUpdates", () => start(main, "start")),
    () =>
      timeTo(wire, "getUpdates", () =>
        start(join(import.meta.dir, "bare-daemon.ts"), wire.url, join(dir.path, "bare.db")),
      ),
  );
  const idle = await measureIdle(wire, () => start(main, "start"));
  const bare = await measureIdle(wire, () =>
    start(join(import.meta.dir, "bare-daemon.ts"), wire.url, join(dir.path, "bare.db")),
  );
  return [
    "| figure | papa-yu | bare program | ratio |",
    "|---|---:|---:|---:|",
    row('`ask "hi"`: process start → model request', asks, "ms"),
    row("`start`: process start → first long poll", daemons, "ms"),
    row("idle memory (RSS)", { own: idle.rssMb, bare: bare.rssMb }, "MB"),
    row(`CPU in ${IDLE_MS / 1000} idle seconds`, { own: idle.cpuMs, bare: bare.cpuMs }, "ms"),
    row(`wakeups in ${IDLE_MS / 1000} idle seconds`, { own: idle.wakeups, bare: bare.wakeups }, ""),
    row("SIGTERM → exit, with Telegram", { own: idle.exitMs, bare: bare.exitMs }, "ms"),
    `| update → model request | ${idle.overheadMs.toFixed(1)} ms | | |`,
    `| request body of "hi" | ${wire.chatBytes()} bytes | | |`,
  ].join("\n");
}

function row(name: string, { own, bare }: { own: number; bare: number }, unit: string): string {
  const ratio = bare > 0 ? (own / bare).toFixed(2) : "";
  return `| ${name} | ${own.toFixed(0)} ${unit} | ${bare.toFixed(0)} ${unit} | ${ratio} |`;
}

function spawn(env: Readonly<Record<string, string>>, argv: readonly string[]) {
  const command = [process.execPath, ...argv];
  return Bun.spawn(command, { env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
}

type Child = ReturnType<typeof spawn>;

/** One server that is both the model and Telegram, and notes when what arrives. */
function listen() {
  const waiting = new Map<string, (at: number) => void>();
  const updates: object[] = [];
  let wakePoll = () => {};
  let chatBytes = 0;
  const note = (name: string) => {
    waiting.get(name)?.(performance.now());
    waiting.delete(name);
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const method = new URL(request.url).pathname.split("/").at(-1) ?? "";
      if (method === "completions") {
        note("chat");
        chatBytes = Buffer.byteLength(await request.text());
        const choice = {
          index: 0,
          finish_reason: "stop",
          message: { role: "assistant", content: "hello" },
        };
        return Response.json({ id: "1", object: "chat.completion", choices: [choice] });
      }
      if (method !== "getUpdates")
        return Response.json({ ok: true, result: RESULTS[method] ?? true });
      note("getUpdates");
      if (updates.length === 0) {
        await Promise.race([
          new Promise<void>((resolve) => (wakePoll = resolve)),
          Bun.sleep(20_000),
        ]);
      }
      return Response.json({ ok: true, result: updates.splice(0) });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    chatBytes: () => chatBytes,
    arrival: (name: string) => new Promise<number>((resolve) => waiting.set(name, resolve)),
    say(text: string) {
      const from = { id: OWNER, is_bot: false, first_name: "Owner" };
      const date = Math.floor(Date.now() / 1000);
      const message = { message_id: date, date, chat: { id: OWNER, type: "private" }, from, text };
      updates.push({ update_id: Date.now(), message });
      wakePoll();
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

type Wire = ReturnType<typeof listen>;

const RESULTS: Readonly<Record<string, unknown>> = {
  getMe: { id: 1, is_bot: true, first_name: "bench", username: "bench_bot" },
  sendMessage: { message_id: 1, date: 1, chat: { id: OWNER, type: "private" }, text: "" },
};

async function timeTo(wire: Wire, name: string, start: () => Child): Promise<number> {
  const arrived = wire.arrival(name);
  const startedAt = performance.now();
  const child = start();
  const elapsedMs = (await arrived) - startedAt;
  child.kill("SIGKILL");
  await child.exited;
  return elapsedMs;
}

/** Both in turn, so that a drifting machine hits both; medians. */
async function pair(own: () => Promise<number>, bare: () => Promise<number>) {
  const samples: { readonly own: number[]; readonly bare: number[] } = { own: [], bare: [] };
  for (let i = 0; i <= RUNS; i++) {
    const [mine, theirs] = [await own(), await bare()];
    if (i === 0) continue; // the first pair warms the disk's cache
    samples.own.push(mine);
    samples.bare.push(theirs);
  }
  return { own: median(samples.own), bare: median(samples.bare) };
}

async function measureIdle(wire: Wire, start: () => Child) {
  const polling = wire.arrival("getUpdates");
  const child = start();
  await polling;
  await Bun.sleep(500);
  const before = { cpuMs: cpuMs(child.pid), wakeups: wakeups(child.pid) };
  await Bun.sleep(IDLE_MS);
  const idleCpuMs = cpuMs(child.pid) - before.cpuMs;
  const idleWakeups = wakeups(child.pid) - before.wakeups;
  const rssMb = rssBytes(child.pid) / 1024 / 1024;
  const overheads: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const arrived = Promise.race([wire.arrival("chat"), Bun.sleep(1000).then(() => Number.NaN)]);
    const saidAt = performance.now();
    wire.say(`hi ${i}`);
    overheads.push((await arrived) - saidAt);
    await Bun.sleep(100);
  }
  const toldAt = performance.now();
  child.kill("SIGTERM");
  await child.exited;
  const exitMs = performance.now() - toldAt;
  const overheadMs = median(overheads.slice(1));
  return { cpuMs: idleCpuMs, wakeups: idleWakeups, rssMb, overheadMs, exitMs };
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** How often a thread of the process went to sleep, and so woke up. */
function wakeups(pid: number): number {
  const counts = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function rssBytes(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1]) * 1024;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
