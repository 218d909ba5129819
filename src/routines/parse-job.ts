import { findFaults, validateConfig } from "../config/load/load.ts";
import type { Fault } from "../config/places/places.ts";
import type { Config } from "../config/schema/schema.ts";
import { isLiteralSecret } from "../config/secret.ts";
import type { Failure } from "../core/app-error.ts";
import { globOf, type RoutineJob, toRoutine } from "./routine.ts";
import { validateRoutine } from "./validate-routine.ts";

/**
 * A routine from a command or a tool, by the very rules that hold for `[[routines.jobs]]`:
 * defaults filled in, the workspace known, the schedule one that comes due, and each glob one that a
 * file may fit.
 */
export async function parseJob(
  value: Readonly<Record<string, unknown>>,
  { workspaces }: Pick<Config, "workspaces">,
  now: number,
): Promise<{ readonly ok: true; readonly job: RoutineJob } | Failure> {
  const checked = validateConfig({ routines: { jobs: [{ ...value }] } });
  const faults = checked.ok ? await findFaults({ ...checked.config, workspaces }) : checked.faults;
  const [fault] = faults;
  if (fault) return invalid(`${fault.path.at(-1)}: ${fault.message}`);
  const job = checked.ok ? checked.config.routines.jobs[0] : undefined;
  if (!job) return invalid("it is empty");
  if (isLiteralSecret(job.trigger_secret)) {
    return invalid('trigger_secret: write "env:NAME" or "file:PATH", so that no secret is stored');
  }
  const [outside] = globFaults(job);
  if (outside) return invalid(`${outside.path.at(-1)}: ${outside.message}`);
  return validateRoutine(toRoutine(job, "dynamic"), now) ?? { ok: true, job };
}

function invalid(why: string): Failure {
  return { ok: false, code: "ERR_ROUTINE_INVALID", message: `Cannot use this routine: ${why}` };
}

/** A glob from the root of the disk, or with a step to where it is, or above, outside of any braces. */
const OUTSIDE = /^(?:\/|(?:[^{]*\/)?\.{1,2}(?:\/|$))/;

/**
 * Globs that no file of a workspace fits: such a `watch` never starts a routine, and such an
 * `only_if_changed` never sees a change. Its schedule is as good as ever, so that one which is stored
 * goes on by it; whoever writes one is told.
 */
export function globFaults(job: RoutineJob): readonly Fault[] {
  const { watch, onlyIfChanged } = toRoutine(job, "config");
  const globs = [
    ["watch", watch],
    ["only_if_changed", globOf({ onlyIfChanged })],
  ] as const;
  return globs.flatMap(([key, glob]) => {
    if (glob === undefined || !OUTSIDE.test(glob)) return [];
    return [
      { path: [key], message: `no file of a workspace fits "${glob}"; give a path below it` },
    ];
  });
}

/** Those of all jobs of a configuration. */
export function jobGlobFaults({ routines }: Pick<Config, "routines">): readonly Fault[] {
  return routines.jobs.flatMap((job, index) =>
    globFaults(job).map(({ path, message }) => {
      return { path: ["routines", "jobs", index, ...path], message };
    }),
  );
}
