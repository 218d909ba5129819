import { batch, type Signal, signal } from "@preact/signals";
import { type ChangeSet, type Client, createNewest, messageOf } from "../../../client/client.ts";
import type { Colors } from "../../../colors/colors.ts";
import { joinRenames, type Person } from "../person/person.ts";
import { inTreeOrder } from "../tree.ts";
import type { Layer } from "./layout.ts";
import { isOpenNow, type ReviewFile, toFile } from "./review-file.ts";

/** The change set and its files, as they are read. */
export interface Source {
  readonly set: Signal<ChangeSet | undefined>;
  /** Why the change set could not be read. */
  readonly failure: Signal<string | undefined>;
  /** Asks for the change set; what is open stays open as long as it is the same one. */
  load(): Promise<void>;
  loadFile(file: number): Promise<void>;
  /** Reads again what could not be read; who asks while it is read waits for the same. */
  retry(): Promise<void>;
  readonly isRetrying: () => boolean;
  image(n: number, side: "before" | "after"): Promise<Blob>;
}

/** What was read of a change set until now. */
export interface Known {
  readonly set: Signal<ChangeSet | undefined>;
  files: readonly ReviewFile[];
}

/** What is told of what is read. */
interface SourceContext {
  readonly person: Person;
  readonly layout: Layer;
  readonly colors: Colors | undefined;
}

/** A change set as it was asked for, and what a person had said and ticked by then. */
interface Look {
  readonly fresh: ChangeSet;
  readonly writes: number;
  readonly marks: number;
  readonly turns: number;
}

/** Keeps what it reads in what is known, and has it laid and painted. */
export function createSource(
  client: Client,
  id: string,
  known: Known,
  told: SourceContext,
): Source {
  const { person, layout, colors } = told;
  const failure = signal<string | undefined>(undefined);
  /** Who asks for a file while it is read waits for that. */
  const reads = new WeakMap<ReviewFile, Promise<void>>();
  let retrying: Promise<void> | undefined;

  async function loadFile(number: number): Promise<void> {
    const file = known.files[number];
    if (!file || file.content.kind === "ready") return undefined;
    if (file.content.kind !== "loading") reads.set(file, readFile(file));
    return reads.get(file);
  }

  async function readFile(file: ReviewFile): Promise<void> {
    const before = file.content;
    file.content = { kind: "loading", ...(before.kind === "failed" && { failed: before.message }) };
    try {
      file.content = {
        kind: "ready",
        texts: await client.file(id, file.entry.n, file.entry.old !== undefined),
      };
    } catch (error) {
      file.content = { kind: "failed", message: messageOf(error) };
    }
    layout.lay(file);
    layout.bump();
    void paint(file);
  }

  /** Whole files, since a hunk alone does not say whether it begins within a comment. */
  async function paint(file: ReviewFile): Promise<void> {
    const { content, entry } = file;
    if (content.kind !== "ready") return;
    const { before, after } = content.texts;
    file.colors = await colors?.ask(entry.path, before, after);
    if (file.colors) layout.paints.value += 1;
  }

  async function retry(): Promise<void> {
    const failed = known.files.flatMap(({ content }, at) =>
      content.kind === "failed" ? [at] : [],
    );
    if (retrying || failed.length === 0) return retrying;
    const read = async () => {
      for (const at of failed) await loadFile(at);
    };
    retrying = read().finally(() => {
      retrying = undefined;
      layout.bump();
    });
    layout.bump();
    return retrying;
  }

  function take({ fresh, writes, marks, turns }: Look): void {
    const isOther = known.set.value?.digest !== fresh.digest;
    known.set.value = fresh;
    person.seen.take(fresh.files, marks);
    if (isOther) {
      // Who comes back to it begins with what they have not seen, and what they said something of.
      const isSince = person.hasLooked();
      layout.isSince.value = isSince;
      const shown = inTreeOrder(joinRenames(fresh.files));
      known.files = shown.map((file) => toFile(file, isOpenNow(person, file, isSince)));
    }
    failure.value = undefined;
    person.comments.take(fresh.drafts, writes);
    person.picks.take(fresh.unticked, turns);
    layout.relayOthers();
    layout.bump();
  }

  const show = createNewest<Look>({
    take(look) {
      batch(() => take(look));
      void retry();
    },
    failed: (error) => (failure.value = messageOf(error)),
  });

  return {
    set: known.set,
    failure,
    loadFile,
    retry,
    isRetrying: () => retrying !== undefined,
    image: (n, side) => client.image(id, n, side),
    load: () =>
      show(async () => {
        const [writes, marks] = [person.comments.writes(), person.seen.marks()];
        const turns = person.picks.turns();
        return { fresh: await client.changeSet(id), writes, marks, turns };
      }),
  };
}
