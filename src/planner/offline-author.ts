import { languageOf } from "../core/language.ts";
import { readProfile } from "../workspace/profile.ts";
import type { Author, AuthorRequest } from "./author.ts";

/**
 * The built-in rules as an author: same protocol, same gates, no model, no network.
 * For a plan it first asks to see the files its patches will touch, as a model would, and later
 * leaves alone what there was no room to show.
 */
export function createOfflineAuthor(now: () => number): Author {
  return {
    name: "offline",
    model: "built-in",
    async answer({ mode, goal, workspace, messages, signal }) {
      const { planOffline } = await import("./offline/plan-offline.ts");
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
      const answer = {
        actions: mode === "apply" ? possible : [],
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
