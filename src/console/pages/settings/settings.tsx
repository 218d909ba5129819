import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { useCommands } from "../../commands/commands.ts";
import { type Page, useTitle } from "../../page/page.ts";
import { EditorView } from "./editor-view.tsx";
import { createEditor } from "./model.ts";
import { SaveView } from "./save-view.tsx";

/** The owner's settings. */
export function SettingsPage({ page }: { readonly page: Page }) {
  const { settings: texts, loading, again } = page.texts.value;
  const editor = useMemo(() => createEditor(page.client, page.view), [page]);
  const isReviewed = useSignal(false);
  useEffect(() => void editor.load(), [editor]);
  useTitle(page.view, texts.title);
  useCommands("list", {
    inbox: () => page.nav.go({ page: "inbox" }),
    help: () => (page.view.isHelpOpen.value = true),
  });
  const settings = editor.settings.value;
  if (!settings) {
    const said = editor.failure.value;
    if (said === undefined) return <p class="waiting">{loading}</p>;
    return (
      <div class="waiting" role="alert">
        <p>{toVisibleText(said)}</p>
        <button type="button" class="act other" onClick={() => void editor.load()}>
          {again}
        </button>
      </div>
    );
  }
  if (isReviewed.value) {
    return <SaveView page={page} editor={editor} onBack={() => (isReviewed.value = false)} />;
  }
  return (
    <div class="inbox workspace settings">
      <h1>{texts.title}</h1>
      <EditorView
        view={page.view}
        texts={page.texts.value}
        editor={editor}
        onReview={() => (isReviewed.value = true)}
      />
    </div>
  );
}
