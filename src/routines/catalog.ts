import type { Config } from "../config/schema/schema.ts";
import { AppError } from "../core/app-error.ts";
import type { RoutineSwitch, RoutineTable } from "../store/routines/routines.ts";
import type { EntryChanges } from "./entry-changes.ts";
import { type Routine, type RoutineJob, readStoredJob, toRoutine } from "./routine.ts";

/** What a catalog is made of; the configuration may change while the daemon runs. */
export interface CatalogDeps {
  readonly config: () => Pick<Config, "routines" | "workspaces">;
  readonly table: RoutineTable;
  readonly now: () => number;
}

/** All routines: those of config.toml, and those made by a command or in a chat. */
export interface Catalog {
  list(): readonly Routine[];
  /** Throws ERR_ROUTINE_UNKNOWN. */
  find(name: string): Routine;
  /** Checks without storing; throws ERR_ROUTINE_INVALID. The name may be that of one that is changed. */
  check(job: Readonly<Record<string, unknown>>, how?: "changed"): Promise<Routine>;
  /** Throws ERR_ROUTINE_INVALID, also for a name that is taken. */
  add(job: Readonly<Record<string, unknown>>): Promise<Routine>;
  /** Changes of the routines that were added; few are ever changed. */
  changes(): Promise<EntryChanges>;
  /** Throws ERR_ROUTINE_UNKNOWN, and ERR_ROUTINE_INVALID for one of config.toml. */
  remove(name: string): void;
  /**
   * Switches a routine on or off, whatever config.toml says: papa-yu must be able to stop a failing
   * routine, and the file is its owner's. Enabling forgets the failures so far.
   */
  turn(name: string, enabled: boolean, reason?: string): Routine;
}

/** A catalog over the configuration and `state.db`. */
export function createCatalog(deps: CatalogDeps): Catalog {
  const catalog: Catalog = {
    list: () => listAll(deps),
    find: (name) => findRoutine(name, catalog.list()),
    check: async (value, how) => toRoutine(await check(value, deps, catalog, how), "dynamic"),
    async add(value) {
      const job = await check(value, deps, catalog);
      const stored = { name: job.name, jobJson: JSON.stringify(job) };
      if (!deps.table.add(stored, deps.now())) throw taken(job.name);
      return catalog.find(job.name);
    },
    async changes() {
      const { createEntryChanges } = await import("./entry-changes.ts");
      const checked = (value: Readonly<Record<string, unknown>>) =>
        check(value, deps, catalog, "changed");
      return createEntryChanges(catalog, deps.table, checked, deps.now);
    },
    remove(name) {
      const { source } = catalog.find(name);
      if (source === "dynamic") return void deps.table.remove(name);
      throw invalid(
        `Cannot remove the routine "${name}": it is in config.toml; delete it there, or disable it`,
      );
    },
    turn(name, enabled, reason) {
      catalog.find(name);
      const switchedAt = deps.now();
      deps.table.turn({ routine: name, enabled, reason: reason ?? null, switchedAt });
      return catalog.find(name);
    },
  };
  return catalog;
}

function listAll({ config, table }: CatalogDeps): readonly Routine[] {
  const switches = new Map(table.switches().map((each) => [each.routine, each]));
  const dynamic = table.jobs().map((stored): Routine => {
    const routine = toRoutine(readStoredJob(stored), "dynamic");
    return Object.assign(routine, { countsSince: stored.changedAt });
  });
  const routines = [...config().routines.jobs.map((job) => toRoutine(job, "config")), ...dynamic];
  return routines.map((routine) => withSwitch(routine, switches.get(routine.name)));
}

function withSwitch(routine: Routine, turned: RoutineSwitch | undefined): Routine {
  if (turned === undefined) return routine;
  const { enabled, reason, switchedAt } = turned;
  const countsSince = Math.max(routine.countsSince ?? 0, switchedAt);
  return { ...routine, enabled, countsSince, ...(reason !== null && { offReason: reason }) };
}

async function check(
  value: Readonly<Record<string, unknown>>,
  { config, now }: CatalogDeps,
  catalog: Catalog,
  how?: "changed",
): Promise<RoutineJob> {
  const { parseJob } = await import("./parse-job.ts");
  const parsed = await parseJob(value, config(), now());
  if (!parsed.ok) throw new AppError(parsed.code, parsed.message);
  const { name } = parsed.job;
  const isNew = how === undefined;
  if (isNew && catalog.list().some((routine) => routine.name === name)) throw taken(name);
  return parsed.job;
}

/** The routine of a name; throws ERR_ROUTINE_UNKNOWN with the known ones. */
function findRoutine(name: string, routines: readonly Routine[]): Routine {
  const found = routines.find((routine) => routine.name === name);
  if (found !== undefined) return found;
  const known = routines.map((routine) => `"${routine.name}"`).join(", ");
  const rest = known === "" ? "there are none; papayu routine add makes one" : `known are ${known}`;
  throw new AppError("ERR_ROUTINE_UNKNOWN", `Cannot find the routine "${name}": ${rest}`);
}

function taken(name: string): AppError {
  return invalid(`Cannot add the routine "${name}": the name is taken; choose another`);
}

function invalid(message: string): AppError {
  return new AppError("ERR_ROUTINE_INVALID", message);
}
