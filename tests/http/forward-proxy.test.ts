import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { until } from "../support/patience.ts";
import { createVirtualTimers } from "../support/virtual-timers.ts";
import { ask, openProxyScene } from "./proxy-scene.ts";
import { httpAnswer, type RawServer, rawServer } from "./raw-server.ts";

const OK = Buffer.from(httpAnswer("hello", { "X-Packages": "1" }));
const answering = (): Promise<RawServer> => rawServer((socket) => void socket.end(OK));
const GET = (url: string, ...headers: readonly string[]) =>
  [`GET ${url} HTTP/1.1`, "Host: registry.example.com", ...headers, "", ""].join("\r\n");
const CONNECT = (to: string, ...headers: readonly string[]) =>
  [`CONNECT ${to} HTTP/1.1`, `Host: ${to}`, ...headers, "", ""].join("\r\n");
const PLAIN = "http://registry.example.com/a?b=1";

describe("openForwardProxy()", () => {
  test("sends a request on to a host that is allowed, without what is meant for the proxy", async () => {
    using server = await answering();
    await using scene = await openProxyScene(server.port);
    const headers = [
      "Accept: */*",
      "Proxy-Authorization: Basic eA==",
      "Authorization: Bearer token",
      "Cookie: a=b",
      "Connection: keep-alive, X-Hop",
      "X-Hop: 1",
      "Upgrade: h2c",
      "Content-Length: 0",
    ];
    const answer = await ask(scene, GET("http://REGISTRY.example.com:80/a?b=1", ...headers));
    expect(answer).toBe(OK.toString("latin1"));
    expect(server.requests).toEqual([
      "GET /a?b=1 HTTP/1.1\r\nHost: registry.example.com\r\nAccept: */*\r\nConnection: close\r\n\r\n",
    ]);
    expect(scene.reached).toEqual(["93.184.216.34:80"]);
    expect([...scene.proxy.used.keys()]).toEqual(["registry.example.com"]);
    const passed = OK.length + (server.requests[0]?.length ?? 0);
    expect(scene.proxy.used.get("registry.example.com")).toBe(passed);
  });

  test("names the host of the address, whatever the header Host says", async () => {
    using server = await answering();
    await using scene = await openProxyScene(server.port);
    const words = GET(PLAIN, "Host: evil.example.net").replace("Host: registry", "Host: other");
    await ask(scene, words);
    expect(server.requests[0]?.match(/^host:.*$/gimu)).toEqual(["Host: registry.example.com"]);
  });

  test("opens a tunnel both ways, with what came behind its head", async () => {
    using server = await rawServer((socket, said) => void socket.write(`${said}!`));
    await using scene = await openProxyScene(server.port);
    using client = await scene.dial();
    client.socket.write(`${CONNECT("registry.example.com:443")}early`);
    const opened = "HTTP/1.1 200 Connection Established\r\n\r\n";
    await until(() => client.got() === `${opened}early!`);
    expect(scene.reached).toEqual(["93.184.216.34:443"]);
    expect(scene.proxy.used.get("registry.example.com")).toBe("early".length + "early!".length);
  });

  test("lets either side end its words and hear the other out", async () => {
    using server = await rawServer((socket) => {
      socket.allowHalfOpen = true;
      socket.once("end", () => socket.end("the whole answer"));
    });
    await using scene = await openProxyScene(server.port);
    using client = await scene.dial();
    client.socket.end(`${CONNECT("registry.example.com:443")}the whole question`);
    await client.ended;
    expect(client.got()).toEndWith("\r\n\r\nthe whole answer");
  });

  test("tries another address of the same host", async () => {
    using server = await answering();
    const { connect } = await import("node:net");
    const tried: string[] = [];
    await using scene = await openProxyScene(server.port, {
      connect: (address) => {
        tried.push(address);
        const isGone = tried.length === 1;
        return connect({ host: "127.0.0.1", port: isGone ? 1 : server.port });
      },
    });
    expect(await ask(scene, GET("http://mirror.example.com/"))).toStartWith("HTTP/1.1 200");
    expect(tried).toEqual(["93.184.216.35", "93.184.216.34"]);
  });

  test("ends with all its connections, and its socket is gone", async () => {
    using server = await rawServer(() => {});
    const scene = await openProxyScene(server.port);
    using client = await scene.dial();
    client.socket.write(CONNECT("registry.example.com:443"));
    await until(() => client.got() !== "");
    await scene[Symbol.asyncDispose]();
    await client.ended;
    expect(existsSync(scene.socketPath)).toBe(false);
  });
});

