import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Page } from "../page/page.ts";

/** Where a code that somebody was told lets them in; what else can be answered stands behind the button. */
export function CodeForm(props: {
  readonly page: Pick<Page, "feed" | "texts">;
  /** Whether it did; then the field is empty again. */
  readonly onCode: (code: string) => Promise<boolean>;
  readonly children?: ComponentChildren;
}) {
  const { page, onCode, children } = props;
  const { people: texts } = page.texts.value.care;
  const code = useSignal("");
  const isLive = page.feed.link.value === "live";
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const said = code.value.trim();
    if (isLive && said !== "" && (await onCode(said))) code.value = "";
  }
  return (
    <form class="log-wanted" onSubmit={(event) => void send(event)}>
      <label class="grows">
        <span>{texts.code}</span>
        <input
          type="text"
          autoComplete="off"
          spellcheck={false}
          maxLength={40}
          value={code.value}
          onInput={(event) => (code.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit" class={`act yes ${isLive ? "" : "off"}`} aria-disabled={!isLive}>
        {texts.letIn}
      </button>
      {children}
    </form>
  );
}
