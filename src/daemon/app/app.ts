import { type LoadedConfig, toReloadOptions } from "../../config/load/load.ts";
import { resolveKey, resolveSecret } from "../../config/secret.ts";
import { AppError } from "../../core/app-error.ts";
import { type Clock, createTickMark, systemClock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { type Catalog, createCatalog } from "../../routines/catalog.ts";
import { createRedactor, type Redactor } from "../../security/redact/redact.ts";
import { createApprovalStore } from "../../store/approvals.ts";
import { createKnownRows } from "../../store/known-rows.ts";
import { createLedger } from "../../store/ledger.ts";
import { openState, statePath } from "../../store/open/open.ts";
import { createRoutineTable } from "../../store/routines/routines.ts";
import { createSessionStore } from "../../store/sessions.ts";
import { createSettings } from "../../store/settings/settings.ts";
import { createWriter, type Ready, stopBlocking } from "../../store/writer/writer.ts";
import { rememberFile } from "../../system/remember-file.ts";
import { createLog } from "../../trace/log.ts";
import { createParts } from "./create-parts.ts";
import type {
  AppEnvironment,
  Current,
  OpenState,
  Reloading,
  Secrets,
  SharedServices,
} from "./shared-services.ts";

export { toServerSettings } from "./create-mcp.ts";
export { createLogFile, logPath } from "./log-file.ts";
export { sandboxOptions } from "./sandbox-options.ts";
export type { Current, Reloading, Secrets, State } from "./shared-services.ts";

/** Everything a command or the daemon works with, wired once; what runs tools awaits its end. */
export interface App extends Disposable, AsyncDisposable {
  readonly current: Current;
  readonly reloading: Reloading;
  readonly state: OpenState;
  readonly secrets: Secrets;
  readonly routines: Catalog;
  readonly env: AppEnvironment["env"];
  readonly log: Log;
  readonly clock: Clock;
}

/** Wires stores, provider, planner, tools and agent for one configuration. */
export function createApp(loaded: LoadedConfig, environment: AppEnvironment): App {
  const { env, clock = systemClock } = environment;
  const redactor = createRedactor();
  const log = createLog({ write: environment.writeLog, redact: redactor.redact, now: clock.now });
  const secret: Secrets["read"] = (reference, isText) =>
    readSecret(reference, isText ? resolveSecret : resolveKey, { loaded, env, redactor });
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
  const known = createKnownRows(store);
  const tellRubbish = (family: string) => log("SETTING_UNREADABLE", { family });
  const written = createTickMark();
  const commit = createWriter(store, clock, written.set);
  let wait: Ready = () => undefined;
  const ready: Ready = (signal) => wait(signal);
  const services: SharedServices = {
    environment,
    source,
    state: {
      store,
      ledger,
      commit,
      known,
      sessions: createSessionStore(store, known),
      approvals: createApprovalStore(store, known),
      settings: createSettings(store, clock.now, tellRubbish, known),
      ready,
    },
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
  const current: Current = {
    get loaded() {
      return parts.loaded;
    },
    get agent() {
      return parts.agent;
    },
    texts: () => parts.agent.texts,
  };
  const reloading: Reloading = {
    source,
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
  };
  const stopWaiting = () => {
    wait = stopBlocking(store, clock, written.isSet);
  };
  const app: App = {
    current,
    reloading,
    state: {
      ...services.state,
      stopBlocking: stopWaiting,
      isInPlace: isStateInPlace,
    },
    secrets: services.secrets,
    routines,
    env,
    log,
    clock,
    [Symbol.dispose]: close,
    async [Symbol.asyncDispose]() {
      await Promise.all([...started].map((mcp) => mcp.close()));
      close();
    },
  };
  return app;
}

/** A command is too short-lived to watch its files, as a daemon does. */
const REPLACED =
  "state.db was replaced or deleted while this ran, as by a repair: what this stored in it is lost; look whether it has to be run again";

function readSecret(
  reference: string,
  resolve: typeof resolveSecret,
  {
    loaded,
    env,
    redactor,
  }: Pick<AppEnvironment, "env"> & { readonly loaded: LoadedConfig; readonly redactor: Redactor },
): string | undefined {
  const secret = resolve(reference, { env, home: loaded.userHome });
  if (!secret.ok) throw new AppError(secret.code, secret.message);
  if (secret.value !== undefined) redactor.add(secret.value);
  return secret.value;
}
