import { expect, test } from "bun:test";
import { nearestKey } from "../../src/config/nearest-key.ts";

const COMMANDS = ["start", "status", "stop", "report", "restart", "recover"];

test.each([
  ["stat", "status"],
  ["STAT", "status"],
  ["repo", "report"],
  ["stap", "stop"],
  ["re", undefined],
  ["strat", "start"],
  ["elephant", undefined],
])("nearestKey() takes %s for %p", (name, expected) => {
  expect(nearestKey(name, COMMANDS)).toBe(expected);
});
