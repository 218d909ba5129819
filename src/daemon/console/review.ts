import { unmaskPaths } from "../../agent/session/session.ts";
import type {
  PersonFacts,
  Review,
  ReviewFile,
  ReviewImage,
} from "../../channels/http/http-channel.ts";
import type { Comment } from "../../channels/press.ts";
import { createPlanStore, type StoredPlan } from "../../store/plans/plans.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import { findRenames, type Rename } from "../../transaction/compute/compute.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { App } from "../app/app.ts";
import { toFileDocument, toRenamedDocument } from "./documents.ts";
import { toImage } from "./images.ts";
import { findPastChange } from "./past-change.ts";
import {
  type ChangeApproval,
  type Previous,
  type Shown,
  stateOf,
  toReview,
} from "./review-document.ts";
import {
  createBases,
  createDrafts,
  createMarks,
  createSeenFiles,
  type Drafted,
  findNoPlace,
  type Marks,
  placeComments,
  type Since,
  sinceOf,
} from "./versions/versions.ts";
import type { Viewer } from "./viewer.ts";

/** Reads change sets that were asked about. */
export interface Reviews {
  /** Read anew: what was shown may not be so any more. */
  load(approval: ChangeApproval): Promise<Shown>;
  review(approvalId: string): Promise<Review | undefined>;
  /** `isRenamed`: as what it is of the file of which it has the lines, where it is of one. */
  file(approvalId: string, n: number, isRenamed: boolean): Promise<ReviewFile | undefined>;
  image(approvalId: string, n: number, side: "before" | "after"): Promise<ReviewImage | undefined>;
  /** Keeps what somebody is about to say of one place. */
  draft(approvalId: string, said: Comment): Promise<Drafted>;
  /** Keeps that somebody has looked at a file as it is there, or has not. */
  readonly see: PersonFacts["see"];
  /** Keeps what somebody is about to leave out. */
  readonly untick: PersonFacts["untick"];
  /** Of those of which something was marked. */
  readonly signs: Marks["signs"];
}

/** What is said of a file, or the file. */
type Named = Pick<Comment, "path">;

/** Whole change sets that are held for who reads their files one by one. */
const HELD = 3;
/** Nobody waits longer for a page. */
const MOST_MS = 60_000;

