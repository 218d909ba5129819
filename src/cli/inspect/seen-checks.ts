import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveWorkspace } from "../../config/workspaces.ts";
import { AppError } from "../../core/app-error.ts";
import { noteSeen } from "../../planner/verify/verify.ts";
import { createKnownCheckStore } from "../../store/known-checks.ts";
import { openState } from "../../store/open/open.ts";
import { resolveChecks } from "../../workspace/checks/checks.ts";
import type { Caller } from "../context.ts";

/**
 * Somebody at a terminal was shown the checks of one workspace: they may run before a question from
 * now on. What cannot be noted is shown once more with the next plan.
 */
export async function noteShownChecks(
  loaded: LoadedConfig,
  name: string,
  { cwd, env }: Caller,
): Promise<void> {
  try {
    const workspace = resolveWorkspace(loaded, name, cwd);
    const checks = await resolveChecks(workspace, { env });
    using store = openState(loaded.home);
    noteSeen(createKnownCheckStore(store), workspace, checks);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
