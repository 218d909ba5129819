import type { Texts } from "../../texts/texts.ts";
import type { Completion } from "./complete.ts";

/** What may stand at the caret; its place is kept where there is nothing, so that nothing moves. */
export function CompletionView(props: {
  readonly texts: Texts;
  readonly completion: Completion | undefined;
  readonly onTake: (offer: string) => void;
}) {
  const {
    texts: { settings: texts },
    completion,
    onTake,
  } = props;
  return (
    <div id="settings-offers" class="offers" role="group" aria-label={texts.offers}>
      {completion && <kbd aria-hidden="true">Ctrl+Space</kbd>}
      {completion?.offers.map((offer) => (
        <button key={offer} type="button" class="act other" onClick={() => onTake(offer)}>
          <code>{offer.trim()}</code>
        </button>
      ))}
    </div>
  );
}
