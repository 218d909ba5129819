import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Figures, PathName } from "../../figures/figures.tsx";
import { type Texts, wordFor } from "../../texts/texts.ts";
import type { PaneHolder } from "./files-view/files-view.tsx";
import type { Review } from "./model/model.ts";
import { type TreeRow, treeRows } from "./tree.ts";

/** How high a row of the tree is; the style sheet says the same. */
const TREE_ROW_PX = 28;
const OVER_ROWS = 8;

/** A narrow screen has the tree over the files, and only when it is asked for; the style sheet says the same. */
const NARROW = "(max-width: 900px)";

/** Whether the tree is open: at first where there is room and use for it, and never where room was lost. */
export function useTree(isOfUse: boolean): Signal<boolean> {
  const isOpen = useSignal(isOfUse && !matchMedia(NARROW).matches);
  useEffect(() => {
    const narrow = matchMedia(NARROW);
    const onChange = () => {
      if (narrow.matches) isOpen.value = false;
    };
    narrow.addEventListener("change", onChange);
    return () => narrow.removeEventListener("change", onChange);
  }, [isOpen]);
  return isOpen;
}

/** The files of a change set in their folders, with what is added and removed in each. */
export function TreeView({
  texts,
  review,
  holder,
  isOpen,
}: {
  readonly texts: Texts;
  readonly review: Review;
  readonly holder: PaneHolder;
  /** Over the files it goes when one is chosen. */
  readonly isOpen: Signal<boolean>;
}) {
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const seen = useSignal({ from: 0, to: 60 });
  const box = useRef<HTMLElement>(null);
  const entries = review.files().map(({ entry }) => entry);
  const rows = treeRows(entries, closed.value);
  const current = review.position.cursor()?.file;
  const look = () => {
    if (!box.current) return;
    const { scrollTop, clientHeight } = box.current;
    const from = Math.max(0, Math.floor(scrollTop / TREE_ROW_PX) - OVER_ROWS);
    const to = Math.ceil((scrollTop + clientHeight) / TREE_ROW_PX) + OVER_ROWS;
    if (from !== seen.value.from || to !== seen.value.to) seen.value = { from, to };
  };
  useLayoutEffect(look);
  const { from, to } = seen.value;
  const toggle = (path: string) => {
    const next = new Set(closed.value);
    if (!next.delete(path)) next.add(path);
    closed.value = next;
  };
  const choose = (file: number) => {
    review.opening.toggle(file, true);
    holder.current?.show({ file, row: -1 }, "quiet");
    if (matchMedia(NARROW).matches) isOpen.value = false;
  };
  return (
    <nav class="tree" aria-label={texts.tree} ref={box} onScroll={look} tabIndex={-1}>
      <ul style={{ height: `${rows.length * TREE_ROW_PX}px` }}>
        {rows.slice(from, to).map((row, at) => (
          <li
            key={`${row.kind} ${row.path}`}
            style={{ top: `${(from + at) * TREE_ROW_PX}px` }}
            aria-setsize={rows.length}
            aria-posinset={from + at + 1}
          >
            <button
              type="button"
              class={`tree-row ${row.kind} ${row.kind === "file" && row.file === current ? "current" : ""}`}
              style={{ paddingInlineStart: `${indentOf(row.depth)}px` }}
              title={toVisibleText(row.path)}
              {...ariaOf(row, current)}
              onClick={() => (row.kind === "file" ? choose(row.file) : toggle(row.path))}
            >
              <span class={`arrow ${row.kind === "folder" && row.isOpen ? "open" : ""}`} />
              <span class="tree-name">
                <PathName path={row.name} />
              </span>
              {row.kind === "folder" && row.own !== undefined && (
                <OwnSign kind={entries[row.own]?.kind ?? ""} texts={texts} />
              )}
              <Figures texts={texts} added={row.added} removed={row.removed} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A folder that comes or goes itself. */
function OwnSign({ kind, texts }: { readonly kind: string; readonly texts: Texts }) {
  const word = wordFor(texts.file, kind, kind);
  return (
    <span class={`own ${kind}`} role="img" aria-label={word} title={word}>
      {kind === "rmdir" ? "−" : "+"}
    </span>
  );
}

/** Far down each step is smaller, so that names keep their room. */
function indentOf(depth: number): number {
  return 10 + 14 * Math.min(depth, STEPS) + 2 * Math.min(Math.max(0, depth - STEPS), STEPS);
}

const STEPS = 5;

function ariaOf(row: TreeRow, current: number | undefined) {
  if (row.kind === "folder") return { "aria-expanded": row.isOpen };
  return row.file === current ? { "aria-current": "true" as const } : {};
}
