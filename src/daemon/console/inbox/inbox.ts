import { join } from "node:path";
import { maskTexts } from "../../../agent/session/session.ts";
import type { InboxItem } from "../../../channels/http/http-channel.ts";
import { sha256 } from "../../../core/sha256.ts";
import { toVisibleName, toVisibleText } from "../../../core/visible-text.ts";
import { toRunRef } from "../../../protocol/run-ref.ts";
import type { CallApproval } from "../../../store/approvals.ts";
import { createPairing, type Pairing } from "../../../store/chats/chats.ts";
import { createPlanStore, type StoredPlan } from "../../../store/plans/plans.ts";
import { entryState } from "../../../system/remember-file.ts";
import type { RoutineService } from "../../../tools/routine-service.ts";
import type { Doctor } from "../care/care.ts";
import { countShown } from "../documents.ts";
import type { Reviews } from "../review.ts";
import { actionsOf, type ChangeApproval, type Shown, withoutRefused } from "../review-document.ts";
import { type ChangeSize, type ItemSources, toChangeItem, toHead, toTitle } from "./item.ts";
import { listPlans } from "./plans.ts";

/** What the inbox is read from. */
interface InboxSources extends ItemSources {
  readonly reviews: Pick<Reviews, "load">;
  /** Of nobody's conversations, and the owner's. */
  readonly owners?: {
    readonly routines: Pick<RoutineService, "list">;
    readonly doctor: Pick<Doctor, "items">;
  };
}

/** What waits for a person. */
export interface Inbox {
  read(): Promise<readonly InboxItem[]>;
  /** Another text where a file is another that a change set of the inbox is about. */
  states(): string;
}

/**
 * Reads all that waits for a person, in all workspaces and sessions, whichever channel they are of.
 * What is read of a change set's files is remembered as long as its question waits and they are the same.
 */
export function createInbox(sources: InboxSources): Inbox {
  const { app, viewer, owners } = sources;
  const plans = createPlanStore(app.state.store);
  const pairing = createPairing(app.state.store);
  let known: ReadonlyMap<string, Size & { readonly isSure: boolean }> = new Map();
  let words: unknown; // of the buttons among what is known
  let looked = { at: -Infinity, states: "" };
  async function read(): Promise<readonly InboxItem[]> {
    const { core } = app.current.agent;
    const now = app.clock.now();
    const waiting = core.approvals.listWaiting(now);
    const sizes = new Map<string, Size & { readonly isSure: boolean }>();
    if (words !== app.current.texts()) known = new Map();
    words = app.current.texts();
    const items: InboxItem[] = [];
    for (const approval of waiting) {
      if (!viewer.seesAll && !viewer.isOwn(approval.userId)) continue;
      if (approval.kind === "tool_call") {
        items.push(toCallItem(sources, approval));
        continue;
      }
      const plan = plans.loadPlan(approval.planId);
      const before = known.get(approval.approvalId);
      const states = before && statesOf(before.root, before.paths);
      const isRight = before?.files !== undefined && before.isSure && before.states === states;
      const found = isRight ? before : await measure(sources, approval, plan);
      // Files may have changed while they were read: it is sure once they were the same before.
      const size = { ...found, isSure: isRight || found.states === states };
      // What cannot be read now may be once the files are as they were.
      const paths = size.files === undefined ? (before?.paths ?? []) : size.paths;
      sizes.set(approval.approvalId, { ...size, paths });
      items.push(toChangeItem(sources, plan, approval, size));
    }
    // What is applied now is what it was: its files are others from one to the next.
    const sizeOf = (approvalId: string) => {
      const size = known.get(approvalId);
      if (size) sizes.set(approvalId, { ...size, paths: [], actions: [] });
      return size;
    };
    items.push(...listPlans(sources, plans, { waiting, sizeOf }));
    known = sizes;
    if (owners) {
      items.push(...listFailed(sources, owners.routines), ...owners.doctor.items());
      items.push(...pairing.waiting(now).map(toPairingItem));
    }
    const place = ({ at, id }: InboxItem) => `${at} ${id}`;
    const newestFirst = items.toSorted((a, b) => (place(a) < place(b) ? 1 : -1));
    return maskTexts(newestFirst, core.redact);
  }
  return {
    read,
    states() {
      const at = app.clock.now();
      if (Math.abs(at - looked.at) >= LOOK_MS) {
        const all = [...known.values()].map(({ root, paths }) => statesOf(root, paths));
        looked = { at, states: sha256(all.join("\n\n")) };
      }
      return looked.states;
    },
  };
}

