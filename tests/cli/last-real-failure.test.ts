import { expect, test } from "bun:test";
import { createSandbox } from "../e2e/papayu.ts";
import { type Reply, startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const SAID = {
  en: {
    real: "http_request: it did not find what it was asked for; `",
    beside:
      "(http_request was called in another way, too, which did not run: the model composed what would be sent; nobody is there to be asked)",
    alone:
      "http_request: it is not allowed; the model composed what would be sent; nobody is there to be asked",
  },
  ru: {
    real: "http_request: то, что искали, не найдено; `",
    beside:
      "(был и другой вызов http_request, он не выполнялся: то, что будет отправлено, составила модель; спросить некого)",
    alone:
      "http_request: это не разрешено; то, что будет отправлено, составила модель; спросить некого",
  },
  zh: {
    real: "http_request: 没有找到所要的内容；`",
    beside: "（另有一次 http_request 调用没有执行：要发送的内容由模型编写；没有人可以询问）",
    alone: "http_request: 这不被允许；要发送的内容由模型编写；没有人可以询问",
  },
} as const;

/** A model that reads a file where nothing is named, then asks for paths of a site on loopback. */
async function ask(language: keyof typeof SAID, paths: readonly string[]) {
  await using site = startSite();
  const model = startModelServer((_request, n): Reply => {
    const path = paths[n] ?? `${paths.at(-1)}${n}`;
    if (path === "a.txt")
      return { kind: "tools", calls: [{ name: "read_file", arguments: { path } }] };
    const call = { name: "http_request", arguments: { url: `${site.url}${path}` } };
    return { kind: "tools", calls: [call] };
  });
  await using _ = { [Symbol.asyncDispose]: () => model.stop() };
  using dir = tempDir();
  writeTree(dir.path, { "notes/a.txt": "x\n" });
  const config = `[default]
provider = "m"
language = "${language}"
[providers.m]
base_url = "${model.url}"
model = "x"
[security]
http_allowed_hosts = ["127.0.0.1"]
[[workspaces]]
name = "notes"
path = "./notes"`;
  const sandbox = createSandbox(dir.path, config);
  return await sandbox.run("ask", `What does ${site.url}/named say?`);
}

function startSite() {
  const site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("nothing here", { status: 404 }),
  });
  return { url: site.url.origin, [Symbol.asyncDispose]: () => site.stop(true) };
}

test.each(["en", "ru", "zh"] as const)(
  "in %s what really failed last is told, and beside it what was not even tried",
  async (language) => {
    const { real, beside } = SAID[language];
    const { stderr, exitCode } = await ask(language, ["/named", "/made-up?key=secret"]);
    expect(stderr).toContain(real);
    expect(stderr).toContain("status 404");
    expect(stderr).toContain(beside);
    expect(stderr.indexOf(real)).toBeLessThan(stderr.indexOf(beside));
    expect(exitCode).not.toBe(0);
  },
);

test.each(["en", "ru", "zh"] as const)(
  "in %s where nothing was tried, why is told in the person's words",
  async (language) => {
    const { stderr } = await ask(language, ["a.txt", "/made-up?key=secret"]);
    expect(stderr).toContain(SAID[language].alone);
  },
);
