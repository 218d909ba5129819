import { expect, test } from "bun:test";
import { saidOf } from "../../src/channels/error-text.ts";
import { AppError } from "../../src/core/app-error.ts";
import { Refusal, textsIn } from "../../src/texts/texts.ts";

test("a refusal is exact in English and has the person's words for whoever tells it", () => {
  const failure = new Refusal("ERR_WORKSPACE_UNKNOWN", ({ workspaceUnknown }) =>
    workspaceUnknown("x", ["a", "b"]),
  );
  expect(failure.message).toBe('There is no workspace "x"; there are: a, b');
  expect(saidOf(failure, textsIn("zh"))).toBe("没有工作区“x”；现有：a、b");
  expect(saidOf(failure, textsIn("en"))).toBeUndefined();
});

test("saidOf() has nothing to add to another failure", () => {
  const said = (failure: AppError) => saidOf(failure, textsIn("en"));
  expect(said(new AppError("ERR_IO", "Cannot read"))).toBeUndefined();
  const other = { details: { known: ["a"] } };
  expect(said(new AppError("ERR_WORKSPACE_UNKNOWN", "Cannot find b", other))).toBeUndefined();
});

test.each(["en", "ru", "zh"] as const)(
  "saidOf() tells in %s that no folder is configured",
  (language) => {
    const none = new AppError("ERR_WORKSPACE_UNKNOWN", "Cannot choose", { details: { known: [] } });
    const texts = textsIn(language);
    expect(saidOf(none, texts)).toBe(texts.workspaces.none);
    const reason = 'Cannot use the workspace "/nosuch": there is no folder "/nosuch"';
    const details = { known: [], reason };
    const said = saidOf(new AppError("ERR_WORKSPACE_UNKNOWN", "Cannot choose", { details }), texts);
    expect(said).toContain(reason);
    expect(said).toEndWith(texts.workspaces.none);
  },
);
