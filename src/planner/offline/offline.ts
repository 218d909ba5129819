import { languageOf } from "../../core/language.ts";
import { applyPatch } from "../../patch/apply-patch.ts";
import type { Action } from "../../protocol/response.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import { readProfile } from "../../workspace/profile.ts";
import { readTextFile } from "../../workspace/read-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Author, AuthorRequest } from "../author.ts";

export { oneLine } from "./one-line.ts";

/**
 * The built-in rules as an author: same protocol, same gates, no model, no network.
 * For a plan it first asks to see the files its patches will touch, as a model would, and later
 * leaves alone what there was no room to show.
 */
export function createOfflineAuthor(now: () => number): Author {
  return {
    name: "offline",
    model: "built-in",
    strictJson: false,
    tokenBudget: 0,
    async answer({ mode, version, goal, workspace, messages, signal }) {
      const { planOffline } = await import("./plan-offline.ts");
      const profile = await readProfile(workspace.root);
      const { summary, reads, actions } = await planOffline({
        workspace,
        goal,
        profile,
        language: languageOf(goal),
        year: new Date(now()).getUTCFullYear(),
        signal,
      });
      const unseen = reads.filter((path) => !wasShown(messages, path));
      const possible = actions.filter(({ path }) => !unseen.includes(path));
      const written = version === 1 ? await toWholeFiles(workspace, possible) : possible;
      const answer = {
        actions: mode === "apply" ? written : [],
        summary: actions.length === 0 ? `NO_CHANGES: ${summary}` : summary,
        context_requests:
          mode === "plan" ? unseen.map((path) => ({ type: "read_file" as const, path })) : [],
      };
      return { ok: true, text: JSON.stringify(answer), usage: { inputTokens: 0, outputTokens: 0 } };
    },
  };
}

function wasShown(messages: AuthorRequest["messages"], path: string): boolean {
  return messages.some(({ content }) => content.includes(`FILE[${path}] (sha256=`));
}

/** Protocol v1 has no patches: the same changes as whole files. */
function toWholeFiles(
  workspace: Workspace,
  actions: readonly Action[],
): Promise<readonly Action[]> {
  return Promise.all(actions.map((action) => toWholeFile(workspace, action)));
}

async function toWholeFile(workspace: Workspace, action: Action): Promise<Action> {
  const { kind, path } = action;
  if (kind !== "PATCH_FILE") return action;
  const guarded = resolvePath(workspace, path, "read");
  const file = guarded.ok ? await readTextFile(guarded) : guarded;
  const patched = file.ok ? applyPatch(file.text, action.patch, { path }) : file;
  return patched.ok ? { kind: "UPDATE_FILE", path, content: patched.text } : action;
}
