import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { messageOf, type Page } from "../../page/page.ts";

/** Something that is read when a part is opened, and when it is asked for anew. */
export interface Reading<Value> {
  readonly value: Signal<Value | undefined>;
  readonly failure: Signal<string | undefined>;
  readonly isBusy: Signal<boolean>;
  readonly again: () => Promise<void>;
  /** Has something be another there; whether it is. */
  readonly change: (body: Readonly<Record<string, unknown>>) => Promise<boolean>;
}

/** Reads it; what was read stays while it is read anew, or cannot be. */
export function useRead<Value>(
  page: Pick<Page, "client" | "texts">,
  path: string,
  read: (value: unknown) => Value,
): Reading<Value> {
  const value = useSignal<Value | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  async function again(): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      value.value = read(await page.client.get(path));
      failure.value = undefined;
    } catch (error) {
      failure.value = messageOf(error);
    }
    isBusy.value = false;
  }
  async function change(body: Readonly<Record<string, unknown>>): Promise<boolean> {
    try {
      await page.client.post(path, body);
      await again();
      return true;
    } catch (error) {
      failure.value = messageOf(error);
      return false;
    }
  }
  // In another language other words are read.
  useEffect(() => void again(), [path, page.texts.value]);
  return { value, failure, isBusy, again, change };
}
