import { describe, expect, test } from "bun:test";
import { createBases } from "../../../src/daemon/console/versions/bases.ts";
import { createSettings } from "../../../src/store/settings/settings.ts";
import { buildChangeSet } from "../../../src/transaction/change-set.ts";
import { memoryStore } from "../../support/fresh-store.ts";

const changeSet = buildChangeSet([{ kind: "mkdir", path: "a", mode: 0o755 }], new Map());

function open() {
  const settings = createSettings(memoryStore());
  const work = { ticked: 0, read: 0 };
  const unread = new Set<string>();
  const hidden = new Set<string>();
  let sign = 0;
  let broken: Error | undefined;
  const bases = createBases({
    settings: () => settings,
    signs: () => [{ kind: "change_set", name: "ap_2", sign: String(sign) }],
    async read(approvalId) {
      work.read += 1;
      if (broken) throw broken;
      if (hidden.has(approvalId)) return undefined;
      return unread.has(approvalId) ? {} : { changeSet };
    },
  });
  const ticked = new Set<string>();
  const ask = (approvalId = "ap_2", isAnew = false, isOwn = true) =>
    bases.of(
      {
        approvalId,
        changeSetId: `of ${approvalId}`,
        isTicked: isOwn
          ? (id) => {
              work.ticked += 1;
              return ticked.has(id);
            }
          : undefined,
      },
      isAnew,
    );
  const follow = (comments: readonly { readonly text: string }[] = []) => {
    settings.of("earlier.").set("ap_2", { approvalId: "ap_1", comments: [] });
    settings.of("earlier.").set("ap_1", { approvalId: "ap_0", comments });
  };
  return {
    ask,
    follow,
    work,
    ticked,
    unread,
    hidden,
    tick: () => (sign += 1),
    fail: (error: Error | undefined) => (broken = error),
  };
}

describe("createBases()", () => {
  test("looks at what is ticked, and reads the base, once for all files of a change set", async () => {
    const { ask, follow, work, tick, ticked } = open();
    for (let file = 0; file < 50; file++) expect(await ask()).toBeUndefined();
    expect(work).toEqual({ ticked: 0, read: 0 });
    follow();
    const files = await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect(new Set(files.map((base) => base?.approvalId))).toEqual(new Set(["ap_1"]));
    expect(work).toEqual({ ticked: 2, read: 1 });
    // Something is ticked, another is asked for, or all is to be read anew.
    ticked.add("ap_0");
    tick();
    expect(await ask()).toMatchObject({ approvalId: "ap_0", isLooked: true });
    expect(work).toEqual({ ticked: 4, read: 2 });
    await ask("ap_1");
    await ask("ap_2", true);
    await ask();
    expect(work).toEqual({ ticked: 7, read: 4 });
  });

  test("is the one just before where the one that was looked at cannot be read, or for whoever was not asked", async () => {
    const { ask, follow, unread, hidden, work } = open();
    const comments = [{ text: "x" }];
    follow(comments);
    expect(await ask()).toEqual({ approvalId: "ap_0", comments, isLooked: true, changeSet });
    const first = { approvalId: "ap_1", comments: [], isLooked: false, changeSet };
    expect(await ask("ap_2", true, false)).toEqual(first);
    unread.add("ap_0");
    expect(await ask("ap_2", true)).toEqual(first);
    // Where none can be, what was said is told all the same.
    unread.add("ap_1");
    const none = { approvalId: "ap_0", comments, isLooked: true, changeSet: undefined };
    expect(await ask("ap_2", true)).toEqual(none);
    const { read } = work;
    expect(await ask()).toEqual(none);
    expect(work.read).toBe(read);
    hidden.add("ap_0").add("ap_1");
    expect(await ask("ap_2", true)).toBeUndefined();
  });

  test("asks again where reading failed", async () => {
    const { ask, follow, fail } = open();
    follow();
    fail(new Error("cut off"));
    expect(await ask().catch(String)).toBe("Error: cut off");
    fail(undefined);
    expect(await ask()).toMatchObject({ approvalId: "ap_1" });
  });
});
