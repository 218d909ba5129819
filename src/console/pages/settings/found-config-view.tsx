import { toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import type { FoundConfig, Named } from "./wire.ts";

/** What is so of another file that was found: no part of what is saved, and no answer to it. */
export function FoundConfigView(props: {
  readonly texts: Texts;
  readonly beside: FoundConfig | undefined;
}) {
  const {
    texts: {
      settings: { beside: texts },
    },
    beside,
  } = props;
  if (!beside) return null;
  const { path, why, reason, ignored, held } = beside;
  const list = ({ names, left }: Named) => texts.list(names.map(toVisibleText), left);
  const isOthers = why === "other";
  return (
    <section class="panel" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p>{texts.where(toVisibleText(path))}</p>
      {why === "untrusted" && <p>{texts.untrusted}</p>}
      {why === "changed" && <p>{texts.changed}</p>}
      {why === "broken" && <p>{texts.broken(toVisibleText(reason))}</p>}
      {isOthers && <p>{texts.other(list(ignored))}</p>}
      {held.names.length > 0 && <p>{texts.held(list(held))}</p>}
      {!isOthers && ignored.names.length > 0 && <p>{texts.ignored(list(ignored))}</p>}
      {!isOthers && <p class="quiet">{texts.trust}</p>}
    </section>
  );
}
