import { useEffect, useRef } from "preact/hooks";
import { type COMMANDS, type Command, commandOf, type KeyPress } from "./keys.ts";

/** What the keys of a page do. */
export type CommandTable = Readonly<Partial<Record<Command, () => void>>>;

/** Has the keys of a page do what its table says, as long as the page is shown. */
export function useCommands(page: keyof typeof COMMANDS, table: CommandTable): void {
  const current = useRef(table);
  current.current = table;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat } = event;
      const on = whatHasFocus(event.target);
      const press: KeyPress = { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat, on };
      const command = commandOf(press, page);
      const run = command && current.current[command];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [page]);
}

function whatHasFocus(target: EventTarget | null): KeyPress["on"] {
  if (!(target instanceof HTMLElement)) return "nothing";
  if (target.closest("input, textarea, select, [contenteditable]")) return "text";
  return target.closest("button, a, summary") ? "button" : "nothing";
}
