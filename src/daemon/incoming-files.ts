import type { AgentCore } from "../agent/deps.ts";
import type { SaveFile } from "../channels/channel.ts";
import { saidOf } from "../channels/error-text.ts";
import { goneFolder } from "../config/gone-folder.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import { isOtherRunning } from "../system/locks/locks.ts";
import { Refusal } from "../texts/texts.ts";
import type { Current } from "./app/app.ts";

/**
 * Removes what a daemon that was killed left of files that came in, in every workspace. It comes before
 * any channel is there: what has the number of this process is of another that had it. Whichever
 * channels are on now, any of them may have been on then.
 */
export async function tidyInboxes({
  workspaces,
  log,
}: Pick<AgentCore, "workspaces" | "log">): Promise<void> {
  const { removeLeftovers } = await import("../workspace/save-incoming/save-incoming.ts");
  for (const name of workspaces.names) {
    try {
      removeLeftovers(workspaces.get(name), isOtherRunning);
    } catch (error) {
      if (goneFolder(error)) continue; // said where the start looked for what a crash left
      log("INBOX_UNTIDY", { workspace: name, reason: errorMessage(error) });
    }
  }
}

/** A person who sends a file wants it there; under readonly nothing is written, whoever wants it. */
export function createSaveFile(current: Current): SaveFile {
  return async (sessionId, file, maxBytes) => {
    const { security, workspaces, sessions } = current.agent.core; // as it is configured now
    const texts = current.texts();
    const toFailure = (error: AppError) => {
      const { code, message } = error;
      return { ok: false as const, code, message, said: saidOf(error, texts) };
    };
    if (security.autonomy === "readonly") {
      return toFailure(new Refusal("denied", ({ filesLocked }) => filesLocked));
    }
    const { saveIncoming } = await import("../workspace/save-incoming/save-incoming.ts");
    try {
      const workspace = workspaces.get(sessions.state(sessionId).workspace);
      return await saveIncoming(workspace, file, maxBytes);
    } catch (error) {
      // A workspace that is gone, which no other try brings back.
      if (error instanceof AppError) return toFailure(error);
      throw error;
    }
  };
}
