import type { Rule } from "../rule.ts";
import { editorconfigRule } from "./editorconfig.ts";
import { envExampleRule } from "./env-example.ts";
import { firstTestRule } from "./first-test.ts";
import { gitignoreRule } from "./gitignore.ts";
import { licenseRule } from "./license.ts";
import { offByOneRule } from "./off-by-one.ts";
import { readmeRule } from "./readme.ts";

/** What the rules make of a goal. */
export interface ReadGoal {
  readonly rules: readonly Rule[];
  /** The words of the goal that name a rule, as they stand there; without one, `rules` are the usual ones. */
  readonly known: readonly string[];
  /** Whether the goal asks for what a newcomer would miss, in such words, so that none was passed over. */
  readonly isGeneral: boolean;
}

/** The rules a goal asks for by name; when it names none, all but those that must be asked for. */
export function readGoal(goal: string): ReadGoal {
  const named = RULES.filter(({ words }) => words.test(goal));
  const chosen = named.length > 0 ? named : RULES.filter(({ onlyWhenAsked }) => !onlyWhenAsked);
  return {
    rules: chosen.map(({ rule }) => rule),
    known: named.flatMap(({ words }) => words.exec(goal)?.[0] ?? []),
    isGeneral: GENERAL.test(goal),
  };
}

interface NamedRule {
  readonly rule: Rule;
  /** How people name what the rule is about, in English, Russian and Chinese. */
  readonly words: RegExp;
  readonly onlyWhenAsked?: true;
}

/** In the order of the proposal: first what is wrong, then what is missing. */
const RULES: readonly NamedRule[] = [
  {
    rule: offByOneRule,
    words: anyOf(
      ["bugs?", "fix(es|ed)?", "off-by-one"],
      "ошибк|баг|исправ|почин",
      "修复|错误|缺陷|漏洞",
    ),
  },
  { rule: readmeRule, words: anyOf(["readme(\\.md)?"], "ридми", "自述|说明文档") },
  { rule: gitignoreRule, words: anyOf(["\\.?gitignore"], "гитигнор", "忽略文件") },
  { rule: editorconfigRule, words: anyOf(["\\.?editorconfig"], "отступ", "缩进") },
  {
    rule: envExampleRule,
    words: anyOf(
      ["\\.?env(\\.example)?", "environment variables?"],
      "переменн\\p{L}* окружени",
      "环境变量",
    ),
  },
  { rule: firstTestRule, words: anyOf(["tests?"], "тест", "测试") },
  {
    rule: licenseRule,
    words: anyOf(["licen[cs]e"], "лиценз", "许可"),
    onlyWhenAsked: true,
  },
];

/** How people ask for what a newcomer would miss; what is missing somewhere is another matter. */
const GENERAL = anyOf(
  ["newcomers?", "what(?:'s| is| are we)? (?:missing|lacking)"],
  "нович|чего (?:\\p{L}+ )?не хвата",
  "新成员|新人|缺少?什么|少了什么",
);

/** English words whole, Russian ones by their beginning, Chinese ones anywhere. */
function anyOf(english: readonly string[], russian: string, chinese: string): RegExp {
  const whole = `(?<![\\p{L}\\p{N}_])(?:${english.join("|")})(?![\\p{L}\\p{N}_])`;
  return new RegExp(`${whole}|(?<!\\p{L})(?:${russian})|${chinese}`, "iu");
}
