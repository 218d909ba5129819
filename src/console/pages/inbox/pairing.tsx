import { useSignal } from "@preact/signals";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Confirm } from "../../acts/acts.tsx";
import type { Item } from "../../client/client.ts";
import { messageOf, type Page } from "../../page.ts";

/** The two answers to who asks to speak to the bot: to let them in takes the code that they were given. */
export function PairingAnswers({ page, item }: { readonly page: Page; readonly item: Item }) {
  const { people: texts } = page.texts.value.care;
  const code = useSignal("");
  const failure = useSignal<string | undefined>(undefined);
  const isLive = page.link.value === "live";
  async function answer(body: Readonly<Record<string, unknown>>, said: string): Promise<void> {
    if (!isLive) return;
    try {
      await page.client.post("/api/people", body);
      page.said.value = said;
      await page.refresh();
    } catch (error) {
      failure.value = messageOf(error);
    }
  }
  return (
    <form
      class="log-wanted"
      onSubmit={(event) => {
        event.preventDefault();
        const said = code.value.trim();
        if (said !== "") void answer({ act: "pair", code: said }, texts.isIn);
      }}
    >
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
      <Confirm
        page={page}
        label={texts.refuse}
        about={item.title}
        onYes={() => void answer({ act: "refuse", user_id: Number(item.ref) }, "")}
      />
      {failure.value !== undefined && (
        <p class="words bad" role="alert">
          {toVisibleText(failure.value)}
        </p>
      )}
    </form>
  );
}
