import { AppError } from "../core/app-error.ts";
import { renderInstant } from "../core/clock.ts";
import type { RoutineService } from "./routine-service.ts";
import type { ToolArguments } from "./tool.ts";

/** What of a routine is changed in a chat; all of it is shown. */
const CHANGED = ["schedule", "timezone", "task", "workspace", "mode", "channel"];
/**
 * A call that changes a routine as it would be, beside what it was: nothing of either may become
 * another before the yes.
 *
 * @throws AppError ERR_ROUTINE_UNKNOWN, and ERR_ROUTINE_INVALID for what cannot be, or would change nothing
 */
export async function completeChange(
  routines: RoutineService,
  name: string,
  keys: ToolArguments,
): Promise<ToolArguments> {
  const { mark, ...was } = await routines.entry(name);
  const strange = Object.keys(keys).find((key) => key !== "name" && !CHANGED.includes(key));
  if (strange !== undefined) {
    const message = `Cannot change "${strange}" of a routine from a chat; known are ${CHANGED.join(", ")}`;
    throw new AppError("ERR_ROUTINE_INVALID", message);
  }
  const wanted: ToolArguments = { ...was, ...keys }; // of any kind, as a model wrote them
  const { schedule: words, timezone } = wanted;
  const { schedule, next } = await routines.readSchedule(String(words), String(timezone));
  const job = { ...wanted, schedule, timezone };
  if (Bun.deepEquals(job, { ...was, name })) {
    throw new AppError("ERR_ROUTINE_INVALID", `Nothing of the routine "${name}" would be another`);
  }
  await routines.checkChange(name, job);
  const runs = next.map((at) => renderInstant(at, String(timezone)));
  return { action: "change", ...job, next_runs: runs, was, mark };
}
