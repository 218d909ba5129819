import { findFaults, validateConfig } from "../config/load/load.ts";
import type { Config } from "../config/schema/schema.ts";
import { isLiteralSecret } from "../config/secret.ts";
import type { Failure } from "../core/app-error.ts";
import { type RoutineJob, toRoutine } from "./routine.ts";
import { validateRoutine } from "./validate-routine.ts";

/**
 * A routine from a command or a tool, by the very rules that hold for `[[routines.jobs]]`:
 * defaults filled in, the workspace known, the schedule one that comes due.
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
  return validateRoutine(toRoutine(job, "dynamic"), now) ?? { ok: true, job };
}

function invalid(why: string): Failure {
  return { ok: false, code: "ERR_ROUTINE_INVALID", message: `Cannot use this routine: ${why}` };
}
