import { decodeUtf8 } from "../../core/decode-utf8.ts";
import type { PlannedPart, StoredPlan } from "../../store/plans/plans.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { contentOf } from "../../transaction/change-set.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  type Block,
  filesSeen,
  filesSeenWhole,
  fitContext,
  readFileBlock,
  readStyle,
  renderBlocks,
  renderFileBlock,
} from "../context/context.ts";
import { partMessages, renderGoal } from "../prompts/prompts.ts";
import type { ChangeDeps } from "./prepared.ts";

/** Where a part stands in its series. */
interface Place {
  /** From 0. */
  readonly index: number;
  /** What those before it came to, in their authors' words. */
  readonly said: readonly string[];
  /** Those of them that are not in the folder yet, as one change set. */
  readonly on: ChangeSet | undefined;
}

/**
 * Makes and stores a part of a plan as a plan of its own, whose conversation begins with the files
 * of the part as those before it leave them.
 */
export async function openPart(
  { answers, limits, records }: ChangeDeps,
  { parts, ...head }: StoredPlan & { readonly parts: readonly PlannedPart[] },
  { index, said, on }: Place,
  workspace: Workspace,
): Promise<StoredPlan> {
  const { planId = head.planId, paths = [] } = parts[index] ?? {};
  const style = await readStyle(workspace, new Set(paths));
  const files = await Promise.all(paths.map((path) => readOn(workspace, path, on)));
  // What the part is about is shown whole: only a file that has no room even alone is cut.
  const room = { ...limits, maxFileChars: limits.maxTotalChars };
  const { blocks, stats } = fitContext([...style, ...files.flat()], room);
  const { notes, protocolVersion: version } = head;
  const goal = renderGoal(head.goal, notes);
  const context = renderBlocks(blocks, answers);
  const plan: StoredPlan = {
    ...head,
    planId,
    messages: partMessages({ version, goal, context }, { index, of: parts.length, said }),
    files: filesSeen(blocks),
    wholeFiles: filesSeenWhole(blocks),
    contextStats: { ...stats },
    createdAt: records.clock.now(),
  };
  records.plans.savePlan(plan);
  return plan;
}

/** A file as a change set leaves it; nothing where that takes it away. */
async function readOn(
  workspace: Workspace,
  path: string,
  on: ChangeSet | undefined,
): Promise<readonly Block[]> {
  const change = on?.changes.find((each) => each.path === path);
  if (!on || !change) return [await readFileBlock(workspace, path, 0)];
  if (change.kind !== "create" && change.kind !== "update") return [];
  const text = decodeUtf8(contentOf(on, change.after));
  return text === undefined
    ? []
    : [renderFileBlock({ path, text, sha256: change.after.sha256 }, 0)];
}
