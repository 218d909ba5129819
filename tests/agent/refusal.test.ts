import { expect, test } from "bun:test";
import { refusal, saidOf } from "../../src/agent/refusal.ts";
import { AppError } from "../../src/core/app-error.ts";
import { textsIn } from "../../src/texts/texts.ts";

test("refusal() is exact in English and carries the person's words next to it", () => {
  const failure = refusal("ERR_WORKSPACE_UNKNOWN", textsIn("zh"), ({ workspaceUnknown }) =>
    workspaceUnknown("x", ["a", "b"]),
  );
  expect(failure.message).toBe('There is no workspace "x"; there are: a, b');
  expect(saidOf(failure, textsIn("zh"))).toBe("没有工作区“x”；现有：a、b");
});

test("saidOf() has nothing to add to an English refusal or another failure", () => {
  const english = refusal("APPROVAL_INVALID", textsIn("en"), ({ answered }) => answered);
  const said = (failure: AppError) => saidOf(failure, textsIn("en"));
  expect(said(english)).toBeUndefined();
  expect(said(new AppError("ERR_IO", "Cannot read"))).toBeUndefined();
  expect(said(new AppError("ERR_IO", "Cannot read", { details: { said: 7 } }))).toBeUndefined();
  const other = { details: { known: ["a"] } };
  expect(said(new AppError("ERR_WORKSPACE_UNKNOWN", "Cannot find b", other))).toBeUndefined();
});

test.each(["en", "ru", "zh"] as const)(
  "saidOf() tells in %s that no folder is configured",
  (language) => {
    const none = new AppError("ERR_WORKSPACE_UNKNOWN", "Cannot choose", { details: { known: [] } });
    const texts = textsIn(language);
    expect(saidOf(none, texts)).toBe(texts.workspaces.none);
  },
);
