import { useEffect, useRef } from "preact/hooks";
import { type COMMANDS, type Command, commandOf, type KeyPress } from "./keys.ts";
import { createTyping } from "./typing.ts";

export { COMMANDS, KEYS } from "./keys.ts";

/** What the keys of a page do. */
export type CommandTable = Readonly<Partial<Record<Command, () => void>>>;

/**
 * Has the keys of a page do what its table says, as long as the page is shown; `hurried` says that a yes
 * or a no came too soon behind another key.
 */
export function useCommands(
  page: keyof typeof COMMANDS,
  table: CommandTable,
  hurried: () => void = () => {},
): void {
  const current = useRef({ table, hurried });
  current.current = { table, hurried };
  useEffect(() => {
    const typing = createTyping({
      start: (run, ms) => setTimeout(run, ms),
      clear: (timer) => clearTimeout(Number(timer)),
    });
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      const { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat } = event;
      const on = whatHasFocus(event.target);
      const press: KeyPress = { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat, on };
      const command = commandOf(press, page);
      const isThere = command !== undefined && current.current.table[command] !== undefined;
      if (isThere) event.preventDefault();
      // As the page is by then.
      const run = isThere ? () => current.current.table[command]?.() : undefined;
      const isSign = /^.$/u.test(key) && !ctrlKey && !metaKey;
      typing.press({ at: event.timeStamp, isSign, command }, run, () => current.current.hurried());
    };
    document.addEventListener("keydown", pressed);
    return () => {
      document.removeEventListener("keydown", pressed);
      typing.stop();
    };
  }, [page]);
}

function whatHasFocus(target: EventTarget | null): KeyPress["on"] {
  if (!(target instanceof HTMLElement)) return "nothing";
  if (target.closest("input, textarea, select, [contenteditable]")) return "text";
  return target.closest("button, a, summary") ? "button" : "nothing";
}
