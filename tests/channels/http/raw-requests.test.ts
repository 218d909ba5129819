import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { openBench, TOKEN } from "./bench.ts";

const ROUTINE = "/api/routines/%E0%A4%A/trigger";

/** A body that comes as far as it goes; what is sent says how long it was to be. */
function post(body: string, length = body.length): string {
  return `POST /api/chat HTTP/1.1\r\nHOST\r\nTOKEN\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** By what is wrong: HOST and TOKEN are replaced by the right headers. */
const RAW: Readonly<Record<string, string>> = {
  "HTTP/1.0 without Host": "GET /healthz HTTP/1.0\r\n\r\n",
  "HTTP/1.1 without Host": "GET /healthz HTTP/1.1\r\n\r\n",
  "HTTP/0.9": "GET /healthz\r\n",
  "no HTTP": "hello\r\n\r\n",
  zeros: "\0\0\0\r\n\r\n",
  "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "an empty Host": "GET /healthz HTTP/1.1\r\nHost: \r\n\r\n",
  "a Host with blanks": "GET /healthz HTTP/1.1\r\nHost: a b c\r\n\r\n",
  "half a Host": "GET /healthz HTTP/1.1\r\nHost: [::\r\n\r\n",
  "a Host with a path": "GET /healthz HTTP/1.1\r\nHost: a/b?c#d\r\n\r\n",
  "a Host with a user": "GET /healthz HTTP/1.1\r\nHost: a:b@c:d\r\n\r\n",
  "two Hosts": "GET /healthz HTTP/1.1\r\nHOST\r\nHost: evil\r\n\r\n",
  "another Host": "GET /healthz HTTP/1.1\r\nHost: evil\r\n\r\n",
  "an absolute address": "GET http://evil/api/status HTTP/1.1\r\nHOST\r\n\r\n",
  "an absolute address of another kind": "GET file:///etc/passwd HTTP/1.1\r\nHOST\r\n\r\n",
  "a star": "OPTIONS * HTTP/1.1\r\nHOST\r\n\r\n",
  "a tunnel": "CONNECT evil:443 HTTP/1.1\r\nHOST\r\n\r\n",
  "two slashes": "GET //evil/x HTTP/1.1\r\nHOST\r\n\r\n",
  "no slash": "GET healthz HTTP/1.1\r\nHOST\r\n\r\n",
  "a long address": `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHOST\r\n\r\n`,
  "a long header": `GET /healthz HTTP/1.1\r\nHOST\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
  "many headers": `GET /healthz HTTP/1.1\r\nHOST\r\n${"X: a\r\n".repeat(5000)}\r\n`,
  "a header without a colon": "GET /healthz HTTP/1.1\r\nHOST\r\nX\r\n\r\n",
  "a zero in the address": "GET /a\0b HTTP/1.1\r\nHOST\r\n\r\n",
  "bytes that are no UTF-8": "GET /\xff\xfe HTTP/1.1\r\nHOST\r\n\r\n",
  "half a percent sign": "GET /% HTTP/1.1\r\nHOST\r\nTOKEN\r\n\r\n",
  "a routine that is no UTF-8": `POST ${ROUTINE} HTTP/1.1\r\nHOST\r\nTOKEN\r\nContent-Length: 0\r\n\r\n`,
  "a routine of a zero":
    "POST /api/routines/%00/trigger HTTP/1.1\r\nHOST\r\nContent-Length: 0\r\n\r\n",
  "an unknown method": "FOO /healthz HTTP/1.1\r\nHOST\r\n\r\n",
  "a negative length": post("x", -1),
  "a length beyond all": post("{}", 99_999_999),
  "two lengths":
    "POST /api/chat HTTP/1.1\r\nHOST\r\nTOKEN\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
  "a length and chunks":
    "POST /api/chat HTTP/1.1\r\nHOST\r\nTOKEN\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "a bad chunk":
    "POST /api/chat HTTP/1.1\r\nHOST\r\nTOKEN\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "half a body": post("{}", 50),
  "no body": "POST /api/chat HTTP/1.1\r\nHOST\r\nTOKEN\r\n\r\n",
  "no JSON": post("{]"),
  null: post("null"),
  "a list": post("[1]"),
  "a session that is a list": post('{"session_id":[],"message":"x"}'),
  "a message that is an object": post('{"message":{"a":1}}'),
  "deep brackets": post("[".repeat(100_000) + "]".repeat(100_000)),
  "a deep message": post(`{"message":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
};

/** What came back until the other side hung up, or said a whole answer. */
function send(port: number, request: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, "127.0.0.1", () => socket.write(request, "latin1"));
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes.toString("utf8");
    const [head = "", body] = answer.split("\r\n\r\n");
    const length = Number(/^content-length: (\d+)/imu.exec(head)?.[1] ?? 0);
    if (body !== undefined && Buffer.byteLength(body) >= length) socket.destroy();
  });
  socket.on("error", () => {});
  socket.on("close", () => resolve(answer));
  return promise;
}

describe("createHttpChannel() answers with a refusal, and never fails, when sent", () => {
  test.each(Object.entries(RAW))("%s", async (_, raw) => {
    // Any of them may come to this limit: a refusal, too.
    await using bench = await openBench(undefined, { bodyMs: 300 });
    const port = Number(new URL(bench.root).port);
    const request = raw
      .replaceAll("HOST", `Host: 127.0.0.1:${port}`)
      .replaceAll("TOKEN", `Authorization: Bearer ${TOKEN}`);
    const answer = await send(port, request);
    // A connection that is closed without a word is an answer, too.
    expect(answer).toMatch(/^$|^HTTP\/1\.1 (?:4\d\d|505) /u);
    expect(answer).not.toMatch(/\n\s+at |src\//u);
    expect((await bench.call("/healthz")).status).toBe(200);
  });
});

test("createHttpChannel() tells HTTP/1.0 without a Host what is missing, as JSON", async () => {
  await using bench = await openBench();
  const answer = await send(Number(new URL(bench.root).port), "GET /healthz HTTP/1.0\r\n\r\n");
  expect(answer).toStartWith("HTTP/1.1 400 ");
  const report: unknown = JSON.parse(answer.split("\r\n\r\n")[1] ?? "");
  expect(report).toEqual({ ok: false, error: 'send a "Host" header, as HTTP/1.1 has it' });
});
