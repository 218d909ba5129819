import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Page } from "../../../page/page.ts";
import { type Cursor, hasLines, isAt, type LineOf, linesIn, type Review } from "../model/model.ts";
import { elementAt, type PaneHolder } from "../pane.ts";
import { FileSection } from "./file-section.tsx";
import { anchorAt, offsetOf, rowAtTop, rowsOffset, toDrawn } from "./sections.ts";
import { type Standing, standingAt, topFor } from "./standing.ts";
import { useLead } from "./use-lead.ts";
import { usePlace } from "./use-place.ts";
import { useSelection } from "./use-selection.ts";

export { elementAt, type PaneHolder } from "../pane.ts";
export { isKept } from "./use-place.ts";

/** So far beyond what is seen rows are drawn, and files read. */
const OVER_PX = 500;

interface View {
  readonly top: number;
  readonly bottom: number;
}

/** All files of a change set, one below the other, of which only what is seen is drawn. */
export function FilesView({
  page,
  review,
  holder,
  children,
}: {
  readonly page: Page;
  readonly review: Review;
  readonly holder: PaneHolder;
  readonly children?: ComponentChildren;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLSpanElement>(null);
  const view = useSignal<View>({ top: 0, bottom: 900 });
  const drawnNow = useRef(new Map<number, { signature: string; vnode: VNode }>());
  /** With which version of the rows an element was measured: to do it again costs a frame its time. */
  const measured = useRef(new WeakMap<Element, number>());
  /** Letters of a line. */
  const columns = useRef(0);
  /** What is seen first, in which way of laying rows. */
  const stood = useRef<{ laid: string; standing: Standing | undefined } | undefined>(undefined);
  /** The file at the upper edge, and where it began. */
  const held = useRef<{ files: unknown; file: number; start: number } | undefined>(undefined);
  /** The line that stays under the hand, and how far down the window it is. */
  const pressed = useRef<{ file: number; line: LineOf; top: number } | undefined>(undefined);
  const selection = useSelection(page, review, list, () =>
    rowAtTop(review.files(), view.value.top),
  );
  const files = review.files();
  const version = review.layout.version.value;
  void review.layout.paints.value; // colours are another look of the same rows
  const { top, bottom } = view.value;

  function look(): void {
    const [box, inner] = [scroller.current, list.current];
    if (!box || !inner) return;
    const above = box.getBoundingClientRect().top - inner.getBoundingClientRect().top;
    const next = { top: above, bottom: above + box.clientHeight };
    if (next.top !== view.value.top || next.bottom !== view.value.bottom) view.value = next;
  }

  /** Of what somebody sees first it is known where it is before the rows are laid in another way. */
  function stand(): void {
    const { isSplit, ignoresBlanks, isSince } = review.layout;
    const laid = [isSplit.value, ignoresBlanks.value, isSince.value, columns.current].join();
    const before = stood.current;
    const box = scroller.current;
    if (box && before && before.laid !== laid && view.value.top > 0) {
      const wanted = before.standing && topFor(review.files(), before.standing);
      if (wanted !== undefined) box.scrollTop += wanted - view.value.top;
      look();
    }
    stood.current = { laid, standing: standingAt(review.files(), view.value.top) };
  }

  const keepPlace = usePlace(page.nav, {
    review,
    top: () => view.value.top,
    scrollBy(px) {
      if (scroller.current) scroller.current.scrollTop += px;
      look();
    },
  });

  useLayoutEffect(() => {
    const box = scroller.current;
    const inner = list.current;
    if (!box || !inner) return undefined;
    columns.current = 0;
    const sized = () => {
      const width = ruler.current?.getBoundingClientRect().width ?? 0;
      const fit = width === 0 ? 100 : Math.floor(inner.clientWidth / (width / 10));
      if (fit !== columns.current) {
        columns.current = fit;
        review.layout.relay(fit);
      }
      look();
    };
    let frame = 0;
    const scrolled = () => {
      if (frame === 0) {
        frame = requestAnimationFrame(() => {
          frame = 0;
          look();
          stand();
          keepPlace(box.scrollTop <= 0 ? undefined : stood.current?.standing);
        });
      }
    };
    const observer = new ResizeObserver(sized);
    observer.observe(inner);
    observer.observe(box);
    box.addEventListener("scroll", scrolled, { passive: true });
    sized();
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", scrolled);
      cancelAnimationFrame(frame);
    };
  }, [review]);

  // What is drawn is measured, and what is on the screen stays where it is.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !list.current) return;
    // A file above that was read meanwhile is as high as it is, and no longer as high as guessed.
    const kept = held.current;
    const isHeld = kept !== undefined && kept.files === files && top > 0;
    const shift = isHeld ? offsetOf(review.files(), kept.file) - kept.start : 0;
    let [moved, grown] = [shift, 0];
    const now = review.layout.version.value;
    for (const body of list.current.querySelectorAll<HTMLElement>(".body[data-file]")) {
      const number = Number(body.dataset["file"]);
      const file = review.files()[number];
      if (!file) continue;
      const start = rowsOffset(review.files(), number);
      for (const element of body.children) {
        if (!(element instanceof HTMLElement) || element.dataset["row"] === undefined) continue;
        if (measured.current.get(element) === now) continue;
        measured.current.set(element, now);
        const row = Number(element.dataset["row"]);
        const before = start + file.laid.heights.offsetOf(row);
        const more = file.laid.heights.set(row, element.getBoundingClientRect().height);
        grown += Math.abs(more);
        if (before < top + shift) moved += more;
      }
    }
    if (moved !== 0) box.scrollTop += moved;
    const at = pressed.current;
    const row = at && rowOf(review, at.file, at.line);
    const under = row && elementAt(list.current, row);
    if (under) box.scrollTop += under.getBoundingClientRect().top - at.top;
    if (grown > 0.5) review.layout.bump();
    look();
    stand();
    const seen = anchorAt(review.files(), view.value.top);
    held.current = seen && { files, file: seen.file, start: offsetOf(review.files(), seen.file) };
  });

  const drawn = toDrawn(files, top - OVER_PX, bottom + OVER_PX);
  useEffect(() => {
    for (const { file, isNear } of drawn) {
      const it = files[file];
      if (isNear && it?.isOpen && hasLines(it) && it.content.kind === "none") {
        void review.source.loadFile(file);
      }
    }
  });

  const { show, reveal } = useLead({ review, scroller, list, look });
  holder.current = {
    show,
    reveal,
    first: () => rowAtTop(review.files(), view.value.top),
    hold({ file, row }) {
      const element = elementAt(list.current, { file, row });
      const [line] = linesIn(review.files()[file]?.laid.rows[row]);
      if (!element || !line) return;
      pressed.current = { file, line, top: element.getBoundingClientRect().top };
      requestAnimationFrame(() => (pressed.current = undefined));
    },
  };

  const cursor = review.position.cursor();
  const query = review.position.query.value;
  void selection.version.value;
  const { side, end } = review.position.stretch() ?? {};
  const keep = new Map<number, { signature: string; vnode: VNode }>();
  const sections = drawn.map(({ file, drawn: rows, isHeadOnly }) => {
    const it = files[file];
    if (!it) return null;
    const current = cursor?.file === file ? cursor.row : -2;
    const chosen = selection.rowsIn(file);
    const signature = [
      version,
      it.colors !== undefined,
      rows.from,
      rows.to,
      isHeadOnly,
      current,
      cursor?.file === file ? `${side}${end}` : undefined,
      chosen?.join("-"),
      selection.side(),
      query,
      page.texts.value.language,
    ].join();
    const before = drawnNow.current.get(file);
    const vnode =
      before?.signature === signature ? (
        before.vnode
      ) : (
        <FileSection
          key={it.entry.n}
          page={page}
          review={review}
          number={file}
          pane={holder}
          drawn={rows}
          current={current}
          chosen={chosen && { rows: chosen, side: selection.side() }}
        />
      );
    keep.set(file, { signature, vnode });
    return vnode;
  });
  drawnNow.current = keep;
  const first = drawn[0];
  const last = drawn.at(-1);
  const above = first ? offsetOf(files, first.file) : 0;
  const all = offsetOf(files, files.length);
  const below = last ? all - offsetOf(files, last.file + 1) : all;

  return (
    <div
      class="scroller"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={page.texts.value.showChanges}
    >
      {children}
      <div class={`files ${review.layout.isSplit.value ? "split" : "unified"}`} ref={list}>
        <span class="ruler" ref={ruler} aria-hidden="true">
          0000000000
        </span>
        <div class="space" style={{ height: `${above}px` }} />
        {sections}
        <div class="space" style={{ height: `${below}px` }} />
      </div>
      <p class="print-note">{page.texts.value.line.printed}</p>
    </div>
  );
}

function rowOf(review: Review, file: number, line: LineOf): Cursor {
  const rows = review.files()[file]?.laid.rows ?? [];
  return { file, row: rows.findIndex((row) => isAt(row, line)) };
}
