import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { install, pack, ROOT } from "../tests/distribution/installed.ts";
import { createSandbox, phoneConfig } from "../tests/e2e/papayu.ts";
import type { BotApiServer } from "../tests/support/bot-api-server.ts";
import { writeTree } from "../tests/support/tree.ts";
import { fileOf, type Look, type PeerModel } from "./peer-model.ts";
import {
  OWNER,
  type Resident,
  type Start,
  startAppServer,
  startBot,
  startRpc,
} from "./peer-residents.ts";

/** An agent that is measured. */
export interface PeerProgram {
  /** With its version and how it came here. */
  readonly name: string;
  readonly version: Start;
  /** One prompt and its answer. */
  ask(prompt: string): Start;
  readonly look: Look;
  /** What of it stays and answers. */
  readonly resident: () => Promise<Resident>;
}

/** Where everything is, and who answers. */
export interface PeerWorld {
  readonly dir: string;
  readonly model: PeerModel;
  readonly bot: BotApiServer;
  /** How many files lie in each workspace. */
  readonly files: number;
}

/** The packages that `docs/performance.md` measured, as npm takes them. */
export const PEER_PACKAGES = [
  "@openai/codex@0.171.0",
  "@earendil-works/pi-coding-agent@1.6.0",
  "node@24.21.0",
] as const;

/** The most that the Codex CLI waits for a command before it answers without its output. */
const LONGEST_COMMAND_MS = 30_000;

/** The folder whose `node_modules` has the peers; the project does not install them. */
const FOLDER = process.env["BENCH_PEERS"] ?? "";

/** papa-yu as it is installed and as a checkout, a bare program, and the peers that are there. */
export function createPrograms(world: PeerWorld): {
  readonly programs: readonly PeerProgram[];
  readonly missing: readonly string[];
} {
  const packed = install(pack(join(world.dir, "packed")).path, join(world.dir, "app"));
  const found = [createCodex(world), createPi(world)];
  return {
    programs: [
      createBare(world),
      createPapayu(world, "package", join(packed, ".bin/papayu")),
      createPapayu(world, "checkout", join(ROOT, "bin/papayu")),
      ...found.filter((peer) => typeof peer !== "string"),
    ],
    missing: found.filter((peer) => typeof peer === "string"),
  };
}

function createPapayu(world: PeerWorld, form: string, program: string): PeerProgram {
  const { model, bot } = world;
  const dir = join(world.dir, form);
  layWorkspace(dir, world);
  const workspace = `[[workspaces]]\nname = "w"\npath = "./w"\n`;
  const agent = `[agent]\nmax_tool_iterations = ${world.files + 1}\n`;
  const config = `${phoneConfig(model.chatUrl, bot.url, OWNER)}${agent}${workspace}`;
  const { env } = createSandbox(dir, config, { TELEGRAM_BOT_TOKEN: bot.token });
  const start = (...args: string[]): Start => ({ command: [program, ...args], cwd: dir, env });
  return {
    name: `papa-yu, ${form}`,
    version: start("--version"),
    ask: (prompt) => start("ask", prompt),
    look: (path) => ({ name: "read_file", arguments: { path } }),
    resident: () => startBot(start("start"), bot),
  };
}

/** Nothing but the same clients; what stays is the bot of `bench soak`. */
function createBare(world: PeerWorld): PeerProgram {
  const { model, bot } = world;
  const cwd = layWorkspace(join(world.dir, "bare"), world);
  const start = (...args: string[]): Start => ({
    command: [process.execPath, ...args],
    cwd,
    env: { PATH: process.env["PATH"] ?? "" },
  });
  const [loop, daemon] = [
    join(import.meta.dir, "bare-loop.ts"),
    join(import.meta.dir, "bare-bot.ts"),
  ];
  return {
    name: "bare program",
    version: start("-e", "0"),
    ask: (prompt) => start(loop, model.chatUrl, prompt),
    look: (path) => ({ name: "read", arguments: { path } }),
    resident: () =>
      startBot(
        start(daemon, bot.url, model.chatUrl, join(world.dir, `${crypto.randomUUID()}.db`)),
        bot,
      ),
  };
}

