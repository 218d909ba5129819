import { describe, expect, test } from "bun:test";
import { besideDraft } from "../../src/console/acts/beside-draft.ts";
import { textsIn } from "../../src/console/texts/texts.ts";

const TEXTS = textsIn("en");
const offer = (...acts: readonly string[]) => acts.map((act) => ({ act, ref: "ap", label: act }));

describe("besideDraft()", () => {
  test("says of what goes on without the comments how many it passes over", () => {
    const offered = offer("approve", "keep", "reject", "try_another");
    const beside = besideDraft("ap", offered, { comments: 2, unticked: [], files: 0 }, TEXTS);
    expect(beside.map(({ label }) => label)).toEqual([
      "approve without sending 2 comments",
      "keep",
      "reject without sending 2 comments",
      "try_another without sending 2 comments",
    ]);
    expect(besideDraft("ap", offered, { comments: 0, unticked: [], files: 0 }, TEXTS)).toEqual(
      offered,
    );
  });

  test("offers to leave out where a yes to what is left counts, and nowhere else", () => {
    const unsent = { comments: 0, unticked: [{ path: "a" }], files: 1 };
    const acts = (offered: readonly string[]) =>
      besideDraft("ap", offer(...offered), unsent, TEXTS).map(({ act }) => act);
    expect(acts(["approve", "keep", "reject"])).toEqual(["leave_out", "reject"]);
    // Papa-yu may only read, or the files are others by now.
    expect(acts(["reject"])).toEqual(["reject"]);
    expect(acts(["undo"])).toEqual(["undo"]);
  });
});
