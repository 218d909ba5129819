import { closeSync, lstatSync, openSync, rmSync, utimesSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadedConfig } from "../config/load/load.ts";
import { resolveKey } from "../config/secret.ts";
import { toAppError } from "../core/app-error.ts";
import { sha256 } from "../core/sha256.ts";
import { createRedactor } from "../security/redact/redact.ts";
import { StateError } from "../store/open/open.ts";
import { syncDirectory } from "../system/write-durably.ts";
import { textsIn } from "../texts/texts.ts";

/** These are no trouble: another daemon does the work, or somebody stopped this one. */
const NOT_REPORTED: ReadonlySet<string> = new Set(["ERR_DAEMON_RUNNING", "ERR_CANCELLED"]);

/**
 * Tells the owner on the phone that papa-yu cannot start and what to do: whoever has a supervisor
 * reads no stderr. Of one kind of trouble once in hours, however often it is restarted.
 *
 * Without the database only the configuration knows people: it goes to the first who is allowed.
 * What goes wrong here is no second failure; the first is told on stderr in any case.
 */
export async function tellFailedStart(
  { config, home, userHome }: LoadedConfig,
  failure: unknown,
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly seconds: number;
    readonly now: number;
  },
): Promise<void> {
  const { env, seconds, now } = options;
  const [chatId] = config.telegram.allowed_user_ids;
  const token = resolveKey(config.telegram.bot_token, { env, home: userHome });
  if (chatId === undefined || !token.ok || token.value === undefined) return;
  const error = toAppError(failure);
  if (NOT_REPORTED.has(error.code)) return;
  const kind = error instanceof StateError ? error.trouble : error.code;
  const giveBack = claimTelling(home, kind, { runtimeDir: env["XDG_RUNTIME_DIR"], now });
  if (!giveBack) return;
  const { failedStart: texts, failure: toWords } = textsIn(config.default.language);
  const what =
    error instanceof StateError
      ? texts.troubles[error.trouble]
      : [toWords(error.code), error.message].filter((each) => each !== "").join("\n");
  const redactor = createRedactor();
  redactor.add(token.value);
  const text = redactor.redact(`${texts.head(hostname())}\n\n${what}\n\n${texts.once(home)}`);
  const { sendOnce } = await import("../channels/telegram/send-once.ts");
  const bot = { token: token.value, apiRoot: config.telegram.api_root };
  const mayHaveArrived = await sendOnce(bot, { chatId, text }, seconds).catch(() => false);
  if (!mayHaveArrived) giveBack();
}

/** For so long the same is not reported again, however often it happens. */
const QUIET_MS = 6 * 3_600_000;

/**
 * Takes the right to tell somebody of one `kind` of trouble, once in six hours, whatever ends and
 * starts the process meanwhile; gives how to give it back when nothing was reported. Undefined: it
 * was reported, or no place takes a mark. Then nothing is reported, for every restart would report
 * it again.
 *
 * A mark is an empty file whose time counts: it fits on a disk that is full to the last block. Where
 * `home` takes none, as on a disk that was made read-only, it is in a folder in memory.
 */
function claimTelling(
  home: string,
  kind: string,
  options: { readonly runtimeDir: string | undefined; readonly now: number },
): (() => void) | undefined {
  const { runtimeDir, now } = options;
  const own = `papayu-${process.getuid?.() ?? ""}-${sha256(home).slice(0, 16)}.${kind}`;
  const shared = [runtimeDir, "/dev/shm", tmpdir()].flatMap((dir) => (dir ? [dir] : []));
  const marks = [
    { dir: home, path: join(home, `told.${kind}`) },
    ...shared.map((dir) => ({ dir, path: join(dir, own) })),
  ];
  if (marks.some(({ path }) => isFresh(path, now))) return undefined;
  const made = marks.find(({ dir, path }) => make(dir, path, now));
  return made && (() => rmSync(made.path, { force: true }));
}

/** What somebody else put there says nothing. */
function isFresh(path: string, now: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.uid !== (process.getuid?.() ?? found.uid)) return false;
  return Math.abs(now - found.mtimeMs) < QUIET_MS;
}

function make(dir: string, path: string, now: number): boolean {
  try {
    rmSync(path, { force: true });
    closeSync(openSync(path, "wx", 0o600)); // never through a link
    utimesSync(path, now / 1000, now / 1000);
    syncDirectory(dir);
    return true;
  } catch {
    return false;
  }
}
