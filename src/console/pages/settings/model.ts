import { type Signal, signal } from "@preact/signals";
import { type Client, RefusedError } from "../../client/client.ts";
import { messageOf, type View } from "../../page/page.ts";
import {
  type Checked,
  type KnownKey,
  readChecked,
  readInserted,
  readKeys,
  readSettings,
  type Settings,
} from "./wire.ts";

/** The editor of the configuration. */
export interface Editor {
  readonly settings: Signal<Settings | undefined>;
  readonly failure: Signal<string | undefined>;
  /** What stands in the box. */
  readonly text: Signal<string>;
  /** What papa-yu says of exactly this text; undefined: it has not said anything yet. */
  readonly checked: Signal<Checked | undefined>;
  readonly keys: Signal<readonly KnownKey[]>;
  /** The file is another by now than the one that was read. */
  readonly isStale: Signal<boolean>;
  readonly saving: Signal<"no" | "sent" | "saved">;
  load(): Promise<void>;
  /** The file as it is now below what stands in the box. */
  rebase(): Promise<void>;
  edit(text: string): void;
  /** Gives the line of the key. */
  insert(key: string): Promise<number>;
  save(): Promise<void>;
}

/** So long nothing is typed until it is asked what the text would mean. */
const PAUSE_MS = 350;
const AT = "/api/settings/config";

/** The editor of one page; what is not saved is kept by its view. */
export function createEditor(client: Client, { unsaved }: Pick<View, "unsaved">): Editor {
  const settings: Editor["settings"] = signal(undefined);
  const failure: Editor["failure"] = signal(undefined);
  const text = signal("");
  const checked: Editor["checked"] = signal(undefined);
  const keys: Editor["keys"] = signal([]);
  const isStale = signal(false);
  const saving: Editor["saving"] = signal("no");
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      failure.value = messageOf(error);
      if (error instanceof RefusedError && error.status === 409) isStale.value = true;
    }
  }

  const check = () =>
    attempt(async () => {
      const asked = text.value;
      const digest = settings.value?.digest;
      const found = readChecked(await client.post(`${AT}/check`, { text: asked, digest }));
      if (asked !== text.value) return; // another one is asked about already
      checked.value = found;
      failure.value = undefined;
    });

  async function read(kept: string | undefined): Promise<void> {
    await attempt(async () => {
      const found = readSettings(await client.get(AT));
      settings.value = found;
      isStale.value = false;
      failure.value = undefined;
      text.value = kept ?? found.text ?? "";
      unsaved.value = text.value === found.text ? undefined : text.value;
      if (found.text !== undefined) await check();
      if (keys.value.length === 0) keys.value = readKeys(await client.get("/api/settings/keys"));
    });
  }

  function edit(next: string): void {
    text.value = next;
    checked.value = undefined;
    saving.value = "no";
    unsaved.value = next === settings.value?.text ? undefined : next;
    clearTimeout(timer);
    timer = setTimeout(() => void check(), PAUSE_MS);
  }

  return {
    settings,
    failure,
    text,
    checked,
    keys,
    isStale,
    saving,
    load: () => read(unsaved.value),
    rebase: () => read(text.value),
    edit,
    async insert(key) {
      let line = 0;
      await attempt(async () => {
        const made = readInserted(await client.post(`${AT}/key`, { text: text.value, key }));
        line = made.line;
        failure.value = undefined;
        edit(made.text);
      });
      return line;
    },
    async save() {
      if (saving.value === "sent") return;
      saving.value = "sent";
      failure.value = undefined;
      await attempt(async () => {
        await client.post(AT, { text: text.value, digest: settings.value?.digest });
        unsaved.value = undefined;
        await read(undefined);
        saving.value = "saved";
      });
      if (saving.value === "sent") saving.value = "no";
    },
  };
}