/** Files that a question is about are looked at so often at most. */
const LOOK_MS = 1000;

/** What is read of a change set, until one of its files is another. */
interface Size extends ChangeSize {
  /** Of the workspace that its paths are in. */
  readonly root: string;
  readonly paths: readonly string[];
  /** Of its files once they were read. */
  readonly states: string;
}

/** Which files there are, up to their contents. */
function statesOf(root: string, paths: readonly string[]): string {
  return paths.map((path) => entryState(join(root, path))).join("\n");
}

async function measure(
  { app, reviews }: InboxSources,
  approval: ChangeApproval,
  plan: StoredPlan | undefined,
): Promise<Size> {
  const { preview, changeSet }: Shown = await reviews.load(approval).catch(() => ({}));
  const actions = actionsOf(approval.approvalId, preview, app.current.texts().buttons);
  const root = plan?.workspaceRoot ?? "";
  if (!preview || !changeSet) return { actions, root, paths: [], states: "" };
  const { changes, checked } = preview;
  const paths = changes.map(({ path }) => path);
  return {
    ...countShown(changeSet, changes),
    check: checked === undefined ? "not_run" : checked.check.ok ? "passed" : "failed",
    actions,
    root,
    paths,
    states: statesOf(root, paths),
  };
}

function toCallItem(
  { app, viewer }: InboxSources,
  { tool, argsJson, callSha256, ...approval }: CallApproval,
): InboxItem {
  const { workspace } = app.current.agent.core.sessions.state(approval.sessionId);
  const { buttons } = app.current.texts();
  const { approvalId: ref } = approval;
  const labelled = (act: "approve" | "reject") => ({ act, ref, label: buttons[act] });
  const args: unknown = JSON.parse(argsJson);
  return {
    ...toHead(approval, viewer),
    kind: "call",
    ...(workspace !== undefined && { workspace }),
    title: toTitle(`${tool} ${argsJson}`),
    actions: viewer.isOwn(approval.userId) ? [labelled("approve"), labelled("reject")] : [],
    ref,
    digest: callSha256,
    shown: toVisibleText(`${tool}\n${JSON.stringify(args, null, 2)}`),
    call: { tool, args },
  };
}

/** Routines whose newest run failed. */
function listFailed(
  { app }: InboxSources,
  { list }: Pick<RoutineService, "list">,
): readonly InboxItem[] {
  const setAside = app.current.agent.core.settings.of("routine.set_aside.");
  const { buttons } = app.current.texts();
  return list().flatMap(({ name, workspace, last }): readonly InboxItem[] => {
    if (last?.state !== "failed" || setAside.get(name) === last.dueAt) return [];
    const run = toRunRef(name, last.dueAt);
    const at = new Date(last.finishedAt ?? last.dueAt).toISOString();
    return [
      {
        id: run,
        kind: "failed_routine",
        ...(workspace !== undefined && { workspace }),
        title: toTitle(`${name}: ${last.error ?? last.output}`),
        at,
        ...withoutRefused(app.current.agent.core.security, [
          { act: "run_routine", ref: name, label: `▶ ${toVisibleName(name)}` },
          { act: "set_aside_run", ref: run, label: buttons.setAside },
        ]),
        ref: name,
      },
    ];
  });
}

/** Who asks to be let in; the code that they were given is their own to tell. */
function toPairingItem({
  userId,
  name,
  askedAt,
  expiresAt,
}: ReturnType<Pairing["waiting"]>[number]): InboxItem {
  return {
    id: `pairing:${userId}:${askedAt}`,
    kind: "pairing",
    title: toTitle(`${name} (${userId})`),
    at: new Date(askedAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    actions: [],
    ref: String(userId),
  };
}
