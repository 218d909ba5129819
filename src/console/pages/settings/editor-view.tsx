import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { View } from "../../page/page.ts";
import type { Texts } from "../../texts/texts.ts";
import { complete } from "./complete.ts";
import { CompletionView } from "./completion-view.tsx";
import { Findings } from "./findings.tsx";
import { FoundConfigView } from "./found-config-view.tsx";
import { KeysView } from "./keys-view.tsx";
import type { Editor } from "./model.ts";

/** The file in a box with numbers at its lines, what is wrong with it, and all that it may hold. */
export function EditorView(props: {
  readonly texts: Texts;
  readonly view: Pick<View, "said">;
  readonly editor: Editor;
  readonly onReview: () => void;
}) {
  const { texts: all, editor, onReview } = props;
  const { settings: texts, again } = all;
  const box = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLDivElement>(null);
  const caret = useSignal(0);
  const completeAt = (place: number) => complete(editor.text.value, place, editor.keys.value);
  const completion = useComputed(() => completeAt(caret.value)).value;
  const settings = editor.settings.value;
  const text = editor.text.value;
  const checked = editor.checked.value;
  if (!settings) return null;
  const show = (line: number) => {
    if (box.current) goToLine(box.current, line);
  };
  /** Where the caret is by now: a press elsewhere may have moved it, and another text come. */
  const take = (which: (offers: readonly string[]) => string | undefined) => {
    if (!box.current) return;
    const place = box.current.selectionEnd;
    const now = completeAt(place);
    const offer = which(now?.offers ?? []);
    if (!now || offer === undefined) return;
    box.current.focus();
    box.current.setSelectionRange(now.from, place);
    // As if it were typed, so that it can be undone; where a browser cannot, it is put in.
    if (!document.execCommand("insertText", false, offer)) {
      box.current.setRangeText(offer, now.from, place, "end");
      editor.edit(box.current.value);
    }
    caret.value = box.current.selectionEnd;
    props.view.said.value = texts.taken(offer.trim());
  };
  if (settings.text === undefined) {
    return (
      <section class="panel bad" aria-label={texts.cannotShow}>
        <h2>{texts.cannotShow}</h2>
        <p>
          <bdi>{toVisibleText(settings.path)}</bdi>
        </p>
        <Findings texts={all} problems={settings.problems} warnings={[]} hidden={[]} />
        <button type="button" class="act other" onClick={() => void editor.load()}>
          {again}
        </button>
      </section>
    );
  }
  const problems = (checked ?? settings).problems;
  const isChanged = text !== settings.text;
  const canReview = isChanged && checked !== undefined && problems.length === 0;
  const failure = editor.failure.value;
  return (
    <section aria-label={texts.file}>
      <h2>{texts.file}</h2>
      <p class="item-facts">
        <bdi>{toVisibleText(settings.path)}</bdi>
        {!settings.exists && <span>{texts.notThere}</span>}
        {settings.masks > 0 && <span>{texts.masked(settings.masks)}</span>}
      </p>
      <CompletionView
        texts={all}
        completion={completion}
        onTake={(offer) => take((offers) => offers.find((each) => each === offer))}
      />
      <div class="editor">
        <Numbers holder={numbers} text={text} problems={problems.map(({ line }) => line)} />
        <textarea
          ref={box}
          aria-label={texts.box}
          aria-describedby="settings-findings"
          aria-controls="settings-offers"
          aria-invalid={problems.length > 0}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          wrap="off"
          dir="ltr"
          value={text}
          onInput={(event) => {
            editor.edit(event.currentTarget.value);
            caret.value = event.currentTarget.selectionEnd;
          }}
          onKeyUp={(event) => (caret.value = event.currentTarget.selectionEnd)}
          onClick={(event) => (caret.value = event.currentTarget.selectionEnd)}
          onKeyDown={(event) => {
            if (event.code !== "Space" || !event.ctrlKey || event.isComposing) return;
            event.preventDefault();
            take(([first]) => first);
          }}
          onScroll={(event) => {
            if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      <div id="settings-findings" role="status">
        <p class="quiet">{checked ? texts.found(problems.length) : texts.looking}</p>
        <Findings
          texts={all}
          problems={problems}
          warnings={checked?.warnings ?? []}
          hidden={checked?.hidden ?? []}
          onShow={show}
        />
      </div>
      {failure !== undefined && (
        <p class="entry-error" role="alert">
          {toVisibleText(failure)}
        </p>
      )}
      <div class={`row-of-acts ${isChanged || editor.isStale.value ? "save-bar" : ""}`}>
        <button
          type="button"
          class={`act yes ${canReview ? "" : "off"}`}
          aria-disabled={!canReview}
          onClick={() => {
            if (canReview) onReview();
          }}
        >
          {texts.review}
        </button>
        {isChanged && (
          <button type="button" class="act other" onClick={() => editor.edit(settings.text ?? "")}>
            {texts.discard}
          </button>
        )}
        {editor.isStale.value && (
          <button type="button" class="act other" onClick={() => void editor.rebase()}>
            {texts.rebase}
          </button>
        )}
        <span role="status">
          {editor.saving.value === "saved" && texts.saved(toVisibleText(settings.path))}
        </span>
      </div>
      <FoundConfigView texts={all} beside={(checked ?? settings).beside} />
      <KeysView
        texts={all}
        editor={editor}
        onPut={(line) => requestAnimationFrame(() => show(line))}
      />
    </section>
  );
}

/** Beside the box, and scrolled with it; for who hears the page it would be noise. */
function Numbers(props: {
  readonly holder: { current: HTMLDivElement | null };
  readonly text: string;
  readonly problems: readonly number[];
}) {
  const { holder, text, problems } = props;
  const count = text.split("\n").length;
  const wrong = new Set(problems);
  useLayoutEffect(() => {
    const box = holder.current?.parentElement?.querySelector("textarea");
    if (holder.current && box) holder.current.scrollTop = box.scrollTop;
  });
  return (
    <div class="numbers" aria-hidden="true" ref={holder}>
      {Array.from({ length: count }, (_, at) => (
        <span key={at} class={wrong.has(at + 1) ? "wrong" : undefined}>
          {wrong.has(at + 1) ? `! ${at + 1}` : at + 1}
        </span>
      ))}
    </div>
  );
}

/** Selects a line, and scrolls to where it is. */
function goToLine(box: HTMLTextAreaElement, line: number): void {
  const lines = box.value.split("\n");
  const start = lines
    .slice(0, Math.max(0, line - 1))
    .reduce((sum, each) => sum + each.length + 1, 0);
  box.focus();
  box.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  box.scrollTop = Math.max(0, (box.scrollHeight / lines.length) * (line - 4));
  box.scrollIntoView({ block: "nearest" });
}
