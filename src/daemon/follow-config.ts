import { type ChangedKey, changedKeys } from "../config/keys/keys.ts";
import { loadConfig } from "../config/load/load.ts";
import { configPaths } from "../config/places/places.ts";
import type { Config } from "../config/schema/schema.ts";
import { watchFiles } from "../config/watch-files.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import type { Texts } from "../texts/texts.ts";
import type { App } from "./app/app.ts";

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
  app: App,
  follower: ConfigFollower,
): Promise<{ stop(): Promise<void> }> {
  const halt = new AbortController();
  let wasRefused = false;
  const saved = async () => {
    const outcome = await adopt(app, follower);
    const isNews = outcome.kind === "refused" || outcome.changes.length > 0 || wasRefused;
    if (isNews) await announce(app, follower, outcome);
    wasRefused = outcome.kind === "refused";
  };
  const survive = (error: unknown) => app.log("CONFIG_REFUSED", { error: errorMessage(error) });
  const look = () => saved().catch(survive);
  const watch = { clock: app.clock, signal: halt.signal };
  const watching = watchFiles(() => configPaths(app.source), look, watch);
  await look(); // it may have been saved while the daemon started
  return {
    async stop() {
      halt.abort();
      await watching;
    },
  };
}

type Outcome =
  | { readonly kind: "refused"; readonly reason: string }
  | {
      readonly kind: "adopted";
      readonly changes: readonly ChangedKey[];
      readonly warnings: readonly string[];
    };

async function adopt(app: App, { adopted, settled }: ConfigFollower): Promise<Outcome> {
  try {
    const before = app.loaded;
    const next = await loadConfig(app.source);
    if (before.origin === "folder" && next.found !== undefined) {
      // Falling back to the owner's own file would take more away than was changed.
      return {
        kind: "refused",
        reason: next.warnings.join("\n") || `${next.found.shown}: not trusted any more`,
      };
    }
    const changes = changedKeys(before.config, next.config);
    const warnings = next.warnings.filter((text) => !before.warnings.includes(text));
    if (!Bun.deepEquals(next, before)) {
      const end = app.use(next);
      adopted(next.config);
      void settled(AbortSignal.timeout(before.config.agent.turn_timeout_s * 1000)).then(end);
    }
    return { kind: "adopted", changes, warnings };
  } catch (error) {
    if (error instanceof AppError) return { kind: "refused", reason: error.message };
    throw error;
  }
}

async function announce(app: App, { tell }: ConfigFollower, outcome: Outcome) {
  const { log, loaded } = app;
  const texts = app.texts().config;
  const file = loaded.path ?? "config.toml";
  if (outcome.kind === "refused") {
    const { reason } = outcome;
    log("CONFIG_REFUSED", { error: reason });
    return tell(`${texts.refused(file)}\n${reason}`);
  }
  const { changes, warnings } = outcome;
  log("CONFIG_RELOADED", { keys: changes.map(({ key }) => key).join(",") });
  if (changes.length === 0) return tell(texts.inOrder(file));
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
  const lines = changes.slice(0, MAX_LINES).map(({ line }) => `  ${line}`);
  const more = changes.length - lines.length;
  return [head, ...lines, ...(more > 0 ? [`  ${texts.more(more)}`] : [])];
}
