import { describe, expect, test } from "bun:test";
import { checkUrl, checkUrlToFetch, refuseUrl } from "../../src/http/check-url/check-url.ts";

const PUBLIC = "8.8.4.4";

/** Asks with one DNS answer for every name. */
function ask(url: string, answers: readonly string[] = [PUBLIC], allowedHosts: string[] = []) {
  return checkUrl(url, { allowedHosts, resolve: async () => answers });
}

describe("checkUrl() refuses an address literal that is not public, in every spelling", () => {
  test.each([
    "http://127.8.9.10/",
    "http://10.20.30.40/",
    "http://172.31.255.254:8080/",
    "http://192.168.7.7/",
    "http://100.64.1.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0.0.0.0/",
    "http://2130706434/",
    "http://0x7f000002/",
    "http://0300.0250.0.1/",
    "http://127.2/",
    "http://169.254.43518/",
    "http://１０.0.0.1/",
    "http://10。0。0。1/",
    "http://%31%30.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:a9fe:a9fe::]/",
    "http://[fe80::1]/",
    "http://[fd12:3456::1]/",
    "http://[ff02::fb]/",
    "http:\\\\127.0.0.1\\",
    "http:127.0.0.1",
    "\thttp://127.0.0.1/",
  ])("%s", async (url) => {
    expect(await ask(url)).toMatchObject({ allowed: false });
  });
});

describe("checkUrl() refuses what is no plain web address", () => {
  test.each([
    ["", "not a complete URL"],
    ["example.org/page", "not a complete URL"],
    ["//example.org/", "not a complete URL"],
    ["http://[fe80::1%25eth0]/", "not a complete URL"],
    ["file:///etc/hostname", 'not "file:"'],
    ["data:text/plain,x", 'not "data:"'],
    ["gopher://example.org/", 'not "gopher:"'],
    ["http://user@example.org/", "user name or password"],
    ["http://8.8.8.8@127.0.0.1/", "user name or password"],
    ["http://example.org:6379/", "port 6379"],
    ["http://example.org:22/", "port 22"],
    ["http://example.org:0/", "port 0"],
    ["http://a..example.org/", "no host name"],
    ["http://exa!mple.org/", "no host name"],
    [`http://${"a".repeat(64)}.org/`, "no host name"],
    [`http://example.org/${"a".repeat(2030)}`, "longer than 2048"],
  ])("%s", async (url, reason) => {
    expect(await ask(url)).toEqual({ allowed: false, reason: expect.stringContaining(reason) });
  });
});

describe("checkUrl() refuses names of the machine, the house and the cloud before asking DNS", () => {
  test.each([
    "localhost",
    "LocalHost",
    "localhost.",
    "api.localhost",
    "ｌｏｃａｌｈｏｓｔ",
    "nas",
    "nas.local",
    "nas.lan",
    "box.home.arpa",
    "wiki.corp",
    "metadata.google.internal",
    "metadata.goog",
    "api.default.svc",
    "api.default.svc.cluster.local",
  ])("%s", async (host) => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return [PUBLIC];
    };
    expect(await checkUrl(`http://${host}/`, { resolve })).toMatchObject({ allowed: false });
    expect(asked).toEqual([]);
  });
});

describe("checkUrl() lets public addresses through", () => {
  test.each([
    "http://8.8.4.4/",
    "http://[2606:4700::6810:1]/",
    "http://[64:ff9b::808:404]/",
    "https://example.org",
    "https://example.org.:8443/a?u=http://127.0.0.1/#localhost",
    "http://metadata.example.org:3000/",
    "https://кто.рф/",
    "https://1and1.example/",
    "http://internal.example/",
  ])("%s", async (url) => {
    expect(await ask(url)).toMatchObject({ allowed: true });
  });

  test("with the addresses that DNS gave, in its order", async () => {
    const answers = ["2606:4700::6810:1", PUBLIC];
    expect(await ask("http://example.org/", answers)).toEqual({
      allowed: true,
      addresses: answers,
    });
  });

  test("with the literal as the one address", async () => {
    expect(await ask("http://[2606:4700:0::1]/")).toEqual({
      allowed: true,
      addresses: ["2606:4700::1"],
    });
  });
});

describe("checkUrl() judges every DNS answer", () => {
  test.each([
    [[PUBLIC, "10.0.0.1"]],
    [["2606:4700::1", "::1"]],
    [["::ffff:169.254.169.254"]],
    [["168.63.129.16"]],
    [["fd00:ec2::254"]],
    [["fe80::1%eth0"]],
    [["0177.0.0.1"]],
    [["not an address"]],
    [[]],
  ])("%p is refused", async (answers) => {
    expect(await ask("http://example.org/", answers)).toMatchObject({ allowed: false });
  });

  test("a resolver that fails means no", async () => {
    const resolve = () => Promise.reject(new Error("SERVFAIL"));
    expect(await checkUrl("http://example.org/", { resolve })).toEqual({
      allowed: false,
      reason: 'DNS does not know "example.org"',
    });
  });
});

