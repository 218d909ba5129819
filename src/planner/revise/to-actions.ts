import { decodeUtf8 } from "../../core/decode-utf8.ts";
import { normalisePath } from "../../core/relative-path.ts";
import { type Action, isStated } from "../../protocol/response.ts";
import type { Change, ChangeSet } from "../../transaction/change.ts";
import { contentOf } from "../../transaction/change-set.ts";
import { computeChangeSet, findRenames } from "../../transaction/compute/compute.ts";
import { renderDiff } from "../../transaction/preview.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ApplyContext } from "../evaluate/evaluate.ts";

type Update = Extract<Change, { readonly kind: "update" }>;

/** Where actions are carried out, and those that are known to have led to some of the changes. */
export interface Carrying {
  readonly workspace: Workspace;
  readonly context: ApplyContext;
  readonly known: readonly Action[];
  /** What was shown, of which these changes are left: a file may have come by another's name there. */
  readonly shown: ChangeSet;
}

/**
 * Actions that come to a change set, byte for byte: a plan keeps actions, so that what it does is
 * checked anew by every gate each time it is used. Undefined for a path that none can bring there.
 */
export function toActions(
  carrying: Carrying,
  changeSet: ChangeSet,
): readonly Action[] | { readonly path: string } {
  const known = new Map(carrying.known.map((action) => [normalOf(action.path), action]));
  const origins = originsIn(carrying.shown);
  const actions: Action[] = [];
  for (const change of changeSet.changes) {
    if (change.kind === "mkdir" && changeSet.changes.some((each) => isMadeIn(each, change.path))) {
      continue; // it comes with what is made in it
    }
    const action = toAction(carrying, changeSet, change, known.get(change.path));
    if (!action) return { path: change.path };
    const from = origins.get(change.path);
    const isMade = action.kind === "CREATE_FILE" && action.rights_of === undefined;
    actions.push(isMade && from !== undefined ? { ...action, rights_of: from } : action);
  }
  return actions;
}

function toAction(
  carrying: Carrying,
  changeSet: ChangeSet,
  change: Change,
  known: Action | undefined,
): Action | undefined {
  const { path } = change;
  switch (change.kind) {
    case "mkdir":
      return { kind: "CREATE_DIR", path };
    case "rmdir":
      return { kind: "DELETE_DIR", path };
    case "delete":
      return known?.kind === "DELETE_FILE" ? { ...known, path } : { kind: "DELETE_FILE", path };
    case "create": {
      const content = decodeUtf8(contentOf(changeSet, change.after));
      if (content === undefined) return undefined;
      return { ...(known?.kind === "CREATE_FILE" && known), kind: "CREATE_FILE", path, content };
    }
    case "update": {
      const marks = known && isStated(known) ? { as_stated: true } : {};
      const ways = [...(known ? [known] : []), ...waysTo(changeSet, change, marks)];
      return ways.find((action) => leadsTo(carrying, action, change));
    }
    default:
      return change satisfies never;
  }
}

/** Whose lines and rights a new file has, also where that one is to stay after all. */
function originsIn(shown: ChangeSet): ReadonlyMap<string, string> {
  return new Map(
    findRenames(shown).flatMap(({ from, to }) => {
      const [gone, come] = [shown.changes[from], shown.changes[to]];
      return gone && come ? [[come.path, gone.path] as const] : [];
    }),
  );
}

/** A range of lines, or a diff where the ends of lines are others. */
function waysTo(
  changeSet: ChangeSet,
  change: Update,
  marks: { readonly as_stated?: boolean },
): readonly Action[] {
  const { path } = change;
  const [before, after] = [change.before, change.after].map((state) =>
    decodeUtf8(contentOf(changeSet, state)),
  );
  if (before === undefined || after === undefined) return [];
  const base = { path, base_sha256: change.before.sha256 };
  const patch = renderDiff({ ...changeSet, changes: [change] });
  return [
    { kind: "REPLACE_RANGE", ...base, ...rangeOf(before.split("\n"), after.split("\n")) },
    { kind: "PATCH_FILE", ...base, patch, ...marks },
  ];
}

function rangeOf(before: readonly string[], after: readonly string[]) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const content = after.slice(head, after.length - tail);
  return {
    start_line: head + 1,
    end_line: before.length - tail,
    content: content.length === 0 ? "" : `${content.join("\n")}\n`,
  };
}

function leadsTo(
  { workspace, context }: Carrying,
  action: Action,
  { path, after }: Update,
): boolean {
  const made = computeChangeSet(workspace, [action], context);
  const [change] = made.ok ? made.changeSet.changes : [];
  return (
    change?.kind === "update" &&
    change.path === path &&
    change.after.sha256 === after.sha256 &&
    change.after.mode === after.mode
  );
}

function isMadeIn({ kind, path }: Change, folder: string): boolean {
  return (kind === "mkdir" || kind === "create") && path.startsWith(`${folder}/`);
}

function normalOf(path: string): string {
  const normal = normalisePath(path);
  return normal.ok ? normal.path : path;
}
