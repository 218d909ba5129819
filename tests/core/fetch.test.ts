import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchDirectly, proxyVariable } from "../../src/core/fetch/fetch.ts";
import { complete } from "../../src/providers/complete.ts";
import { localProvider } from "../providers/local-provider.ts";
import { startModelServer } from "../support/model-server.ts";

/** A proxy for everything, as the environment names it, until it is disposed of. */
function openProxy() {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      asked.push(url);
      return new Response("no", { status: 503 });
    },
  });
  const names = ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"] as const;
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  process.env["HTTP_PROXY"] = `http://me:secret@127.0.0.1:${server.port}`;
  return {
    asked,
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      void server.stop(true);
    },
  };
}

test.each(["127.0.0.1", "localhost", "[::1]"])(
  "fetchDirectly() asks %s without the proxy of the environment",
  async (host) => {
    using proxy = openProxy();
    const hostname = host === "[::1]" ? "::1" : "127.0.0.1";
    using server = Bun.serve({ hostname, port: 0, fetch: () => new Response("here") });
    const url = `http://${host}:${server.port}/`;
    for (const asked of [url, new URL(url), new Request(url, { method: "POST", body: "x" })]) {
      expect(await (await fetchDirectly(asked, { redirect: "manual" })).text()).toBe("here");
    }
    expect(proxy.asked).toEqual([]);
    expect((await fetchDirectly("http://model.example/v1")).status).toBe(503);
    expect(proxy.asked).toEqual(["http://model.example/v1"]);
  },
);

test("a model on this machine is asked past the proxy, and a failure of another names its variable", async () => {
  using proxy = openProxy();
  await using model = startModelServer([{ kind: "text", text: "hello" }]);
  const ask = (baseUrl: string) =>
    complete(localProvider(baseUrl), { messages: [{ role: "user", content: "hi" }] });
  expect(await ask(model.url)).toMatchObject({ text: "hello" });
  expect(proxy.asked).toEqual([]);
  const { failure } = await ask("http://model.example/v1");
  expect(failure?.message).toMatch(/from "local", by the proxy that HTTP_PROXY names: HTTP 503/u);
  expect(failure?.message).not.toContain("secret");
});

test("nobody else asks for anything with the fetch of the machine", () => {
  const root = join(import.meta.dir, "../../src");
  const files = [...new Bun.Glob("**/*.ts").scanSync(root)].filter(
    (file) => !/^(?:console|core\/fetch)\//u.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const calls =
    /(?<![.\w])(?:await|return|=|\() ?(?:globalThis\.)?fetch\(|globalThis\.fetch|[{,] fetch(?:,| \})/u;
  const textOf = (file: string) => readFileSync(join(root, file), "utf8");
  // One that is handed in has this one as its default.
  const others = files.filter((file) => !textOf(file).includes("fetch = fetchDirectly"));
  expect(others.filter((file) => calls.test(textOf(file)))).toEqual([]);
});

test("proxyVariable() says which variable names the proxy of an address, and none for this machine", () => {
  const both = { HTTP_PROXY: "http://p:1", https_proxy: "http://q:1" };
  expect(proxyVariable("http://model.example/v1", both)).toBe("HTTP_PROXY");
  expect(proxyVariable("https://model.example/v1", both)).toBe("https_proxy");
  for (const here of ["localhost", "a.localhost", "127.0.0.1", "127.9.0.1", "[::1]", "0.0.0.0"]) {
    expect(proxyVariable(`http://${here}:11434/v1`, both)).toBeUndefined();
  }
  for (const address of ["http://127.0.0.1.example/", "http://localhost.example/"]) {
    expect(proxyVariable(address, both)).toBe("HTTP_PROXY");
  }
  for (const NO_PROXY of ["*", "example", ".model.example", "a, model.example:80"]) {
    expect(proxyVariable("http://model.example/v1", { ...both, NO_PROXY })).toBeUndefined();
  }
  for (const NO_PROXY of ["", "odel.example", "model.example:81"]) {
    expect(proxyVariable("http://model.example/v1", { ...both, NO_PROXY })).toBe("HTTP_PROXY");
  }
});
