import type { Action } from "../../protocol/response.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Part } from "../../workspace/part.ts";
import type { ProjectView } from "./project-view.ts";

/** One sentence without a full stop, out of those of a language. */
export type Sentence = (reasons: Texts["offline"]["reasons"]) => string;

/** Something a newcomer would miss, and the one action that adds or fixes it. */
export interface Finding {
  readonly action: Action;
  /** What the action does and why, e.g. "how to install, run and test the project". */
  readonly reason: Sentence;
}

/** Looks for one kind of thing. Deterministic; never throws on what a project holds. */
export type Rule = (project: ProjectView) => Promise<Part<Finding>>;

/** Nothing to add or fix, and nothing that was not looked at. */
export const NOTHING: Part<Finding> = { items: [], leftOut: [] };

/** A finding for a file that is not there yet; none when something is in its place. */
export function createFile(
  project: ProjectView,
  path: string,
  content: string,
  reason: Sentence,
): Part<Finding> {
  if (!project.isFree(path)) return NOTHING;
  return { items: [{ action: { kind: "CREATE_FILE", path, content }, reason }], leftOut: [] };
}
