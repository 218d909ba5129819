import { useSignal } from "@preact/signals";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Editor } from "./model.ts";
import type { KnownKey } from "./wire.ts";

/** So many keys are shown at once; a word more finds the others. */
const MOST_SHOWN = 30;

/** All keys that there are, found by any word of what is said of them. */
export function KeysView(props: {
  readonly texts: Texts;
  readonly editor: Editor;
  /** A key was put in, at a line. */
  readonly onPut: (line: number) => void;
}) {
  const {
    texts: { settings: texts },
    editor,
    onPut,
  } = props;
  const sought = useSignal("");
  const found = findKeys(editor.keys.value, sought.value);
  return (
    <details class="keys-of">
      <summary>{texts.keys}</summary>
      <label class="words-of">
        <span>{texts.search}</span>
        <input
          type="search"
          value={sought.value}
          onInput={(event) => (sought.value = event.currentTarget.value)}
        />
      </label>
      <p class="quiet" role="status">
        {texts.keysFound(Math.min(found.length, MOST_SHOWN), found.length)}
      </p>
      <ul class="items">
        {found.slice(0, MOST_SHOWN).map(({ key, description, initial, allowed, facts }) => (
          <li key={key} class="item">
            <p class="item-main">
              <code>{toVisibleText(key)}</code>
              <button
                type="button"
                class="tool"
                aria-label={texts.putKey(key)}
                onClick={() => void editor.insert(key).then(onPut)}
              >
                {texts.put}
              </button>
            </p>
            <p>{toVisibleText(description)}</p>
            <p class="item-facts">
              <span>{texts.allowed(toVisibleText(allowed))}</span>
              {initial !== undefined && (
                <span>{texts.initial(toVisibleText(JSON.stringify(initial)))}</span>
              )}
              {facts.map((fact) => (
                <span key={fact}>{texts.facts[fact]}</span>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function findKeys(keys: readonly KnownKey[], sought: string): readonly KnownKey[] {
  const words = sought.toLowerCase().split(/\s+/u).filter(Boolean);
  return keys.filter(({ key, description }) => {
    const text = `${key} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
