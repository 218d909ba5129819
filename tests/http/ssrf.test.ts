import { describe, expect, test } from "bun:test";
import { checkUrl } from "../../src/http/check-url/check-url.ts";
import { spellingsOf } from "./address-spellings.ts";
import { expectFailure, expectResponse, fetchSite, toText } from "./fetch-support.ts";
import { httpAnswer, rawServer } from "./raw-server.ts";

const PUBLIC = "93.184.216.34";

/** Whether an address passes when DNS gives these answers for every name. */
async function passes(url: string, ...answers: readonly string[]): Promise<boolean> {
  const resolve = async () => (answers.length > 0 ? answers : [PUBLIC]);
  return (await checkUrl(url, { resolve })).allowed;
}

/** Those of the addresses that are evaluated otherwise than expected. */
async function misclassified(
  urls: readonly string[],
  isExpected: boolean,
): Promise<readonly string[]> {
  const verdicts = await Promise.all(urls.map((url) => passes(url)));
  return urls.filter((_url, at) => verdicts[at] !== isExpected);
}

const toUrls = (hosts: readonly string[]) => hosts.map((host) => `http://${host}/`);

/** First and last of the ranges that the registries do not call global; and their neighbours. */
const RANGES = [
  ["0.0.0.0", "0.255.255.255", [null, "1.0.0.0"]],
  ["10.0.0.0", "10.255.255.255", ["9.255.255.255", "11.0.0.0"]],
  ["100.64.0.0", "100.127.255.255", ["100.63.255.255", "100.128.0.0"]],
  ["127.0.0.0", "127.255.255.255", ["126.255.255.255", "128.0.0.0"]],
  ["169.254.0.0", "169.254.255.255", ["169.253.255.255", "169.255.0.0"]],
  ["172.16.0.0", "172.31.255.255", ["172.15.255.255", "172.32.0.0"]],
  ["192.0.0.0", "192.0.0.255", ["191.255.255.255", "192.0.1.0"]],
  ["192.0.2.0", "192.0.2.255", ["192.0.1.255", "192.0.3.0"]],
  ["192.168.0.0", "192.168.255.255", ["192.167.255.255", "192.169.0.0"]],
  ["198.18.0.0", "198.19.255.255", ["198.17.255.255", "198.20.0.0"]],
  ["198.51.100.0", "198.51.100.255", ["198.51.99.255", "198.51.101.0"]],
  ["203.0.113.0", "203.0.113.255", ["203.0.112.255", "203.0.114.0"]],
  ["224.0.0.0", "255.255.255.255", ["223.255.255.255", null]],
  ["168.63.129.16", "168.63.129.16", ["168.63.129.15", "168.63.129.17"]],
] as const;

describe("checkUrl() draws the border", () => {
  test.each(RANGES)("around %s to %s", async (first, last, neighbours) => {
    expect(await misclassified(toUrls([first, last]), false)).toEqual([]);
    expect(await misclassified(toUrls(neighbours.filter((host) => host !== null)), true)).toEqual(
      [],
    );
  });

  test("around what IPv6 has of the kind", async () => {
    const closed = `:: ::1 ::2 ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b:1::1 64:ff9b::a00:1 100::1
      100:0:0:1::1 2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:a00:1:: 2002:7f00:1::
      2002:a9fe:a9fe:: 3fff::1 4000::1 5f00::1 fc00::1 fd00::1 fd00:ec2::254 fd20:ce::254
      fdff:ffff::1 fe80::1 febf::1 fec0::1 feff::1 ff02::1 ff05::1:3 ff0e::1`;
    const open = `2001:4860:4860::8888 2606:4700:4700::1111 2001:200::1 2a00:1450:4001::1
      2620:fe::fe 2002:808:808::1 64:ff9b::808:808 ::ffff:8.8.8.8`;
    const hosts = (list: string) => list.split(/\s+/u).map((host) => `[${host}]`);
    expect(await misclassified(toUrls(hosts(closed)), false)).toEqual([]);
    expect(await misclassified(toUrls(hosts(open)), true)).toEqual([]);
  });
});

