import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setKey } from "../../src/config/edit/edit.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { createApp } from "../../src/daemon/app/app.ts";
import { createSettingsFacts } from "../../src/daemon/console/settings.ts";
import { openScene, type Scene } from "./scene.ts";

const provider = (name: string, key: string) =>
  `[providers.${name}]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\napi_key = "${key}"\n`;

const CONFIG = `[default]
provider = "first"
[reliability]
fallback_providers = ["first"]
${provider("first", "env:FIRST_KEY")}${provider("second", "env:SECOND_KEY")}${provider("third", "file:/no such/folder of mine/third key.txt")}`;

type Write = (scene: Scene) => Promise<string>;

const say =
  (text: string): Write =>
  async (scene) =>
    (await scene.say(text)).last("error").message;

const tool =
  (key: string, value: string): Write =>
  async ({ app }) => {
    const { configTool } = app.current.agent.commands;
    const args = { action: "set", key, value };
    const result = await configTool.run(args, new AbortController().signal, "call_1");
    return result.ok ? "written" : result.error;
  };

const page =
  (from: string, to: string): Write =>
  async ({ app }) => {
    const facts = createSettingsFacts(app);
    const { text, digest } = await facts.read();
    const edited = String(text).replace(from, to);
    const checked = await facts.check(edited, String(digest));
    const saved = await facts.save(edited, String(digest));
    if (!("refused" in saved)) return "written";
    expect(saved).toMatchObject({ refused: "invalid" });
    return JSON.stringify(checked);
  };

test.each([
  ["/model second", say("/model second"), "SECOND_KEY"],
  ["/model third", say("/model third"), "third key.txt"],
  ["the tool", tool("default.provider", "second"), "SECOND_KEY"],
  ["the tool, of a fallback", tool("reliability.fallback_providers", '["second"]'), "SECOND_KEY"],
  ["the tool, of a key", tool("providers.first.model", "n"), undefined],
  ["the page", page('provider = "first"', 'provider = "second"'), "SECOND_KEY"],
  ["the page, of a fallback", page('["first"]', '["first", "second"]'), "SECOND_KEY"],
  ["the page, of a key", page("env:FIRST_KEY", "env:OTHER_KEY"), "OTHER_KEY"],
] as const)("%s leaves a file that a start can be made with", async (_, write, missing) => {
  await using scene = await openScene({ config: CONFIG, env: { FIRST_KEY: "k-1" } });
  const path = join(scene.dir, "config.toml");
  const before = readFileSync(path, "utf8");
  const told = await write(scene);
  if (missing !== undefined) {
    expect(told).toContain("providers.");
    expect(told).toContain(missing);
    expect(readFileSync(path, "utf8")).toBe(before);
  }
  const { env, cwd, home } = scene.app.reloading.source;
  scene.app.reloading.use(await loadConfig(scene.app.reloading.source));
  createApp(await loadConfig({ path, cwd, home, env }), { env, cwd, writeLog() {} })[
    Symbol.dispose
  ]();
});

test("setKey() warns of the key of a provider where another process may have it", async () => {
  await using scene = await openScene({ config: CONFIG, env: { FIRST_KEY: "k-1" } });
  const options = { path: join(scene.dir, "config.toml"), cwd: scene.dir, home: scene.dir };
  const { warnings } = await setKey({ ...options, env: {} }, "default.provider", "second");
  expect(warnings).toEqual([
    'providers.second.api_key: Cannot read the secret "env:SECOND_KEY": the variable is not set; set it',
    'providers.first.api_key: Cannot read the secret "env:FIRST_KEY": the variable is not set; set it',
  ]);
});

test.each([
  ["en", "Written, but another file or the environment wins; in force is:"],
  ["ru", "Записано, но другой файл или окружение важнее; в силе:"],
  ["zh", "已写入，但另一个文件或环境变量优先；现在生效的是："],
])(
  "what is set from a chat is not told to be in force where it is not (%s)",
  async (language, head) => {
    const config = `[default]\nlanguage = "${language}"\n[context]\nmax_files = 7\n`;
    await using scene = await openScene({ config, env: { PAPAYU_CONTEXT_MAX_FILES: "9" } });
    const { configTool } = scene.app.current.agent.commands;
    const set = async (key: string, value: string) =>
      configTool.run({ action: "set", key, value }, new AbortController().signal, "call_1");
    expect(await set("context.max_files", "8")).toMatchObject({
      content: `${head}\ncontext.max_files = 9`,
    });
    const later = await set("http.port", "4321");
    expect(later.ok ? later.content : later.error).toMatch(/papayu restart.*\nhttp\.port = 4321$/u);
    expect((await scene.say("/mode readonly")).text).toEndWith('\nsecurity.autonomy = "readonly"');
  },
);