/** The Codex CLI with a provider of its own, and without what asks the network; or its name. */
function createCodex(world: PeerWorld): PeerProgram | string {
  const version = findVersion("@openai/codex");
  if (version === undefined) return "the Codex CLI";
  const dir = join(world.dir, "codex");
  const cwd = layWorkspace(dir, world);
  writeTree(dir, {
    "home/config.toml": `model_provider = "local"
check_for_update_on_startup = false
[model_providers.local]
name = "local"
base_url = "${world.model.responsesUrl}"
wire_api = "responses"
requires_openai_auth = false
[analytics]
enabled = false
[feedback]
enabled = false
[otel]
exporter = "none"
[features]
plugins = false
apps = false
`,
  });
  const start = (...args: string[]): Start => ({
    command: [programOf("codex"), ...args],
    cwd,
    env: { ...plainEnvironment(dir), CODEX_HOME: join(dir, "home") },
  });
  return {
    name: `Codex CLI ${version}`,
    version: start("--version"),
    ask: (prompt) => start("exec", "--strict-config", "--skip-git-repo-check", prompt),
    // It has no tool that reads a file: the model asks for a command, which runs in its sandbox.
    look: (path) => ({
      name: "exec_command",
      arguments: { cmd: `cat ${path}`, yield_time_ms: LONGEST_COMMAND_MS },
    }),
    resident: () => startAppServer(start("app-server")),
  };
}

/** pi with a provider of its own, and without what asks the network; or its name. */
function createPi(world: PeerWorld): PeerProgram | string {
  const version = findVersion("@earendil-works/pi-coding-agent");
  if (version === undefined) return "pi";
  const dir = join(world.dir, "pi");
  const cwd = layWorkspace(dir, world);
  const local = {
    baseUrl: world.model.chatUrl,
    api: "openai-completions",
    apiKey: "none",
    models: [{ id: "scripted" }],
  };
  writeTree(dir, {
    "home/models.json": JSON.stringify({ providers: { local } }),
    "home/settings.json": JSON.stringify({ enableInstallTelemetry: false }),
  });
  const env = {
    ...plainEnvironment(dir),
    PI_CODING_AGENT_DIR: join(dir, "home"),
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
  };
  const start = (...args: string[]): Start => ({ command: [programOf("pi"), ...args], cwd, env });
  const model = ["--model", "local/scripted"];
  return {
    name: `pi ${version}`,
    version: start("--version"),
    ask: (prompt) => start("-p", ...model, prompt),
    look: (path) => ({ name: "read", arguments: { path } }),
    resident: () => startRpc(start("--mode", "rpc", ...model)),
  };
}

/** The workspace `w` in a folder, with the files that are read. */
function layWorkspace(dir: string, { files }: PeerWorld): string {
  const all = Array.from({ length: files }, (_, index) => fileOf(index));
  writeTree(join(dir, "w"), Object.fromEntries(all.map(({ name, text }) => [name, text])));
  return join(dir, "w");
}

/** No key of the person, nothing of their home; the Node beside the peers comes first. */
function plainEnvironment(dir: string): Record<string, string> {
  mkdirSync(join(dir, "tmp"), { recursive: true });
  const path = `${join(FOLDER, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
  return { PATH: path, HOME: dir, TMPDIR: join(dir, "tmp"), TERM: "dumb", LANG: "C.UTF-8" };
}

function programOf(name: string): string {
  return join(FOLDER, "node_modules/.bin", name);
}

function findVersion(name: string): string | undefined {
  const path = join(FOLDER, "node_modules", name, "package.json");
  if (FOLDER === "" || !existsSync(path)) return undefined;
  return String(JSON.parse(readFileSync(path, "utf8")).version);
}