describe("checkUrl() knows an address in every spelling:", () => {
  test.each(["127.0.0.1", "169.254.169.254", "10.0.0.1", "192.168.1.1", "172.16.0.1", "0.0.0.0"])(
    "%s is refused",
    async (address) => {
      expect(await misclassified(toUrls(spellingsOf(address)), false)).toEqual([]);
    },
  );

  test("8.8.8.8 is not", async () => {
    expect(await misclassified(toUrls(spellingsOf("8.8.8.8")), true)).toEqual([]);
  });
});

describe("checkUrl() refuses", () => {
  test.each([
    [
      "what no parser reads alike",
      "http://127.0.0.1:80a/ http://::1/ http://4294967296/ http://127.0.0.256/ http://0x100000000/ http://127.0.0.1.1/ http://[::1 http://[fe80::1%25lo]/ http:///127.0.0.1/ http://\\127.0.0.1 http://127.1\\@example.com/ http://127.0.0.1%2f@example.com/ http://example.com:pass@word@127.0.0.1/ http://user@127.0.0.1/ http://[::ffff:127.0.0.1]:80/ http://127.0.0.1#@example.com/ http://127.0.0.1?@example.com/ https:127.0.0.1 HTTP://LOCALHOST/ http://127.0.0.1\t/",
    ],
    [
      "a user name, even before a public host",
      "https://127.0.0.1@example.com/ https://a:b@example.com/ http://:@127.0.0.1/",
    ],
    [
      "other schemes",
      "file:///etc/passwd file:/etc/passwd ftp://example.com/ sftp://example.com/ gopher://example.com/ dict://example.com/ ldap://example.com/ ws://example.com/ jar:http://example.com!/ data:text/html,x blob:http://example.com/x javascript:alert(1) view-source:http://example.com/ php://filter/resource=x netdoc:///etc/passwd bun:sqlite node:fs s3://bucket/key unix:/var/run/docker.sock about:blank",
    ],
    [
      "names of this machine",
      "http://localhost/ http://LOCALHOST./ http://a.localhost/ http://localhost.localdomain/ http://localhost。/ http://ｌｏｃａｌｈｏｓｔ/ http://loc%61lhost/ http://ip6-localhost/ http://0/",
    ],
    [
      "names of this network",
      "http://nas/ http://router.lan/ http://printer.local/ http://a.home.arpa/ http://wiki.corp/ http://db.internal/ http://kubernetes.default.svc/ http://a.svc.cluster.local/ http://metadata/ http://metadata.google.internal/ http://metadata.google.internal./ http://instance-data/ http://x.onion/",
    ],
    [
      "ports of other services",
      [
        0, 1, 7, 22, 23, 25, 53, 110, 143, 389, 445, 2375, 3306, 3389, 5432, 6379, 6443, 9200,
        10_250, 11_211, 27_017,
      ]
        .map((port) => `http://example.com:${port}/`)
        .join(" "),
    ],
  ])("%s", async (_what, urls) => {
    expect(await misclassified(urls.split(" "), false)).toEqual([]);
  });

  test.each(
    `10.0.0.1 127.0.0.1 169.254.169.254 0.0.0.0 100.100.100.200 192.0.0.192 ::1 :: fe80::1 fd00::1
    ::ffff:10.0.0.1 64:ff9b::a9fe:a9fe 2002:7f00:1:: 93.184.216.34,10.0.0.1 2606:4700::1,::1`.split(
      /\s+/u,
    ),
  )("a name whose answers hold %s", async (answers) => {
    expect(await passes("http://evil.example/", ...answers.split(","))).toBe(false);
  });
});

