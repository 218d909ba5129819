import { lstatSync } from "node:fs";
import { type ChangedKey, changedKeys } from "../config/keys/keys.ts";
import { brokenWarning, type LoadedConfig, loadConfig } from "../config/load/load.ts";
import { configPaths } from "../config/places/places.ts";
import type { Config } from "../config/schema/schema.ts";
import { watchFiles } from "../config/watch-files.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import { firstOf } from "../core/few.ts";
import type { Log } from "../core/log.ts";
import type { Texts } from "../texts/texts.ts";
import type { Current, Reloading } from "./app/app.ts";

/** The configuration that is followed. */
export interface ConfigHost {
  readonly current: Current;
  readonly reloading: Reloading;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the rest of the daemon has to do with a saved configuration. */
export interface ConfigFollower {
  /** Tells the owner, wherever they can be reached. */
  readonly tell: (text: string) => Promise<void>;
  /** Another configuration is in force from now on. */
  readonly adopted: (config: Config) => void;
  /** Resolves when what runs now has ended, or when the limit aborts. */
  readonly settled: (limit: AbortSignal) => Promise<void>;
}

/**
 * Puts every saved configuration in force for what begins from then on, and says so. One that
 * cannot be changes nothing, and that is said, too, once for each save.
 */
export async function followConfig(
  host: ConfigHost,
  follower: ConfigFollower,
): Promise<{ stop(): Promise<void> }> {
  const halt = new AbortController();
  let refused: string | undefined;
  const saved = async () => {
    const outcome = await adopt(host, follower);
    await announce(host, follower, outcome, refused);
    refused = outcome.kind === "refused" ? outcome.file : undefined;
  };
  const survive = (error: unknown) => host.log("CONFIG_REFUSED", { error: errorMessage(error) });
  const look = () => saved().catch(survive);
  const watch = { clock: host.clock, signal: halt.signal };
  const watching = watchFiles(() => configPaths(host.reloading.source), look, watch);
  await look(); // it may have been saved while the daemon started
  return {
    async stop() {
      halt.abort();
      await watching;
    },
  };
}

type Outcome =
  | { readonly kind: "refused"; readonly file: string; readonly reason: string }
  | {
      readonly kind: "adopted";
      /** The file that was saved. */
      readonly file: string;
      readonly changes: readonly ChangedKey[];
      readonly warnings: readonly string[];
      readonly stray?: Stray;
    };

/** A file that was only found broke, or is not broken any more. */
interface Stray {
  readonly file: string;
  /** Undefined: it is in order again, or gone. */
  readonly reason: string | undefined;
}

async function adopt(
  { current, reloading }: ConfigHost,
  { adopted, settled }: ConfigFollower,
): Promise<Outcome> {
  const before = current.loaded;
  let file = before.source.path ?? "config.toml";
  try {
    const next = await loadConfig(reloading.source);
    file = savedFile(before, next);
    if (before.source.origin === "folder" && next.source.origin !== "folder") {
      // Falling back to the owner's own file would take more away than was changed.
      const reason =
        next.warnings.join("\n") || `${next.source.found?.shown ?? file}: not trusted any more`;
      return { kind: "refused", file: before.source.path ?? file, reason };
    }
    const changes = changedKeys(before.config, next.config);
    const stray = toStray(before, next);
    const reported = new Set(before.warnings);
    if (next.source.broken) reported.add(brokenWarning(next.source.broken));
    const warnings = next.warnings.filter((text) => !reported.has(text));
    if (!Bun.deepEquals(next, before)) {
      const end = reloading.use(next);
      adopted(next.config);
      void settled(AbortSignal.timeout(before.config.agent.turn_timeout_s * 1000)).then(end);
    }
    return { kind: "adopted", file, changes, warnings, ...(stray && { stray }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { path } = error.details;
    return {
      kind: "refused",
      file: typeof path === "string" ? path : file,
      reason: error.message,
    };
  }
}

/** Which of the two files it was: the found one when it says something else now. */
function savedFile(before: LoadedConfig, next: LoadedConfig): string {
  const [was, is] = [before.source.lastFound, next.source.lastFound];
  const found = was?.toml.text === is?.toml.text ? undefined : (is ?? was);
  return (found?.path ?? next.source.path ?? before.source.path) || "config.toml";
}

/** It is reported once, however often it is saved in between: somebody else may do that all day. */
function toStray(
  { source: { broken: was } }: LoadedConfig,
  { source: { broken: is } }: LoadedConfig,
): Stray | undefined {
  if ((was === undefined) === (is === undefined)) return undefined;
  const file = is?.path ?? was?.path;
  return file === undefined ? undefined : { file, reason: is && brokenWarning(is) };
}

/** What is news of an outcome; `wasRefused` is the file that was refused before. */
async function announce(
  { current, log }: ConfigHost,
  { tell }: ConfigFollower,
  outcome: Outcome,
  wasRefused: string | undefined,
): Promise<void> {
  const texts = current.texts().config;
  const { file } = outcome;
  if (outcome.kind === "refused") {
    const { reason } = outcome;
    log("CONFIG_REFUSED", { error: reason });
    const isGone = lstatSync(file, { throwIfNoEntry: false }) === undefined;
    return tell(`${isGone ? texts.gone(file) : texts.refused(file)}\n${reason}`);
  }
  const { changes, warnings, stray } = outcome;
  if (stray?.reason !== undefined) {
    log("CONFIG_LEFT_OUT", { file: stray.file, error: stray.reason });
    await tell(`${texts.refused(stray.file)}\n${stray.reason}`);
  }
  const fixed = wasRefused ?? (stray?.reason === undefined ? stray?.file : undefined);
  if (changes.length === 0 && fixed === undefined) return;
  log("CONFIG_RELOADED", { keys: changes.map(({ key }) => key).join(",") });
  if (changes.length === 0) return tell(texts.inOrder(fixed ?? file));
  const later = changes.filter(({ facts }) => facts.needsRestart);
  const now = changes.filter(({ facts }) => !facts.needsRestart);
  const parts = [
    ...renderChanges(texts.now(file), now, texts),
    ...renderChanges(texts.later(file), later, texts),
    ...warnings,
  ];
  return tell(parts.join("\n"));
}

const MAX_LINES = 20;

function renderChanges(
  head: string,
  changes: readonly ChangedKey[],
  texts: Texts["config"],
): readonly string[] {
  if (changes.length === 0) return [];
  const lines = firstOf(changes, MAX_LINES).lines(
    ({ line }) => `  ${line}`,
    (left) => `  ${texts.more(left)}`,
  );
  return [head, ...lines];
}
