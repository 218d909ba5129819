import { describe, expect, test } from "bun:test";
import { signal } from "@preact/signals";
import type { Inbox, Item } from "../../src/console/client/client.ts";
import { createPlanWords } from "../../src/console/page/plan-words.ts";
import type { PressState } from "../../src/console/page/press.ts";

const OWN = ["apply", "change", "drop"];
const BESIDE = ["apply", "drop"]; // of a routine

function plan(ref: string, acts: readonly string[] = OWN, session = "telegram:77"): Item {
  return {
    kind: "plan",
    id: ref,
    ref,
    session_id: session,
    title: ref,
    workspace: undefined,
    shown: undefined,
    digest: undefined,
    files: undefined,
    added: undefined,
    removed: undefined,
    check: undefined,
    at: 0,
    expires_at: undefined,
    isRejected: false,
    locked: false,
    isWorking: false,
    failed: undefined,
    actions: acts.map((act) => ({ act, ref, label: act })),
  };
}

function createKeeper() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, words: string) => void kept.set(key, words),
    removeItem: (key: string) => void kept.delete(key),
  };
}

/** A window that shows plans; the next one with the same keeper is that window loaded anew. */
function openWindow(keeper: ReturnType<typeof createKeeper>, ...plans: readonly Item[]) {
  const inbox = signal<Inbox | undefined>(undefined);
  const states = signal<ReadonlyMap<string, PressState>>(new Map());
  const words = createPlanWords(keeper, { inbox, states });
  const show = (...items: readonly Item[]) => {
    inbox.value = { items, boot_id: "b", seq: 0 };
  };
  show(...plans);
  return {
    ...words,
    show,
    press({ ref }: Item, phase: PressState["phase"]) {
      const state: PressState = { phase, label: "", text: "", progress: "" };
      states.value = new Map(states.value).set(ref, state);
    },
  };
}

const [A, B, NEXT] = [plan("plan_A"), plan("plan_B", BESIDE), plan("plan_next")];

describe("createPlanWords()", () => {
  test("keeps words at the plan that they are about, whatever becomes of one beside it", () => {
    const keeper = createKeeper();
    const page = openWindow(keeper, A, B);
    page.set(A, "use rust");
    expect([page.of(A), page.of(B)]).toEqual(["use rust", undefined]);
    page.press(B, "sent");
    page.press(B, "ended");
    page.show(A);
    expect([page.of(A), page.isLeft()]).toEqual(["use rust", true]);
    expect(openWindow(keeper, A, B).of(A)).toBe("use rust");
  });

  test("never gives them to a plan beside, and has them when their own is back", () => {
    const page = openWindow(createKeeper(), A, B);
    page.set(A, "use rust");
    page.show(B);
    expect([page.of(B), page.isLeft()]).toEqual([undefined, false]);
    page.show(A, B);
    expect(page.of(A)).toBe("use rust");
  });

  test("gives them once to the plan of the conversation that takes the place of one answered elsewhere", () => {
    const keeper = createKeeper();
    const elsewhere = plan("plan_elsewhere", OWN, "telegram:78");
    const page = openWindow(keeper, A);
    page.set(A, "use rust");
    page.show(elsewhere);
    expect(page.of(elsewhere)).toBeUndefined();
    page.show(elsewhere, NEXT);
    expect([page.of(NEXT), page.of(A), page.of(elsewhere)]).toEqual([
      "use rust",
      undefined,
      undefined,
    ]);
    expect([...keeper.kept.values()]).toEqual(["use rust"]);
    expect(openWindow(keeper, NEXT).of(NEXT)).toBe("use rust");
  });

  test("leaves alone what is typed about the next plan already", () => {
    const page = openWindow(createKeeper(), A, NEXT);
    page.set(A, "use rust");
    page.set(NEXT, "in short");
    page.show(NEXT);
    expect(page.of(NEXT)).toBe("in short");
  });

  test.each(["sent", "taken", "unknown", "ended", "open"] as const)(
    "a press that is %s leaves them to no other plan, also where the window is loaded anew",
    (phase) => {
      const keeper = createKeeper();
      const page = openWindow(keeper, A);
      page.set(A, "use rust");
      page.press(A, phase);
      expect([...keeper.kept]).toEqual([]);
      for (const anew of [page, openWindow(keeper, A)]) {
        anew.show();
        anew.show(NEXT);
        expect([anew.of(NEXT), anew.isLeft()]).toEqual([undefined, false]);
      }
    },
  );

  test.each(["failed", "lost", "back"] as const)(
    "has them again after a press that %s",
    (phase) => {
      const keeper = createKeeper();
      const page = openWindow(keeper, A);
      page.set(A, "use rust");
      page.press(A, "taken");
      page.press(A, phase);
      expect(page.of(A)).toBe("use rust");
      expect(openWindow(keeper, A).of(A)).toBe("use rust");
    },
  );

  test("forgets with its plan what was taken, and keeps what is typed after that where it stays", () => {
    const keeper = createKeeper();
    const page = openWindow(keeper, A);
    page.set(A, "use rust");
    page.press(A, "ended");
    page.set(A, "use go");
    expect(openWindow(keeper, A).of(A)).toBe("use go");
    page.press(A, "sent");
    page.press(A, "ended");
    page.show();
    page.show(A);
    expect([page.of(A), [...keeper.kept]]).toEqual([undefined, []]);
  });

  test("has the words in the window alone where there is no room for them", () => {
    const keeper = createKeeper();
    const full = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const page = openWindow({ ...keeper, setItem: full }, A);
    page.set(A, "use rust");
    expect([page.of(A), [...keeper.kept]]).toEqual(["use rust", []]);
  });
});
