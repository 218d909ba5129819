import { homeOf as findHome } from "../config/places/places.ts";
import { secureHome } from "../system/secure-home.ts";
import type { CliContext } from "./context.ts";

/**
 * The daemon's folder, for commands that must work when the configuration does not.
 *
 * @throws AppError ERR_HOME_UNSAFE when others may have written what is there
 */
export function homeOf(context: CliContext): string {
  const home = findHomeOf(context);
  secureHome(home);
  return home;
}

/** The same without a look at it. */
export function findHomeOf({ caller: { cwd, env, userHome } }: CliContext): string {
  return findHome({ cwd, env, home: userHome });
}
