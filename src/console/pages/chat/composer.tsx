import type { Signal } from "@preact/signals";
import type { Page } from "../../page.ts";

/** Where a message is written: Enter sends it, Shift+Enter begins a line. */
export function Composer(props: {
  readonly page: Page;
  readonly draft: Signal<string>;
  readonly onSend: (text: string) => void;
  /** While something runs. */
  readonly onStop: (() => void) | undefined;
}) {
  const { page, draft, onSend, onStop } = props;
  const texts = page.texts.value.chat;
  const isOff = page.link.value !== "live" || onStop !== undefined;
  const send = () => {
    const text = draft.value;
    if (isOff || text.trim() === "") return;
    draft.value = "";
    onSend(text);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="words-of">
        <span>{texts.message}</span>
        <textarea
          rows={3}
          maxLength={200_000}
          value={draft.value}
          onInput={(event) => (draft.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
      </label>
      <div class="composer-acts">
        <span class="quiet">{onStop ? texts.whileRunning : texts.keys}</span>
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
