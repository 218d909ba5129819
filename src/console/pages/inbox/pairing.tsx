import { useSignal } from "@preact/signals";
import { toVisibleText } from "../../../core/visible-text.ts";
import { CodeForm, Confirm } from "../../acts/acts.tsx";
import type { Item } from "../../client/client.ts";
import { messageOf, type Page } from "../../page/page.ts";

/** The two answers to who asks to speak to the bot: to let them in takes the code that they were given. */
export function PairingAnswers({
  page,
  item,
}: {
  readonly page: Pick<Page, "client" | "feed" | "texts" | "view">;
  readonly item: Item;
}) {
  const { people: texts } = page.texts.value.care;
  const failure = useSignal<string | undefined>(undefined);
  async function answer(body: Readonly<Record<string, unknown>>, said: string): Promise<boolean> {
    if (page.feed.link.value !== "live") return false;
    try {
      await page.client.post("/api/people", body);
      page.view.said.value = said;
      await page.feed.refresh();
      return true;
    } catch (error) {
      failure.value = messageOf(error);
      return false;
    }
  }
  return (
    <CodeForm page={page} onCode={(said) => answer({ act: "pair", code: said }, texts.isIn)}>
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
    </CodeForm>
  );
}
