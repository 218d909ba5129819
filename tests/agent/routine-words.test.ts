import { expect, test } from "bun:test";
import { readWords } from "../../src/agent/propose-routine/routine-words.ts";
import { parseSchedule } from "../../src/routines/parse-schedule.ts";

const workspaces = ["notes", "笔记"];

function read(words: string, needsColon: boolean) {
  const toCron = (when: string) => {
    const parsed = parseSchedule(when, "Europe/Berlin", Date.UTC(2026, 4, 17));
    return Promise.resolve(parsed.ok ? parsed.schedule : undefined);
  };
  return readWords(words, { workspaces, needsColon, toCron });
}

const AT_8 = "every day at 8";

test.each([
  [`${AT_8}: what changed?`, AT_8, "what changed?", undefined],
  [`${AT_8} in notes: what changed?`, AT_8, "what changed?", "notes"],
  ["every day at 9:30: look: again", "every day at 9:30", "look: again", undefined],
  ["每天早上8点：看看", "每天早上8点", "看看", undefined],
])(
  "%p is read with its colon, with a model or without",
  async (words, schedule, task, workspace) => {
    const expected = { schedule, task, ...(workspace !== undefined && { workspace }) };
    expect(await read(words, true)).toEqual(expected);
    expect(await read(words, false)).toEqual(expected);
  },
);

test.each([
  [`${AT_8} what changed?`, AT_8, "what changed?", undefined],
  [`${AT_8}, look at 3 files`, AT_8, "look at 3 files", undefined],
  [`${AT_8} in notes sum it up`, AT_8, "sum it up", "notes"],
  ["every day at 9:30 pm say: good night", "every day at 9:30 pm", "say: good night", undefined],
  [`${AT_8} run the tests`, AT_8, "run the tests", undefined],
  [`${AT_8} in the morning sweep`, `${AT_8} in the morning`, "sweep", undefined],
  ["0 8 * * 1 tidy the notes", "0 8 * * 1", "tidy the notes", undefined],
  ["каждый день в 8:00 в notes что изменилось?", "каждый день в 8:00", "что изменилось?", "notes"],
  ["每天早上8点看看变化", "每天早上8点", "看看变化", undefined],
  ["每天早上8点分析日志", "每天早上8点", "分析日志", undefined],
])("%p is read without a colon where no model can", async (words, schedule, task, workspace) => {
  const expected = { schedule, task, ...(workspace !== undefined && { workspace }) };
  expect(await read(words, false)).toEqual(expected);
  expect(await read(words, true)).toBeUndefined();
});

test.each([
  "",
  "look at my notes",
  AT_8,
  `${AT_8} except on sundays look at it`,
  `${AT_8} and whenever I want look at it`,
  "каждый день в 8:00 и когда захочу смотри",
  "每天早上8点和饭后看看",
  "tomorrow look at it",
  // Two readings.
  `${AT_8} two lines about what changed`,
  "every monday at 9 friday report",
  "каждый день в 8 две строки о новом",
  "每天早上8点一句话总结昨天的变化",
  "每天早上8点半分析日志",
])("%p is no routine without a model", async (words) => {
  expect(await read(words, false)).toBeUndefined();
});
