import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useCommands } from "../../commands/commands.ts";
import { messageOf, type Page, useTitle } from "../../page/page.ts";

/** What a page reads of the server: what it has, or why it has nothing. */
export interface Asked<Value> {
  readonly value: Value | undefined;
  readonly failure: string | undefined;
}

/** Reads a path, and again when it becomes another one; the title and the keys are those of a list. */
export function useRead<Value>(
  page: Pick<Page, "client" | "nav" | "view">,
  path: string,
  title: string,
  read: (value: unknown) => Value,
): Asked<Value> {
  const asked = useSignal<Asked<Value>>({ value: undefined, failure: undefined });
  useEffect(() => {
    let isOver = false;
    asked.value = { value: undefined, failure: undefined };
    page.client.get(path).then(
      (value) => {
        if (!isOver) asked.value = { value: read(value), failure: undefined };
      },
      (error: unknown) => {
        if (!isOver) asked.value = { value: undefined, failure: messageOf(error) };
      },
    );
    return () => {
      isOver = true;
    };
  }, [path]);
  useTitle(page.view, title);
  useCommands("list", {
    inbox: () => page.nav.go({ page: "inbox" }),
    help: () => (page.view.isHelpOpen.value = true),
  });
  return asked.value;
}
