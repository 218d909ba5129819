import { useSignal } from "@preact/signals";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";

const FIRST_CHARS = 4000;
const MORE_CHARS = 20_000;

/** A text of somebody else, spelled out; of a long one its beginning, and more at each press. */
export function LongText({ texts, text }: { readonly texts: Texts; readonly text: string }) {
  const shown = useSignal(FIRST_CHARS);
  const left = text.length - shown.value;
  return (
    <>
      <pre class="output wrap">{toVisibleText(text.slice(0, shown.value))}</pre>
      {left > 0 && (
        <button type="button" class="tool" onClick={() => (shown.value += MORE_CHARS)}>
          {texts.line.more(left)}
        </button>
      )}
    </>
  );
}