describe("openForwardProxy() refuses, and connects to nothing", () => {
  const FORBIDDEN: readonly string[] = [
    "evil.example.com:443",
    "registry.example.com.evil.net:443",
    "evilregistry.example.com:443",
    "cdn.example.org:443", // the suffix is not a name of its own
    "evil-cdn.example.org:443",
    "deep.cdn.example.org.evil.net:443",
    "registry.example.com:22",
    "registry.example.com:8080",
    "registry.example.com:0443",
    "registry.example.com:443:443",
    "registry.example.com",
    "registry.example.com:",
    "registry.example.com:-443",
    "user@registry.example.com:443",
    "registry.example.com@evil.net:443",
    "registry.example.com#@evil.net:443",
    "registry.example.com%00.evil.net:443",
    "registry.example.com/:443",
    "registry.example.com\\.evil.net:443",
    "http://registry.example.com:443",
    "localhost:443",
    "localhost.:80",
    "127.0.0.1:443",
    "127.1:443",
    "2130706433:443",
    "0x7f000001:443",
    "017700000001:443",
    "0:80",
    "93.184.216.34:443",
    "[::1]:443",
    "[::ffff:127.0.0.1]:80",
    "[fe80::1%25eth0]:443",
    "169.254.169.254:80",
    "metadata:80",
    // allowed names that lead where nobody may go
    "inside.example.com:443",
    "half.example.com:443",
    "metadata.example.com:80",
  ];
  const URLS: readonly string[] = [
    "http://evil.example.com/",
    "http://registry.example.com:8080/",
    "http://registry.example.com:443/",
    "http://user:pass@registry.example.com/",
    "http://registry.example.com@evil.net/",
    "http://registry.example.com\\@evil.net/",
    "http://registry.example.com#@evil.net/",
    "http://inside.example.com/",
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://localhost/",
    "HTTP://registry.example.com.evil.net/",
  ];
  const BROKEN: readonly (readonly [status: string, words: string])[] = [
    ["400", GET("/a")],
    ["400", GET("*")],
    ["400", GET("registry.example.com/a")],
    ["400", GET("//registry.example.com/a")],
    ["400", GET("https://registry.example.com/a")],
    ["400", GET("ftp://registry.example.com/a")],
    ["400", GET("file:///etc/passwd")],
    ["400", GET("http:registry.example.com/a")],
    ["400", GET(`${PLAIN}\u0000`)],
    ["400", `GET ${PLAIN} x HTTP/1.1\r\n\r\n`],
    ["400", `GET  ${PLAIN} HTTP/1.1\r\n\r\n`],
    ["400", `GET ${PLAIN}\r\n\r\n`],
    ["400", `GET ${PLAIN} HTTP/2.0\r\n\r\n`],
    ["400", `get ${PLAIN} HTTP/1.1\r\n\r\n`],
    ["400", `\r\nGET ${PLAIN} HTTP/1.1\r\n\r\n`],
    ["405", `POST ${PLAIN} HTTP/1.1\r\n\r\n`],
    ["405", `PUT ${PLAIN} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`],
    ["405", `TRACE ${PLAIN} HTTP/1.1\r\n\r\n`],
    ["400", GET(PLAIN, "Content-Length: 5")],
    ["400", GET(PLAIN, "content-length: +0")],
    ["400", GET(PLAIN, "Content-Length: 0", "Content-Length: 9")],
    ["400", GET(PLAIN, "Transfer-Encoding: chunked")],
    ["400", GET(PLAIN, "Transfer-Encoding : chunked")],
    ["400", GET(PLAIN, "X: 1\n\nGET http://evil.net/ HTTP/1.1")],
    ["400", GET(PLAIN, "X: 1\rY: 2")],
    ["400", GET(PLAIN, "X: 1", " folded: 2")],
    ["400", GET(PLAIN, "no colon")],
    ["400", GET(PLAIN, ": empty")],
    ["400", GET(PLAIN, "X: \u0000")],
    ["400", `${GET(PLAIN)}GET http://evil.net/ HTTP/1.1\r\n\r\n`],
    ["400", CONNECT("registry.example.com:443", "Content-Length: 4")],
    ["400", "CONNECT registry.example.com:443\r\n\r\n"],
    ["400", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"],
    ["431", GET(PLAIN, ...Array.from({ length: 101 }, (_, index) => `X-${index}: 1`))],
    ["431", GET(PLAIN, `X: ${"a".repeat(17_000)}`)],
    ["431", `GET ${"a".repeat(40_000)}`],
    ["502", CONNECT("nowhere.example.com:443")],
    ["502", GET("http://nowhere.example.com/")],
  ];
  const rows = [
    ...FORBIDDEN.map((to) => ["403", CONNECT(to)] as const),
    ...URLS.map((url) => ["403", GET(url)] as const),
    ...BROKEN,
  ];
  test.each(rows)("%s for %j", async (status, words) => {
    using server = await answering();
    await using scene = await openProxyScene(server.port);
    expect(await ask(scene, words)).toStartWith(`HTTP/1.1 ${status} `);
    expect(scene.reached).toEqual([]);
    expect([...scene.proxy.used]).toEqual([]);
  });

  test("a second request on a connection of the first", async () => {
    using server = await rawServer((socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\nslow"));
    await using scene = await openProxyScene(server.port);
    using client = await scene.dial();
    client.socket.write(GET(PLAIN));
    await until(() => client.got().endsWith("slow"));
    client.socket.write(GET("http://registry.example.com/other"));
    await client.ended;
    expect(server.requests).toHaveLength(1);
  });

  test("names the hosts that it refused, and apart from them those that nobody can open", async () => {
    using server = await answering();
    await using scene = await openProxyScene(server.port);
    const open = Array.from({ length: 12 }, (_, index) => `h${index}.evil.net`);
    const closed = [
      "metadata.google.internal",
      "metadata.tencentyun.com",
      "169.254.169.254",
      "8.8.8.8",
      "printer.local",
      "localhost",
      "db.corp",
    ];
    for (const host of [...open, ...closed, ...open]) await ask(scene, CONNECT(`${host}:443`));
    expect([...scene.proxy.refused]).toEqual(open);
    expect([...scene.proxy.closed]).toEqual(closed);
    expect(server.requests).toEqual([]);
  });
});

describe("openForwardProxy() ends", () => {
  test("who does not say what it wants", async () => {
    using server = await answering();
    const timers = createVirtualTimers();
    await using scene = await openProxyScene(server.port, { timers });
    using client = await scene.dial();
    client.socket.write("GET http://registry.exam");
    using slow = await scene.dial();
    await ask(scene, GET(PLAIN)); // all are served by now
    timers.pass(15_000);
    await Promise.all([client.ended, slow.ended]);
    expect(client.got()).toStartWith("HTTP/1.1 408 ");
  });

  test("an attempt to connect that nobody answers", async () => {
    using server = await answering();
    const { Socket } = await import("node:net");
    const timers = createVirtualTimers();
    const tried: string[] = [];
    await using scene = await openProxyScene(server.port, {
      timers,
      connect: (address) => {
        tried.push(address);
        return new Socket();
      },
    });
    using client = await scene.dial();
    client.socket.write(CONNECT("registry.example.com:443"));
    await until(() => tried.length === 1);
    timers.pass(15_000);
    await client.ended;
    expect(client.got()).toStartWith("HTTP/1.1 502 ");
  });

  test("a connection on which nothing moves, and none on which something does", async () => {
    using server = await rawServer((socket) => {
      socket.write("1");
      socket.on("data", () => socket.write("2"));
    });
    const timers = createVirtualTimers();
    await using scene = await openProxyScene(server.port, { timers });
    using client = await scene.dial();
    client.socket.write(`${CONNECT("registry.example.com:443")}a`);
    await until(() => client.got().endsWith("1"));
    timers.pass(50_000);
    client.socket.write("b");
    await until(() => client.got().endsWith("12"));
    timers.pass(59_999);
    await ask(scene, GET("http://evil.example.com/")); // what was due has been done
    expect(client.socket.readableEnded).toBe(false);
    timers.pass(1);
    await client.ended;
  });

  test("what was being looked up for a client when it ends itself", async () => {
    using server = await answering();
    const found = Promise.withResolvers<readonly string[]>();
    const { connect } = await import("node:net");
    const opened: ReturnType<typeof connect>[] = [];
    let asked = 0;
    const scene = await openProxyScene(server.port, {
      resolve: async () => (asked++, found.promise),
      connect: () => {
        const socket = connect({ host: "127.0.0.1", port: server.port });
        opened.push(socket);
        return socket;
      },
    });
    using client = await scene.dial();
    client.socket.write(GET(PLAIN));
    await until(() => asked === 1);
    await scene[Symbol.asyncDispose]();
    found.resolve(["93.184.216.34"]);
    await until(() => opened[0]?.destroyed === true);
    expect(server.requests).toEqual([]);
  });

  test("who ends its words before it has said what it wants, without a word", async () => {
    using server = await answering();
    await using scene = await openProxyScene(server.port);
    using client = await scene.dial();
    client.socket.end("GET http://registry.exam");
    await client.ended;
    expect(client.got()).toBe("");
  });

  test("a head that is longer than anybody's by a byte", async () => {
    using server = await answering();
    await using scene = await openProxyScene(server.port);
    const long = (length: number) =>
      GET(PLAIN, `X: ${"a".repeat(length - GET(PLAIN, "X: ").length)}`);
    // The empty line that ends it does not count.
    expect(long(16_388)).toHaveLength(16_388);
    expect(await ask(scene, long(16_388))).toStartWith("HTTP/1.1 200 ");
    expect(await ask(scene, long(16_389))).toStartWith("HTTP/1.1 431 ");
    using client = await scene.dial();
    client.socket.write(long(16_388).slice(0, 16_384));
    await ask(scene, GET("http://evil.example.com/")); // by now it was read
    client.socket.write(long(16_388).slice(16_384));
    await client.ended;
    expect(client.got()).toStartWith("HTTP/1.1 200 ");
    expect(await ask(scene, long(16_400).slice(0, 16_385))).toStartWith("HTTP/1.1 431 ");
  });

  test("all when more bytes passed than one command may fetch", async () => {
    const piece = Buffer.alloc(64 * 1024);
    using server = await rawServer((socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on("drain", more);
      more();
    });
    await using scene = await openProxyScene(server.port, { limits: { maxBytes: 1024 * 1024 } });
    const got = await ask(scene, GET(PLAIN));
    expect(got.length).toBeLessThan(2 * 1024 * 1024);
    expect(await ask(scene, GET(PLAIN))).toBe("");
  });

  test("no byte too early: as many as may pass do", async () => {
    using server = await answering();
    const passed = async (maxBytes: number) => {
      await using scene = await openProxyScene(server.port, { limits: { maxBytes } });
      const first = await ask(scene, GET(PLAIN));
      return [first === OK.toString("latin1"), (await ask(scene, GET(PLAIN))) === ""];
    };
    const words = `GET /a?b=1 HTTP/1.1\r\nHost: registry.example.com\r\nConnection: close\r\n\r\n`;
    expect(await passed(OK.length + words.length)).toEqual([true, true]);
    expect(await passed(OK.length + words.length - 1)).toEqual([false, true]);
  });

  test("no server for a client that does not read: the server waits", async () => {
    let sent = 0;
    const piece = Buffer.alloc(64 * 1024);
    using server = await rawServer((socket) => {
      const more = (): void => {
        while (sent < 64 * 1024 * 1024 && socket.write(piece)) sent += piece.length;
      };
      socket.on("drain", more);
      more();
    });
    await using scene = await openProxyScene(server.port);
    using client = await scene.dial();
    client.socket.pause();
    client.socket.write(GET(PLAIN));
    await until(() => sent > 0);
    let last = -1;
    await until(() => {
      const isStill = last === sent;
      last = sent;
      return isStill;
    });
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test("clients beyond those at a time, until one is gone", async () => {
    using server = await answering();
    await using scene = await openProxyScene(server.port, { limits: { maxOpen: 2 } });
    using _first = await scene.dial();
    {
      using _second = await scene.dial();
      expect(await ask(scene, GET(PLAIN))).toBe("");
    }
    await until(async () => (await ask(scene, GET(PLAIN))) !== "");
    // One that was refused is gone, too, whatever it still says.
    {
      using refused = await scene.dial();
      refused.socket.write(GET("http://evil.example.com/"));
      await until(() => refused.got() !== "");
      refused.socket.write("more");
    }
    await until(async () => (await ask(scene, GET(PLAIN))) !== "");
  });

  test("clients beyond those in all, also where the others are gone", async () => {
    using server = await answering();
    await using scene = await openProxyScene(server.port, { limits: { maxClients: 2 } });
    expect(await ask(scene, GET(PLAIN))).not.toBe("");
    expect(await ask(scene, GET(PLAIN))).not.toBe("");
    expect(await ask(scene, GET(PLAIN))).toBe("");
  });
});
