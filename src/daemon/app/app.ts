import type { Database } from "bun:sqlite";
import type { Agent } from "../../agent/deps.ts";
import { type LoadedConfig, toReloadOptions } from "../../config/load/load.ts";
import type { LoadOptions } from "../../config/places/places.ts";
import { resolveSecret } from "../../config/secret.ts";
import { AppError } from "../../core/app-error.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Operations } from "../../planner/operations.ts";
import { type Catalog, createCatalog } from "../../routines/catalog.ts";
import { createRedactor, type Redactor } from "../../security/redact/redact.ts";
import { createLedger } from "../../store/ledger.ts";
import { openState, statePath } from "../../store/open/open.ts";
import { createRoutineTable } from "../../store/routines/routines.ts";
import { type Ready, stopBlocking } from "../../store/when-writable.ts";
import { rememberFile } from "../../system/remember-file.ts";
import type { Texts } from "../../texts/texts.ts";
import { createLog } from "../../trace/log.ts";
import type { Ledger } from "../../workspace/ledger.ts";
import { createParts } from "./create-parts.ts";
import type { AppEnvironment, SharedServices } from "./shared-services.ts";

export { toServerSettings } from "./create-mcp.ts";
export { createLogFile, logPath } from "./log-file.ts";
export { sandboxOptions } from "./sandbox-options.ts";

/** Everything a command or the daemon works with, wired once; what runs tools awaits its end. */
export interface App extends Disposable, AsyncDisposable {
  /** The configuration in force; like `operations` and `agent` it changes with {@link App.use}. */
  readonly loaded: LoadedConfig;
  readonly operations: Operations;
  readonly agent: Agent;
  /**
   * Puts another configuration in force for whatever begins from now on. What runs keeps the parts
   * it began with; once that has ended, the function that is given back ends what nobody needs.
   *
   * @throws AppError when a part cannot be made of it; then nothing changes
   */
  use(next: LoadedConfig): () => Promise<void>;
  /** Loads the same configuration again. */
  readonly source: LoadOptions;
  readonly routines: Catalog;
  readonly store: Database;
  /** What this home knows of the transactions in workspaces. */
  readonly ledger: Ledger;
  /** Waits for other programs that write to the database; in a command at once. */
  readonly ready: Ready;
  /**
   * For what lives long: a write waits for another program no longer than a glance from now on,
   * and `ready` does.
   */
  readonly stopBlocking: () => void;
  /** False when `state.db` was deleted or replaced: what is written is lost with this process. */
  readonly isStateInPlace: () => boolean;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** The interface's words, in the language of the configuration. */
  readonly texts: () => Texts;
  /** A secret's value, known to the redactor from then on; undefined when none is set. */
  secret(reference: string): string | undefined;
}

/** Wires stores, provider, planner, tools and agent for one configuration. */
export function createApp(loaded: LoadedConfig, environment: AppEnvironment): App {
  const { env, clock = systemClock } = environment;
  const redactor = createRedactor();
  const log = createLog({ write: environment.writeLog, redact: redactor.redact, now: clock.now });
  const secret = (reference: string) => readSecret(reference, loaded, env, redactor);
  const store = openState(loaded.home);
  const isStateInPlace = rememberFile(statePath(loaded.home));
  const close = () => {
    if (!isStateInPlace()) environment.notice?.(REPLACED);
    store.close();
  };
  const source = toReloadOptions(() => parts.loaded, environment);
  const openRoutines = async () => {
    const { openRoutineService } = await import("../routines/routines.ts");
    return openRoutineService(app);
  };
  const ledger = createLedger(store, loaded.home);
  let wait: Ready = () => undefined;
  const ready: Ready = (signal) => wait(signal);
  const services: SharedServices = {
    environment,
    source,
    state: { store, ledger, ready },
    secrets: { read: secret, redactor },
    openRoutines,
    log,
    clock,
  };
  let parts = createParts(loaded, services);
  const started = new Set([parts.mcp]);
  const routines = createCatalog({
    config: () => parts.loaded.config,
    table: createRoutineTable(store),
    now: clock.now,
  });
  const app: App = {
    get loaded() {
      return parts.loaded;
    },
    get operations() {
      return parts.agent.plans.operations;
    },
    get agent() {
      return parts.agent;
    },
    use(next) {
      const { mcp: old } = parts;
      parts = createParts(next, services, parts);
      started.add(parts.mcp);
      if (old === parts.mcp) return async () => {};
      return async () => {
        started.delete(old);
        await old.close();
      };
    },
    source,
    routines,
    store,
    ledger,
    ready,
    stopBlocking() {
      wait = stopBlocking(store, clock);
    },
    isStateInPlace,
    log,
    redactor,
    clock,
    texts: () => parts.agent.texts,
    secret,
    [Symbol.dispose]: close,
    async [Symbol.asyncDispose]() {
      await Promise.all([...started].map((mcp) => mcp.close()));
      close();
    },
  };
  return app;
}

/** A command is too short to be told by a watch, as a daemon is. */
const REPLACED =
  "state.db was replaced or deleted while this ran, as by a repair: what this stored in it is lost; look whether it has to be run again";

function readSecret(
  reference: string,
  { userHome }: LoadedConfig,
  env: AppEnvironment["env"],
  redactor: Redactor,
): string | undefined {
  const secret = resolveSecret(reference, { env, home: userHome });
  if (!secret.ok) throw new AppError(secret.code, secret.message);
  if (secret.value !== undefined) redactor.add(secret.value);
  return secret.value;
}