test("checkUrl() lets the web through", async () => {
  const urls = `http://example.com/ https://example.com:8443/x https://example.com:3000/
    https://metadata.example.org/ https://localhost.example.com/ https://10.example.com/
    https://internal.example.com/ https://fd00.example.com/
    https://bücher.example/ https://пример.рф/ https://例え.jp/ https://a-b.c_d.example/
    https://example.com./ https://example.com/?u=http://127.0.0.1/ https://example.com/#@127.0.0.1
    https://example.com/%0d%0aHost:%20x https://1.1.1.1/ https://a.b.c.d.e.example/`;
  expect(await misclassified(urls.split(/\s+/u), true)).toEqual([]);
});

describe("fetchGuarded() is not rebound", () => {
  test.each(["10.0.0.1", "169.254.169.254", "::1", "0.0.0.0"])(
    "when the second answer is %s",
    async (second) => {
      using server = await rawServer((socket) => socket.end(httpAnswer("first")));
      const asked: string[] = [];
      const resolve = async (host: string) => (asked.push(host) === 1 ? ["127.0.0.1"] : [second]);
      expect(toText(await fetchSite(server.port, { resolve }))).toBe("first");
      expect(asked).toHaveLength(1);
    },
  );

  test("when the answer changes at every question", async () => {
    using server = await rawServer((socket) => socket.end(httpAnswer("private")));
    let asked = 0;
    const resolve = async () => (asked++ % 2 === 0 ? ["10.0.0.1"] : ["127.0.0.1"]);
    const options = { resolve, allowedHosts: [] };
    for (let i = 0; i < 4; i++) {
      expect(expectFailure(await fetchSite(server.port, options)).code).toBe("denied");
    }
    expect(server.requests).toEqual([]);
  });
});

describe("fetchGuarded() follows none of", () => {
  const elsewhere =
    "http://169.254.169.254/latest/meta-data/ http://127.0.0.1/ http://[::1]/ //127.0.0.1/ file:///etc/passwd http://0x7f000001/ http://2130706433/ http://localhost/";
  test.each(elsewhere.split(" "))("%s", async (location) => {
    for (const status of [300, 301, 302, 303, 307, 308]) {
      using server = await rawServer((socket) =>
        socket.end(httpAnswer("", { Location: location }, `${status} Go`)),
      );
      const first = await fetchSite(server.port);
      expect(expectResponse(first)).toMatchObject({ status, headers: { location } });
      const result = await fetchSite(server.port, { maxRedirects: 3 });
      expect(result.ok ? result.status : result.code).toBe(status === 300 ? 300 : "denied");
      expect(server.requests).toHaveLength(2);
    }
  });

  test("a Refresh header", async () => {
    using server = await rawServer((socket) =>
      socket.end(httpAnswer("x", { Refresh: "0;url=http://127.0.0.1/" })),
    );
    expect(expectResponse(await fetchSite(server.port, { maxRedirects: 3 })).status).toBe(200);
    expect(server.requests).toHaveLength(1);
  });
});

describe("fetchGuarded() believes no length", () => {
  test.each([
    ["that is too long", "Content-Length: 1000"],
    ["that is negative", "Content-Length: -1"],
    ["that is no number", "Content-Length: abc"],
    ["that is said twice otherwise", "Content-Length: 3\r\nContent-Length: 5"],
    ["beside chunks", "Content-Length: 3\r\nTransfer-Encoding: chunked"],
  ])("%s", async (_what, head) => {
    using server = await rawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\nabc`));
    const failure = expectFailure(await fetchSite(server.port));
    expect(failure.code).toBe("unavailable");
  });

  test("that promises 1 GB, and reads what it may", async () => {
    using server = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${1024 ** 3}\r\n\r\n${"x".repeat(200_000)}`);
    });
    const response = expectResponse(await fetchSite(server.port));
    expect(response).toMatchObject({ truncated: true });
    expect(response.body).toHaveLength(100_000);
  });
});
