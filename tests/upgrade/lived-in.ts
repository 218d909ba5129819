import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { takeLock } from "../../src/system/locks/locks.ts";
import { until } from "../support/patience.ts";

/** Where a packed home lies while something runs in it: what waits for a yes is bound to its folder. */
export const PLACE = "/var/tmp/papayu-upgrade";
export const OWNER = 501;
export const TOKEN = "4242:test-token";

/** What a home was left with. */
export const HELD = {
  key: "editor",
  note: "writes with a fountain pen",
  routine: "tidy",
  task: "Say what is untidy",
  said: "good morning to you",
  answered: "Good morning from the model",
} as const;

/** The button of the question that was left open. */
export interface Held {
  readonly messageId: number;
  readonly data: string;
}

/** An empty {@link PLACE}, for one at a time: whoever else wants it, of this checkout or another, waits. */
export async function holdPlace(what: string): Promise<AsyncDisposable> {
  let release: (() => void) | undefined;
  await until(() => {
    const lock = takeLock(`${PLACE}.lock`, what);
    if (lock.ok) release = lock.release;
    return lock.ok;
  });
  rmSync(PLACE, { recursive: true, force: true });
  mkdirSync(PLACE, { mode: 0o700 });
  return {
    async [Symbol.asyncDispose]() {
      rmSync(PLACE, { recursive: true, force: true });
      release?.();
    },
  };
}

/** The environment of whatever runs in it; nothing of who runs the tests. */
export function toEnvironment(): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: join(PLACE, "person"),
    PAPAYU_HOME: join(PLACE, "home"),
    TELEGRAM_BOT_TOKEN: TOKEN,
    NO_COLOR: "1",
  };
}

/** With the servers of today: their ports are others each time. */
export function toConfig(modelUrl: string, botUrl: string): string {
  return `[default]
provider = "local"
[providers.local]
base_url = "${modelUrl}"
model = "scripted"
[telegram]
api_root = "${botUrl}"
allowed_user_ids = [${OWNER}]
[http]
enabled = false
[[workspaces]]
name = "w"
path = "${PLACE}/w"
check = false
`;
}
