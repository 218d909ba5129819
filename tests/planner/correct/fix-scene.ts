import type { Workspace } from "../../../src/workspace/workspace.ts";
import { viewSandbox } from "../../support/overlay.ts";
import {
  CREATE,
  createScene,
  type Line,
  PLAN,
  type Scene,
  type SceneOptions,
} from "../planner-scene.ts";

/** A check that is content without docs/new.md, and with it when its last line is this word. */
export const wants = (word: string): Partial<Workspace> => ({
  check: [
    [
      "sh",
      "-c",
      `test ! -f docs/new.md || { tail -n 1 docs/new.md | grep -qx ${word} || { echo "not ok 1 - ${word}"; exit 1; }; }`,
    ],
  ],
});

/** Of all scenes of a test file, as a daemon has one: it is tried out at its first use. */

/** A scene whose author adds docs/new.md, and is asked for at most two corrections of that. */
export function fixScene(
  rules: Partial<Workspace>,
  corrections: readonly Line[],
  options: SceneOptions = {},
  answer: Line = CREATE,
): Scene {
  const files = {
    "a.txt": "one\ntwo\n",
    counter: "",
    ".gitignore": "cache/\n",
    "tests/a.test.ts": "old\n",
  };
  const lines = [PLAN, answer, ...corrections];
  return createScene(files, lines, { rules, sandbox: viewSandbox, maxFixRounds: 2, ...options });
}

/** What a request last showed as the sha256 of a file. */
function shownSha(messages: readonly { readonly content: string }[], path: string) {
  const said = messages.map(({ content }) => content).join("\n");
  const shown = [...said.matchAll(/FILE\[([^\]]+)\] \(sha256=([0-9a-f]{64})\)/gu)];
  return shown.findLast(([, name]) => name === path)?.[2];
}

/** A correction that puts one more line at the end of docs/new.md, or another, and does this besides. */
export function append(
  word: string,
  line = 2,
  path = "docs/new.md",
  ...others: readonly object[]
): Line {
  return ({ messages }) => ({
    actions: [
      {
        kind: "REPLACE_RANGE",
        path,
        base_sha256: shownSha(messages, path) ?? "",
        start_line: line,
        end_line: line - 1,
        content: `${word}\n`,
      },
      ...others,
    ],
    summary: `adds ${word}`,
  });
}

/** An answer with these actions. */
export const act = (...actions: readonly object[]): Line => ({ actions, summary: "s" });

/** An answer that proposes nothing. */
export const NOTHING = { actions: [], summary: "NO_CHANGES: it cannot be done" };

/** Requests that were made for corrections. */
export const asked = (scene: Scene): number => scene.author.asked.length - 2;
