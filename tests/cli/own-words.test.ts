import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { renderEvent } from "../../src/channels/render-event.ts";
import { tellFailure } from "../../src/cli/print.ts";
import { isErrorCode } from "../../src/core/error-code-prefix.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/core/error-codes.ts";
import type { Language } from "../../src/core/language.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const LANGUAGES = ["en", "ru", "zh"] as const;
const SCRIPTS = { en: /^[ -~]+$/u, ru: /\p{Script=Cyrillic}/u, zh: /\p{Script=Han}/u } as const;
const CODES = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => isErrorCode(code));

/** What a command prints of a failure. */
function printed(code: ErrorCode, language: Language): string {
  let text = "";
  const write = (more: string) => {
    text += more;
    return true;
  };
  tellFailure({ write }, { code, message: "Cannot read" }, textsIn(language));
  return text;
}

describe.each(LANGUAGES)("in %s", (language) => {
  test.each(CODES)("%s is told at a terminal and in a chat in the same words", (code) => {
    const texts = textsIn(language);
    const sentence = texts.failure(code);
    const shown = renderEvent({ kind: "error", code, message: "Cannot read" }, texts).text;
    expect(printed(code, language)).toBe(`papayu: ${shown}\n`);
    expect(shown).toStartWith(`${code}: ${sentence || "Cannot read"}`);
    expect(shown).toMatch(SCRIPTS[language]);
  });
});

const PATCH = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n";
/** It says another line, and its context is not as the file has it. */
const INEXACT = "--- a/a.txt\n+++ b/a.txt\n@@ -4,2 +4,2 @@\n-one\n+1\n two  \n";

/** Answers as a model that plans a change of a.txt, from what it was shown of it. */
function startAuthor(patch: string) {
  return startModelServer(({ body: { messages } }, n) => {
    const shown = messages.map(({ content }) => content ?? "").join("\n");
    const base_sha256 = /FILE\[a\.txt\] \(sha256=(\w+)/u.exec(shown)?.[1];
    const action = { kind: "PATCH_FILE", path: "a.txt", patch, base_sha256 };
    const answer = { actions: n > 0 ? [action] : [], summary: "Write a.txt" };
    return { kind: "text", text: JSON.stringify(answer) };
  });
}

async function openHome(language: Language, patch = PATCH) {
  const model = startAuthor(patch);
  const dir = tempDir();
  writeTree(dir.path, { "notes/a.txt": "one\ntwo\n" });
  const sandbox = createSandbox(
    dir.path,
    `[default]
provider = "m"
language = "${language}"
[providers.m]
base_url = "${model.url}"
model = "x"
[reliability]
max_retries = 0
[[workspaces]]
name = "notes"
path = "./notes"
check = false`,
  );
  const close = async () => {
    await model.stop();
    dir[Symbol.dispose]();
  };
  return { dir: dir.path, sandbox, model, [Symbol.asyncDispose]: close };
}

const SAID = {
  en: {
    down: "LLM_REQUEST: Cannot",
    stale: 'ERR_BASE_MISMATCH: Cannot PATCH_FILE "a.txt": ',
    again: "next: papayu plan ",
    off: "unavailable: Cannot research: set online_research.enabled = true",
    usage: "ERR_USAGE: ",
  },
  ru: {
    down: "LLM_REQUEST: Модель недоступна или отказала. Подробно: Cannot",
    stale:
      'ERR_BASE_MISMATCH: Файл исчез или изменился с тех пор, как его видел план. Подробно: Cannot PATCH_FILE "a.txt": ',
    again: "дальше: papayu plan ",
    off: "unavailable: Поиск в сети выключен: включает online_research.enabled = true",
    usage: "ERR_USAGE: Команда не понята. Подробно: ",
  },
  zh: {
    down: "LLM_REQUEST: 模型无法访问或拒绝了请求。详情：Cannot",
    stale: 'ERR_BASE_MISMATCH: 文件已不在，或在计划之后有更改。详情：Cannot PATCH_FILE "a.txt": ',
    again: "下一步：papayu plan ",
    off: "unavailable: 网上查找已关闭：设置 online_research.enabled = true 即可开启",
    usage: "ERR_USAGE: 无法理解该命令。详情：",
  },
} as const;

describe.each(LANGUAGES)("a command that fails says so in %s", (language) => {
  const said = SAID[language];

  test("of a model that is down", async () => {
    await using home = await openHome(language);
    await home.model.stop();
    for (const command of [
      ["ask", "hello"],
      ["plan", "change a.txt"],
      ["apply", "--goal", "x a.txt"],
    ]) {
      const { stderr, exitCode } = await home.sandbox.run(...command);
      expect(stderr, command[0]).toContain(`papayu: ${said.down}`);
      expect(exitCode).toBe(1);
    }
    const { report } = await home.sandbox.json("plan", "change a.txt");
    expect(report["error"]).toMatch(SCRIPTS.en);
  });

  test("of a file that changed, with the way to go on", async () => {
    await using home = await openHome(language);
    const planned = await home.sandbox.json("plan", "change a.txt");
    const planId = String(planned.report["plan_id"]);
    writeTree(home.dir, { "notes/a.txt": "another\ntwo\n" });
    for (const command of ["preview", "apply"]) {
      const { stderr, stdout } = await home.sandbox.run(command, planId);
      expect(stderr + stdout, command).toContain(said.stale);
      expect(stderr, command).toContain(said.again);
    }
    const { report } = await home.sandbox.json("preview", planId);
    expect(report["error"]).toMatch(SCRIPTS.en);
  });

  test("of research that is off, an argument too few, and a configuration with a fault", async () => {
    await using home = await openHome(language);
    const researched = await home.sandbox.run("plan", "change a.txt", "--research");
    expect(researched.stderr).toBe(`papayu: ${said.off}\n`);
    const usage = await home.sandbox.run("preview");
    expect(usage.stderr).toContain(`papayu: ${said.usage}`);
    const broken = `[default]\nlanguage = "${language}"\nprovidr = "m"\n`;
    writeTree(home.dir, { "broken.toml": broken });
    const { stderr } = await home.sandbox.run("history", "--config", join(home.dir, "broken.toml"));
    const { failure } = textsIn(language);
    expect(stderr).toStartWith(`papayu: ERR_CONFIG_INVALID: ${failure("ERR_CONFIG_INVALID")}`);
    expect(stderr).toContain("providr");
  });
});

const TOLERATED = {
  en: "  note: a.txt: hunk 1: found 3 lines higher, blanks at line ends or indentation differ",
  ru: "  примечание: a.txt: фрагмент 1: найдено на 3 строки выше, отличаются пробелы в концах строк или отступы",
  zh: "  说明: a.txt：第 1 个补丁块：位置上移 3 行，行尾空白或缩进不同",
} as const;

test.each(LANGUAGES)(
  "what was tolerated of a patch is told before a yes in %s",
  async (language) => {
    await using home = await openHome(language, INEXACT);
    const planned = await home.sandbox.json("plan", "change a.txt");
    const planId = String(planned.report["plan_id"]);
    const { stdout } = await home.sandbox.run("preview", planId);
    expect(stdout.split("\n")).toContain(TOLERATED[language]);
    const { report } = await home.sandbox.json("preview", planId);
    expect(report).toMatchObject({ notes: [TOLERATED.en.replace("  note: ", "")] });
    await using terminal = home.sandbox.terminal("apply", planId);
    const asked = await terminal.waitFor(/\[[^\]]*\/N[^\]]*\] /);
    expect(asked).toContain(TOLERATED[language]);
    terminal.type("n\r");
    expect(await terminal.exited).toBe(1);
  },
);
