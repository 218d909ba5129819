import { useEffect, useRef } from "preact/hooks";
import { COMMANDS, KEYS } from "../commands/commands.ts";
import type { Page } from "../page/page.ts";
import type { Route } from "../route.ts";

/** The keys of where the person is. */
export function HelpDialog({ page }: { readonly page: Pick<Page, "nav" | "texts" | "view"> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = page.view.isHelpOpen.value;
  const texts = page.texts.value;
  const route = page.nav.route.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="help-title"
      onClose={() => (page.view.isHelpOpen.value = false)}
    >
      {isOpen && (
        <>
          <h2 id="help-title">{texts.help.title}</h2>
          <dl class="keys">
            {COMMANDS[keysOf(route)].map((command) => (
              <div key={command}>
                <dt>
                  {KEYS[command].map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{texts.help.keys[command]}</dd>
              </div>
            ))}
          </dl>
          <button type="button" class="act other" onClick={() => dialog.current?.close()}>
            {texts.close}
          </button>
        </>
      )}
    </dialog>
  );
}

/** Whose keys a place has. */
function keysOf(route: Route): keyof typeof COMMANDS {
  if (route.page === "inbox" || route.page === "review") return route.page;
  return route.page === "workspace" && route.part !== undefined ? "past" : "list";
}