/** Reviews of one daemon, as `viewer` may see them. */
export function createReviews(
  app: Pick<App, "current" | "state" | "clock">,
  viewer: Viewer,
): Reviews {
  const plans = createPlanStore(app.state.store);
  /** By what they are made of, so that what is held is right for as long as it is. */
  const held = new Map<string, ChangeSet>();
  const settings = () => app.current.agent.core.settings;
  const marks = createMarks();
  const seenFiles = createSeenFiles(settings);
  const drafts = createDrafts(settings, marks.note);
  const bases = createBases({
    settings,
    signs: marks.signs,
    async read(approvalId) {
      const approval = find(approvalId);
      const changeSet = approval && held.get(approval.changeSetId);
      return changeSet ? { changeSet } : approval && load(approval);
    },
  });
  /** The last two that were compared: files are read one by one. */
  let renamed: { readonly id: string; readonly renames: readonly Rename[] } | undefined;
  let compared: { readonly pair: string; readonly since: Since } | undefined;

  function find(approvalId: string): ChangeApproval | undefined {
    const approval = app.current.agent.core.approvals.load(approvalId);
    if (approval?.kind !== "change_set") return undefined;
    return viewer.seesAll || viewer.isOwn(approval.userId) ? approval : undefined;
  }

  function hold(changeSetId: string, changeSet: ChangeSet): void {
    held.delete(changeSetId);
    held.set(changeSetId, changeSet);
    for (const [oldest] of held) if (held.size > HELD) held.delete(oldest);
  }

  async function load(approval: ChangeApproval): Promise<Shown> {
    const { core, plans: own } = app.current.agent;
    const { planId, changeSetId, state } = approval;
    const plan = plans.loadPlan(planId);
    const workspace = plan && findWorkspace(plan, (name) => core.workspaces.get(name));
    if (!workspace) return {};
    if (state !== "waiting") {
      const past = findPastChange(workspace, changeSetId);
      if (past) return { past, changeSet: past.changeSet };
    }
    const signal = AbortSignal.timeout(MOST_MS);
    return (await own.operations.showAgain(planId, changeSetId, signal)) ?? {};
  }

  /** Its changes, as long as they can be read: from what is held, where it is. */
  async function changesOf(approval: ChangeApproval): Promise<ChangeSet | undefined> {
    const { changeSetId } = approval;
    const changeSet = held.get(changeSetId) ?? (await load(approval)).changeSet;
    if (changeSet) hold(changeSetId, changeSet);
    return changeSet;
  }

  /** The question, if whoever looks was asked. */
  function findOwn(approvalId: string): ChangeApproval | undefined {
    const asked = find(approvalId);
    return asked && viewer.isOwn(asked.userId) ? asked : undefined;
  }

  /** The same, as long as they can answer it. */
  function findWaiting(approvalId: string): ChangeApproval | undefined {
    const asked = findOwn(approvalId);
    return asked && stateOf(asked, app.clock.now()) === "waiting" ? asked : undefined;
  }

  /** The question before this one that this one is compared with, for whoever asks. */
  async function previousOf(
    asked: ChangeApproval,
    now: ChangeSet,
    isAnew: boolean,
  ): Promise<Previous | undefined> {
    const { approvalId, changeSetId, userId } = asked;
    const isTicked = viewer.isOwn(userId)
      ? (id: string) => seenFiles.isTicked(viewer.reader, id)
      : undefined;
    const base = await bases.of({ approvalId, changeSetId, isTicked }, isAnew);
    if (!base) return undefined;
    const { changeSet: before, isLooked } = base;
    const since = before && sinceOnce(before, now);
    return {
      approvalId: base.approvalId,
      isLooked,
      comments: placeComments(base.comments ?? [], before, now),
      ...(since && { since }),
    };
  }

  function sinceOnce(before: ChangeSet, now: ChangeSet): Since {
    const pair = `${before.id} ${now.id}`;
    if (compared?.pair !== pair) compared = { pair, since: sinceOf(before, now) };
    return compared.since;
  }

  function renamesOf(changeSet: ChangeSet): readonly Rename[] {
    if (renamed?.id !== changeSet.id)
      renamed = { id: changeSet.id, renames: findRenames(changeSet) };
    return renamed.renames;
  }

  /** What is said of files by the names they are shown under, of the files. */
  const ofFiles = <Said extends Named>(all: readonly Said[], files: readonly Named[]) =>
    unmaskPaths(all, files, app.current.agent.core.redact);

  function nextOf({ approvalId, state }: ChangeApproval): string | undefined {
    if (state !== "replaced") return undefined;
    const all = app.current.agent.core.settings.of("earlier.").below("");
    const next = all.findLast(({ value }) => value.approvalId === approvalId);
    return next && find(next.id)?.approvalId;
  }

  return {
    load,
    async review(approvalId) {
      const approval = find(approvalId);
      if (!approval) return undefined;
      const shown = await load(approval);
      const changeSet = held.get(approval.changeSetId) ?? shown.changeSet;
      if (changeSet) hold(approval.changeSetId, changeSet);
      const plan = plans.loadPlan(approval.planId);
      const isOwn = viewer.isOwn(approval.userId);
      const previous = changeSet && (await previousOf(approval, changeSet, true));
      const lineage = {
        previous,
        next: nextOf(approval),
        leftOut: settings().of("earlier.").get(approvalId)?.leftOut ?? [],
        draft: isOwn ? drafts.of(approvalId) : { comments: [], unticked: [] },
        renames: changeSet ? renamesOf(changeSet) : [],
        seen:
          isOwn && plan && changeSet
            ? seenFiles.of(lookAt(viewer, approval, plan, changeSet))
            : undefined,
      };
      const asked = { ...approval, sessionId: viewer.toShown(approval.sessionId) };
      return toReview(app, { approval: asked, plan, shown, changeSet, isOwn, lineage });
    },
    async file(approvalId, n, isRenamed) {
      const approval = find(approvalId);
      if (!approval) return undefined;
      const changeSet = await changesOf(approval);
      if (!changeSet) return undefined;
      const { redact } = app.current.agent.core;
      const previous = await previousOf(approval, changeSet, false);
      const rename = isRenamed ? renamesOf(changeSet).find(({ to }) => to === n) : undefined;
      const document = rename
        ? toRenamedDocument(changeSet, rename, redact, previous?.since)
        : toFileDocument(changeSet, n, redact, previous?.since);
      const { old_path: old } = { old_path: undefined, ...document };
      if (!document) return undefined;
      const names = {
        path: redact(document.path),
        ...(typeof old === "string" && { old_path: redact(old) }),
      };
      return { ...document, ...names };
    },
    async image(approvalId, n, side) {
      const approval = find(approvalId);
      const changeSet = approval && (await changesOf(approval));
      if (!changeSet) return undefined;
      return toImage(changeSet, n, side, app.current.agent.core.redact);
    },
    async draft(approvalId, said) {
      // What was not sent can be let go of when it is over, too.
      const isGoing = said.text === "";
      const asked = isGoing ? findOwn(approvalId) : findWaiting(approvalId);
      if (!asked) return { kind: "not kept" };
      // Of what cannot be read any more nobody knows which lines there are.
      const isOfPlace = said.path !== undefined && !isGoing;
      const changeSet = isOfPlace ? await changesOf(asked).catch(() => undefined) : undefined;
      if (!isGoing && !findWaiting(approvalId)) return { kind: "not kept" }; // it was answered meanwhile
      // Words that go are those of a file that they are kept of, also where none can be read any more.
      const meant = ofFiles([said], changeSet?.changes ?? drafts.of(approvalId).comments);
      if (!meant.ok) return { kind: "several files", path: meant.path };
      const [own = said] = meant.all;
      const noPlace = changeSet && findNoPlace(own, changeSet);
      if (noPlace) return noPlace;
      return { kind: drafts.say(approvalId, own) ? "kept" : "too much" };
    },
    async untick(approvalId, parts) {
      const asked = findWaiting(approvalId);
      if (!asked) return { kind: "not kept" };
      // What is taken in again is so of files, too, that cannot be read any more.
      const isTakenIn = parts.every(({ hunks }) => hunks?.length === 0);
      const changeSet = isTakenIn ? undefined : await changesOf(asked);
      if (!findWaiting(approvalId) || !(changeSet || isTakenIn)) return { kind: "not kept" };
      const meant = ofFiles(parts, changeSet?.changes ?? drafts.of(approvalId).unticked);
      if (!meant.ok) return { kind: "several files", path: meant.path };
      return { kind: drafts.untick(approvalId, meant.all, changeSet) ? "kept" : "not kept" };
    },
    async see(approvalId, path, isSeen) {
      const approval = findWaiting(approvalId);
      const plan = approval && plans.loadPlan(approval.planId);
      const changeSet = plan && (await changesOf(approval));
      if (!changeSet || !findWaiting(approvalId)) return { kind: "not kept" };
      const meant = ofFiles([{ path }], changeSet.changes);
      if (!meant.ok) return { kind: "several files", path };
      const [own = { path }] = meant.all;
      const looked = lookAt(viewer, approval, plan, changeSet);
      if (!seenFiles.mark(looked, own.path, isSeen)) return { kind: "not kept" };
      marks.note(approvalId);
      return { kind: "kept" };
    },
    signs: marks.signs,
  };
}

function lookAt(
  { reader }: Viewer,
  { approvalId }: ChangeApproval,
  { workspaceRoot }: StoredPlan,
  changeSet: ChangeSet,
) {
  return { person: reader, approvalId, workspaceRoot, changeSet };
}

function findWorkspace(
  { workspaceEntry, workspaceRoot }: StoredPlan,
  get: (name: string) => Workspace,
): Workspace | undefined {
  try {
    const workspace = get(workspaceEntry ?? workspaceRoot);
    return workspace.root === workspaceRoot ? workspace : undefined;
  } catch {
    return undefined; // the configuration has it no more
  }
}
