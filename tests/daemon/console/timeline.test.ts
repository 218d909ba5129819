import { expect, test } from "bun:test";
import { toAsked } from "../../../src/daemon/console/timeline.ts";

test.each([
  ["telegram:501", "telegram"],
  ["telegram:-100:7", "telegram"],
  ["http:console", "console"],
  ["http:console:2", "console"],
  ["app:501:console", "console"],
  ["http:build", "http"],
  ["run_0198", "routine"],
  ["terminal:cli_0198", "terminal"],
  ["ask_0198", "terminal"],
  ["start_0198", "terminal"],
  ["board:kitchen", "board"],
  ["Board <b>:kitchen", "terminal"],
  ["", "terminal"],
])("toAsked() takes %j for one of %s", (id, channel) => {
  expect(toAsked(undefined, id)).toEqual({ channel, session_id: id });
  expect(toAsked(id, undefined)).toEqual({ channel });
});

test("toAsked() names the routine of a work", () => {
  const asked = { channel: "routine", routine: "tidy: daily" };
  expect(toAsked("routine:tidy: daily:1760000000000", undefined)).toEqual(asked);
  expect(toAsked("routine:tidy: daily:1760000000000#1/2", undefined)).toEqual(asked);
  expect(toAsked(undefined, undefined)).toEqual({ channel: "terminal" });
});
