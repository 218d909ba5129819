import { type ReadonlySignal, type Signal, useComputed, useSignal } from "@preact/signals";
import { messageOf, type Page, useNewest } from "../../page/page.ts";

/** Something that is read when a part is opened, and when it is asked for anew. */
export interface Reading<Value> {
  readonly value: Signal<Value | undefined>;
  readonly failure: Signal<string | undefined>;
  readonly isBusy: ReadonlySignal<boolean>;
  readonly again: () => Promise<void>;
  /** Has something be another there; whether it is. */
  readonly change: (body: Readonly<Record<string, unknown>>) => Promise<boolean>;
}

/** Reads it; what was read stays while it is read anew, or cannot be. */
export function useRead<Value>(
  page: Pick<Page, "client" | "texts">,
  path: string,
  read: (value: unknown) => Value,
  /** It is read anew when this is another. */
  about?: unknown,
): Reading<Value> {
  const value = useSignal<Value | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const reads = useSignal(0);
  const isBusy = useComputed(() => reads.value > 0);
  async function ask(): Promise<unknown> {
    reads.value += 1;
    try {
      return await page.client.get(path);
    } finally {
      reads.value -= 1;
    }
  }
  const again = useNewest(
    ask,
    {
      take(found) {
        value.value = read(found);
        failure.value = undefined;
      },
      failed: (error) => (failure.value = messageOf(error)),
    },
    [path, page.texts.value, about], // in another language other words are read
  );
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
  return { value, failure, isBusy, again, change };
}
