import { expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "../../src/store/open/open-database.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { openLedger } from "../support/open-ledger.ts";
import { tempDir } from "../support/temp.ts";

const NO_CAPS = { tokens: 0, cost: 0 };

test("createSpendingStore() is one ledger for all processes of a home", async () => {
  using dir = tempDir();
  const path = join(dir.path, "state.db");
  const [daemon, command] = [openStore(path), openStore(path)].map(openLedger);
  const account = { day: "2026-05-17", payer: "a" };
  const amount = { tokens: 60, cost: 0 };
  const caps = { tokens: 100, cost: 0 };
  expect(await daemon?.reserve(account, amount, caps)).toEqual({ ok: true });
  expect(await command?.reserve({ ...account, payer: "b" }, amount, caps)).toEqual({
    ok: false,
    cap: "tokens",
    spent: 60,
  });
  await daemon?.settle(account, { tokens: -30, cost: 0 });
  expect(await command?.reserve({ ...account, payer: "b" }, amount, caps)).toEqual({ ok: true });
  expect(daemon?.spent("2026-05-17").tokens).toBe(90);
});

test("createSpendingStore() lets a day be spent to the last token, and not one more", async () => {
  const account = { day: "2026-05-17", payer: "" };
  for (const [tokens, cost] of [
    [100, 0],
    [0, 0.5],
  ] as const) {
    const ledger = openLedger(memoryStore());
    const caps = { tokens, cost };
    expect(await ledger.reserve(account, caps, caps)).toEqual({ ok: true });
    const least = { tokens: 1, cost: 0.125 };
    expect(await ledger.reserve(account, least, caps)).toMatchObject({ ok: false });
  }
});

test("createSpendingStore() forgets days that nobody looks at", async () => {
  const ledger = openLedger(memoryStore());
  const amount = { tokens: 1, cost: 0.5 };
  for (const day of ["2026-01-01", "2026-03-31", "2026-06-29"]) {
    await ledger.reserve({ day, payer: "" }, amount, NO_CAPS);
  }
  expect(ledger.spent("2026-01-01")).toEqual({ tokens: 0, cost: 0 });
  expect(ledger.spent("2026-03-31")).toEqual(amount);
});

test("createSpendingStore() keeps a payer's own caps next to those of the day", async () => {
  const ledger = openLedger(memoryStore());
  const [tidy, other] = ["routine:tidy", "routine:other"].map((payer) => {
    return { day: "2026-05-17", payer };
  });
  const amount = { tokens: 60, cost: 0.1 };
  const reserve = (account: typeof tidy, own: typeof amount) =>
    account && ledger.reserve(account, amount, { tokens: 150, cost: 0 }, own);
  const own = { tokens: 100, cost: 0 };
  expect(await reserve(tidy, own)).toEqual({ ok: true });
  expect(await reserve(tidy, own)).toEqual({ ok: false, cap: "tokens", spent: 60, isOwn: true });
  expect(await reserve(tidy, { tokens: 0, cost: 0.15 })).toMatchObject({
    cap: "cost",
    isOwn: true,
  });
  expect(await reserve(other, own)).toEqual({ ok: true });
  expect(await reserve(other, NO_CAPS)).toEqual({ ok: false, cap: "tokens", spent: 120 });
});
