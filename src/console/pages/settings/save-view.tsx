import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { GUARD_MS } from "../../acts/acts.tsx";
import type { Client } from "../../client/client.ts";
import type { Page } from "../../page/page.ts";
import type { Texts } from "../../texts/texts.ts";
import { ChangesView } from "../review/review.tsx";
import type { Editor } from "./model.ts";
import { type Checked, FACTS, toChangeSet } from "./wire.ts";

/** What would be saved: the lines, and in words what it opens. */
export function SaveView(props: {
  readonly page: Page;
  readonly editor: Editor;
  readonly onBack: () => void;
}) {
  const { page, editor, onBack } = props;
  const { settings: texts } = page.texts.value;
  const settings = editor.settings.value;
  const checked = editor.checked.value;
  const isReady = useSignal(false);
  const focusedAt = page.view.focusedAt.value;
  useEffect(() => {
    isReady.value = false;
    const timer = setTimeout(() => (isReady.value = true), GUARD_MS);
    return () => clearTimeout(timer);
  }, [focusedAt]);
  const [before, after] = [settings?.text ?? "", editor.text.value];
  const client = useMemo(
    (): Client => ({
      ...page.client,
      changeSet: async () => toChangeSet(settings?.path ?? "", checked ?? NOTHING),
      file: async () => ({ before, after, hunks: checked?.hunks ?? [] }),
    }),
    [checked],
  );
  const failure = editor.failure.value;
  const isSent = editor.saving.value === "sent";
  const canSave =
    isReady.value && !isSent && !editor.isStale.value && page.feed.link.value === "live";
  async function save(): Promise<void> {
    if (!canSave) return;
    await editor.save();
    if (editor.saving.value === "saved") onBack();
  }
  return (
    <ChangesView
      page={page}
      client={client}
      id="settings"
      isFixed={true}
      foot={
        <div class="acts">
          <p class="press" role="status">
            {failure !== undefined && <span class="words bad">{toVisibleText(failure)}</span>}
          </p>
          <button type="button" class="act other" onClick={onBack}>
            {texts.back}
          </button>
          <button
            type="button"
            class={`act yes ${canSave ? "" : "off"}`}
            aria-disabled={!canSave}
            onClick={() => void save()}
          >
            {texts.save}
          </button>
        </div>
      }
    >
      {() => (
        <div class="review-head">
          <h1>{texts.saveTitle}</h1>
          {checked && <Opened texts={page.texts.value} checked={checked} />}
        </div>
      )}
    </ChangesView>
  );
}

const NOTHING: Checked = {
  problems: [],
  warnings: [],
  beside: undefined,
  hidden: [],
  changes: [],
  hunks: [],
  added: 0,
  removed: 0,
};

/** Key by key what would be in force, by what it opens. */
function Opened({
  texts: { settings: texts },
  checked,
}: {
  readonly texts: Texts;
  readonly checked: Checked;
}) {
  const { changes } = checked;
  if (changes.length === 0) return <p>{texts.nothingChanges}</p>;
  const opening = FACTS.flatMap((fact) => {
    const of = changes.filter(({ facts }) => facts.includes(fact));
    return of.length === 0 ? [] : [{ fact, of }];
  });
  return (
    <>
      {opening.map(({ fact, of }) => (
        <section
          key={fact}
          class={`panel ${fact === "restart" ? "" : "bad"}`}
          aria-label={texts.opens[fact]}
        >
          <h2>{texts.opens[fact]}</h2>
          <Lines changes={of} was={texts.was} />
        </section>
      ))}
      <section class="panel" aria-label={texts.inForce(changes.length)}>
        <h2>{texts.inForce(changes.length)}</h2>
        <Lines changes={changes} was={texts.was} />
      </section>
    </>
  );
}

function Lines(props: {
  readonly changes: Checked["changes"];
  readonly was: (before: string) => string;
}) {
  return (
    <ul class="plain">
      {props.changes.map(({ line, before }, at) => (
        <li key={at}>
          <code>{toVisibleText(line)}</code>{" "}
          <span class="quiet">{props.was(toVisibleText(before))}</span>
        </li>
      ))}
    </ul>
  );
}
