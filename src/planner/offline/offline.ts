import type { Language } from "../../core/language.ts";
import type { Action } from "../../protocol/response.ts";
import { resolveChecks } from "../../workspace/checks/checks.ts";
import type { LeftOut } from "../../workspace/part.ts";
import type { ProjectProfile } from "../../workspace/profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openProject } from "./project-view.ts";
import { renderSummary } from "./render-summary.ts";
import type { Finding } from "./rule.ts";
import { chooseRules } from "./rules/rules.ts";

export { createOfflineAuthor } from "./offline-author.ts";
export { oneLine } from "./one-line.ts";

/** What to look at, what for, and in which language to say it. */
export interface OfflineInput {
  readonly workspace: Workspace;
  readonly goal: string;
  readonly profile: ProjectProfile;
  /** Of the summary; what is written into files is English. */
  readonly language?: Language;
  /** Year for a licence. */
  readonly year?: number;
  readonly signal?: AbortSignal;
}

/** A proposal in the protocol's terms. */
export interface OfflineAnswer {
  /** Diagnosis, numbered plan, how to check; says so when nothing is missing. */
  readonly summary: string;
  /** Existing files that the patches are made for. */
  readonly reads: readonly string[];
  /** Empty when nothing is missing. */
  readonly actions: readonly Action[];
}

/**
 * Plans without a model: built-in rules look for what a newcomer would miss and for one kind of
 * bug. The same project and goal give the same answer; existing files are only ever patched.
 */
export async function planOffline(input: OfflineInput): Promise<OfflineAnswer> {
  const { workspace, goal, profile, language = "en" } = input;
  const project = await openProject(workspace, profile, input);
  const findings: Finding[] = [];
  const unseen: LeftOut[] = [...project.leftOut];
  for (const rule of chooseRules(goal)) {
    const { items, leftOut } = await rule(project);
    findings.push(...items);
    unseen.push(...leftOut);
  }
  const kept = findings.slice(0, workspace.maxActions || profile.maxActions);
  const missing = { later: findings.length - kept.length, unseen };
  const actions = kept.map((finding) => finding.action);
  return {
    summary: renderSummary(project, { kept, ...missing }, await resolveChecks(workspace), language),
    reads: actions.filter(({ kind }) => kind === "PATCH_FILE").map(({ path }) => path),
    actions,
  };
}
