import type { LoadOptions } from "../config/places/places.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import type { Environment } from "../core/environment.ts";
import { ownProgram } from "../system/own/programs.ts";

/** One thing that was looked at. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "failed";
  readonly found: string;
  /** What to do; empty when all is well. */
  readonly mend: string;
}

/** What the process is told that looks. */
export interface DoctorTask {
  readonly options: Pick<LoadOptions, "path" | "origin" | "cwd" | "home">;
  /** It asks nobody else, starts no server and tries no view. */
  readonly isLocal: boolean;
}

/** A server of tools may take its time to start. */
const MOST_MS = 120_000;

/**
 * What `papayu doctor` finds. In a process of its own: to read all of a database takes seconds, and a
 * look at it must not hold up who answers messages.
 *
 * @throws AppError ERR_INTERNAL where that process fails
 */
export async function runDoctor(
  { options, isLocal }: DoctorTask,
  env: Environment,
  end: AbortSignal,
): Promise<readonly Finding[]> {
  const { path, origin, cwd, home } = options;
  const task = JSON.stringify({ options: { path, origin, cwd, home }, isLocal });
  try {
    const child = Bun.spawn([...ownProgram("doctor-child").argv, task], {
      cwd: "/",
      env,
      stdio: ["ignore", "pipe", "ignore"],
      signal: AbortSignal.any([end, AbortSignal.timeout(MOST_MS)]),
    });
    const [text, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
    if (exitCode !== 0) throw new Error(`the process that looks ended with ${exitCode}`);
    return parse(text);
  } catch (error) {
    throw new AppError("ERR_INTERNAL", `Cannot look after it: ${errorMessage(error)}`);
  }
}

function parse(text: string): readonly Finding[] {
  const found: unknown = JSON.parse(text);
  if (!Array.isArray(found)) throw new Error("it said nothing that is a list");
  return found.map(({ name, state, found: what, mend }) => ({
    name: String(name),
    state: state === "ok" || state === "warning" ? state : "failed",
    found: String(what),
    mend: String(mend),
  }));
}
