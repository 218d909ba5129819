import { homeOf as findHome } from "../config/places.ts";
import type { CliContext } from "./context.ts";

/** The daemon's folder, for commands that must work when the configuration does not. */
export function homeOf({ cwd, env, userHome }: CliContext): string {
  return findHome({ cwd, env, home: userHome });
}