describe("checkUrl() opens the private hosts that the owner listed", () => {
  test.each([
    ["http://nas.lan:5432/", ["192.168.1.5"], "nas.lan"],
    ["http://NAS.lan./", ["192.168.1.5"], "Nas.Lan."],
    ["http://nas/", ["192.168.1.5"], "nas"],
    ["http://a.b.lan/", ["10.0.0.5"], ".lan"],
    ["http://127.0.0.1:7411/", [], "127.0.0.1"],
    ["http://2130706433/", [], "127.0.0.1"],
    ["http://[::1]/", [], "::1"],
    ["http://[::1]/", [], "[::1]"],
    ["http://bücher.example/", ["10.0.0.5"], "bücher.example"],
  ])("%s", async (url, answers, allowedHost) => {
    expect(await ask(url, answers, [allowedHost])).toMatchObject({ allowed: true });
  });

  test.each([
    ["http://evil-example.com/", ".example.com"],
    ["http://example.com/", ".example.com"],
    ["http://a.example.com/", "example.com"],
    ["http://example.com.evil.org/", "example.com"],
    ["http://10.0.0.5/", ".5"],
    ["http://nas.lan/", ""],
    ["http://nas.lan/", "."],
    ["http://nas.lan/", "*"],
  ])("but not %s by %p", async (url, allowedHost) => {
    expect(await ask(url, ["10.0.0.5"], [allowedHost])).toMatchObject({ allowed: false });
  });

  test.each([
    ["http://nas.lan/", ["169.254.169.254"], "nas.lan"],
    ["http://169.254.169.254/", [], "169.254.169.254"],
    ["http://metadata.google.internal/", ["10.0.0.5"], ".internal"],
    ["http://nas.lan/", ["100.100.100.200"], ".lan"],
  ])("and never a metadata service: %s", async (url, answers, allowedHost) => {
    expect(await ask(url, answers, [allowedHost])).toMatchObject({ allowed: false });
  });
});

test("checkUrl() asks the machine's resolver when it is given none", async () => {
  const verdict = await checkUrl("http://localhost/", { allowedHosts: ["localhost"] });
  if (!verdict.allowed) throw new Error(verdict.reason);
  expect(["127.0.0.1", "::1"]).toContain(verdict.addresses[0] ?? "");
});

describe("refuseUrl() asks nobody", () => {
  test.each([
    ["http://8.8.4.4/", [], undefined],
    ["http://example.org/", [], undefined],
    ["http://10.0.0.5/", [], '"10.0.0.5" is not public'],
    ["http://10.0.0.5/", ["10.0.0.6"], '"10.0.0.5" is not public'],
    ["http://10.0.0.5/", ["10.0.0.5"], undefined],
    ["http://169.254.169.254/", ["169.254.169.254"], '"169.254.169.254" is not public'],
    ["http://nas.lan/", [], '"nas.lan" is a name of the local network'],
    ["http://nas.lan/", [".lan"], undefined],
    ["http://metadata/", ["metadata"], '"metadata" is a metadata service'],
    ["http://a..b/", ["a..b"], '"a..b" is no host name'],
    [`http://${"a.".repeat(127)}a/`, [], `"${"a.".repeat(127)}a" is no host name`],
    ["http://example.org:22/", [], "port 22 is not one of the web"],
    ["http://example.org:22/", ["example.org"], undefined],
    ["http://example.org:1023/", [], "port 1023 is not one of the web"],
    ["http://example.org:1024/", [], undefined],
    ["ftp://example.org/", [], 'only http and https are fetched, not "ftp:"'],
  ])("about %s with %j: %p", (url, allowed, reason) => {
    expect(refuseUrl(url, allowed)).toBe(reason);
  });

  test("about an address of exactly as many signs as it may have", () => {
    const url = (length: number) => `http://example.org/${"a".repeat(length - 19)}`;
    expect([refuseUrl(url(2048), []), refuseUrl(url(2049), [])]).toEqual([
      undefined,
      "it is longer than 2048 characters",
    ]);
  });
});

test("checkUrlToFetch() says whether a host is refused or only out of reach, and why", async () => {
  const look = (url: string, answers: readonly string[]) =>
    checkUrlToFetch(url, { resolve: async () => answers });
  expect(await look("http://example.org/a", [PUBLIC])).toEqual({
    kind: "allowed",
    url: new URL("http://example.org/a"),
    addresses: [PUBLIC],
  });
  expect(await look("http://example.org/", [])).toEqual({
    kind: "unresolved",
    reason: 'DNS does not know "example.org"',
  });
  expect(await look("http://example.org/", [PUBLIC, "10.0.0.1"])).toEqual({
    kind: "refused",
    reason: '"example.org" leads to "10.0.0.1", which is not public',
  });
});
