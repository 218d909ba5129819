import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { toSize } from "../../figures/figures.tsx";
import type { Page } from "../../page/page.ts";
import { MOST_FILE_BYTES, MOST_FILES } from "./files.ts";
import type { Talk } from "./talk.ts";

/**
 * Where a message is written: Enter sends it, Shift+Enter begins a line; files come by drop, out of
 * the clipboard, or by the button.
 */
export function Composer(props: {
  readonly page: Pick<Page, "feed" | "session" | "texts">;
  readonly talk: Pick<Talk, "draft" | "files">;
  readonly onSend: (text: string) => void;
  /** While something runs there; `isHeld`: what is said from here waits for its own answer. */
  readonly onStop: (() => void) | undefined;
  readonly isHeld: boolean;
  /** What leaving does to an answer. */
  readonly hint: string;
}) {
  const { page, talk, onSend, onStop, isHeld, hint } = props;
  const { draft, files } = talk;
  const texts = page.texts.value.chat;
  const refused = useSignal("");
  const isOver = useSignal(false);
  const picker = useRef<HTMLInputElement>(null);
  const isOff = page.feed.link.value !== "live" || isHeld;
  const send = () => {
    const text = draft.value;
    if (isOff || (text.trim() === "" && files.value.length === 0)) return;
    draft.value = "";
    refused.value = "";
    onSend(text);
  };
  const take = (given: FileList | undefined | null) => {
    // What Telegram shows is of somebody who is not at the machine.
    const all = page.session.isApp ? [] : [...(given ?? [])];
    const fitting = all.filter(({ size }) => size <= MOST_FILE_BYTES);
    const large = all.filter(({ size }) => size > MOST_FILE_BYTES).map(({ name }) => name);
    const next = [...files.value, ...fitting];
    refused.value = [
      ...(large.length > 0 ? [texts.tooLarge(toVisibleText(large.join(", ")))] : []),
      ...(next.length > MOST_FILES ? [texts.tooMany(MOST_FILES)] : []),
    ].join(" ");
    files.value = next.slice(0, MOST_FILES);
    return all.length > 0;
  };
  return (
    <form
      class={`composer ${isOver.value ? "over" : ""}`}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => {
        if (page.session.isApp || !event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        isOver.value = false;
        if (take(event.dataTransfer?.files)) event.preventDefault();
      }}
    >
      <label class="words-of">
        <span>{texts.message}</span>
        <textarea
          rows={3}
          maxLength={200_000}
          value={draft.value}
          onInput={(event) => (draft.value = event.currentTarget.value)}
          onPaste={(event) => {
            if (take(event.clipboardData?.files)) event.preventDefault();
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
      </label>
      {files.value.length > 0 && (
        <ul class="attached" aria-label={texts.attached}>
          {files.value.map((file, at) => (
            <li key={at}>
              <bdi>{toVisibleText(file.name)}</bdi>{" "}
              <span class="quiet">{toSize(file.size, page.texts.value.language)}</span>
              <button
                type="button"
                class="act other"
                aria-label={texts.remove(toVisibleText(file.name))}
                onClick={() => (files.value = files.value.filter((_, place) => place !== at))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      {refused.value !== "" && <p role="alert">{refused.value}</p>}
      <div class="composer-acts">
        <span class="quiet">{hint}</span>
        <input
          type="file"
          multiple
          hidden
          ref={picker}
          onChange={(event) => {
            take(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
        {!page.session.isApp && (
          <button type="button" class="act other" onClick={() => picker.current?.click()}>
            {texts.addFiles}
          </button>
        )}
        {onStop && (
          <button type="button" class="act no" onClick={onStop}>
            {texts.stop}
          </button>
        )}
        <button type="submit" class="act yes" disabled={isOff}>
          {texts.send}
        </button>
      </div>
    </form>
  );
}
