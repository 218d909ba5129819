import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStatus } from "../../src/cli/daemon-client.ts";
import { type DaemonStatus, isDaemonStatus, renderStatus } from "../../src/daemon/status.ts";
import { textsIn } from "../../src/texts/texts.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";

const EN = textsIn("en").status;

const STATUS: DaemonStatus = {
  running: true,
  pid: 42,
  version: "1.2.3",
  uptime_s: 7300,
  rss_bytes: 60 * 1024 * 1024,
  channels: {
    terminal: { state: "listening", clients: 2 },
    telegram: { state: "connecting", last_poll_at: null, inbox: 0, outbox: 3 },
  },
  sessions: 5,
  routines: [
    { name: "tidy", next_at: null, state: "disabled" },
    { name: "bad", next_at: null, state: "invalid", reason: "no such time zone" },
  ],
  pending_approvals: 1,
};

describe("renderStatus()", () => {
  test("says where the routines run instead", () => {
    const held = (pid: number | null, home: string | null) =>
      renderStatus({ ...STATUS, routines_held: { pid, home } }, EN);
    expect(held(7, "/homes/first")).toContain('runs them ("/homes/first", pid 7)');
    expect(held(null, null)).toContain('runs them ("?", pid ?)');
  });

  test("tells people what programs get as JSON, and leaves out what is not known", () => {
    expect(renderStatus(STATUS, EN)).toBe(
      [
        "papa-yu 1.2.3 has been running for 2 h (pid 42, 60 MB)",
        "terminal: listening, clients 2",
        "telegram: connecting, inbox 0, outbox 3",
        "routine tidy: disabled",
        "routine bad: invalid (no such time zone)",
        "sessions: 5, approvals waiting: 1",
      ].join("\n"),
    );
  });

  test("shows instants in local time", () => {
    const next_at = "2026-11-21T08:00:00.000Z";
    const routines = [{ name: "tidy", next_at, state: "waiting" }] as const;
    const local = new Date(next_at).toLocaleString("sv");
    expect(renderStatus({ ...STATUS, routines }, EN)).toContain(
      `routine tidy: waiting, next ${local}`,
    );
  });

  test("shows them by the clock on the wall of now, whatever the process was told at its begin", () => {
    const routines = [
      { name: "tidy", next_at: "2026-11-21T08:00:00.000Z", state: "waiting" },
    ] as const;
    const telegram = { state: "polling", last_poll_at: "2026-11-21T09:00:00.000Z" };
    const said = renderStatus({ ...STATUS, routines, channels: { telegram } }, EN, "Asia/Tokyo");
    expect(said).toContain("next 2026-11-21 17:00:00");
    expect(said).toContain("last poll at 2026-11-21 18:00:00");
  });

  test("says which routine does not notice all files that it watches, and why", () => {
    const routines = [
      { name: "tidy", next_at: null, state: "waiting", unwatched: "EACCES: no" },
    ] as const;
    expect(renderStatus({ ...STATUS, routines }, EN)).toContain(
      "routine tidy: waiting, not all its files are watched: EACCES: no",
    );
    expect(isDaemonStatus({ ...STATUS, routines })).toBe(true);
    expect(isDaemonStatus({ ...STATUS, routines: [{ ...routines[0], unwatched: 3 }] })).toBe(false);
  });
});

test("isDaemonStatus() knows its own and nothing else", () => {
  expect(isDaemonStatus({ ...STATUS })).toBe(true);
  const strange = [
    {},
    { ...STATUS, channels: null },
    { ...STATUS, channels: { telegram: null } },
    { ...STATUS, routines: 3 },
    { ...STATUS, routines: [null] },
    { ...STATUS, routines: [{ name: "tidy" }] },
    { ...STATUS, uptime_s: "long" },
    { ...STATUS, version: undefined },
  ];
  for (const other of strange) {
    expect(isDaemonStatus(other)).toBe(false);
  }
});

describe("readStatus()", () => {
  const never = new AbortController().signal;

  test("is undefined where nobody listens", async () => {
    using dir = tempDir();
    expect(await readStatus(join(dir.path, "daemon.sock"), never)).toBeUndefined();
  });

  test("fails when the daemon hangs up", async () => {
    using dir = tempDir();
    const path = join(dir.path, "daemon.sock");
    using _server = Bun.listen({ unix: path, socket: { data: (socket) => void socket.end() } });
    expect((await failureOf(readStatus(path, never))).message).toContain("closed the connection");
  });

  test.each([
    "null",
    "[]",
    "17",
    "no JSON",
    '{"status":{}}',
    '{"type":"status","status":null}',
    '{"type":"status","status":[]}',
    '{"type":"error","message":7}',
    '{"type":"token"}',
    '{"type":"confirm","request_id":"r","tool":"t","args":null}',
    "x".repeat(2 * 1024 * 1024),
  ])("says that what answers %p is no daemon", async (answer) => {
    using dir = tempDir();
    const path = join(dir.path, "daemon.sock");
    using _server = listenWith(path, `${answer}\n`);
    const failure = await failureOf(readStatus(path, never));
    expect(failure).toMatchObject({ code: "ERR_SOCKET_PROTOCOL" });
    expect(failure.message).toContain(`"${path}"`);
  });

  test("passes over what a newer daemon says", async () => {
    using dir = tempDir();
    const path = join(dir.path, "daemon.sock");
    using _server = listenWith(path, '{"type":"weather"}\n{"type":"status","status":{"a":1}}\n');
    expect(await readStatus(path, never)).toEqual({ a: 1 });
  });

  test("ends with its signal while the daemon is silent", async () => {
    using dir = tempDir();
    const path = join(dir.path, "daemon.sock");
    const cut = new AbortController();
    const reason = new Error("enough");
    using _server = Bun.listen({ unix: path, socket: { data: () => cut.abort(reason) } });
    expect(await failureOf(readStatus(path, cut.signal))).toBe(reason);
  });
});

/** A program that says one thing to whoever says anything. */
function listenWith(path: string, answer: string) {
  const rests = new Map<object, Uint8Array>();
  const flush = (socket: { write(bytes: Uint8Array): number }) => {
    const rest = rests.get(socket) ?? new Uint8Array();
    rests.set(socket, rest.subarray(Math.max(0, socket.write(rest))));
  };
  return Bun.listen({
    unix: path,
    socket: {
      data(socket) {
        rests.set(socket, Buffer.from(answer));
        flush(socket);
      },
      drain: flush,
    },
  });
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("it did not fail");
}

test.each([
  ["en", "has been running"],
  ["ru", "работает"],
  ["zh", "运行"],
])("papayu status speaks %s, with a broken configuration as well", async (language, words) => {
  using dir = tempDir();
  const config = `[default]\nlanguage = "${language}"\n[http]\nenabled = false\n`;
  const sandbox = createSandbox(dir.path, config);
  await using _daemon = await sandbox.host();
  expect((await sandbox.run("status")).stdout).toContain(words);
  writeFileSync(join(dir.path, "config.toml"), `${config}unknown = 1\n`);
  expect((await sandbox.run("status")).stdout).toContain(words);
  const { report } = await sandbox.json("status");
  expect(report).toMatchObject({ running: true });
});
