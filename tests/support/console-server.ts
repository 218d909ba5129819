import { structuredPatch } from "diff";
import { isFields } from "../../src/core/guards.ts";
import { type ConsoleFiles, openConsoleFiles } from "../../src/system/own/console-files.ts";

/** A file of a change set as a test gives it. */
export interface SceneFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly generated?: boolean;
  readonly binary?: boolean;
  readonly kind?: string;
  /** How it differs from the version before. */
  readonly since?: string;
  /** Looked at as it is, or before it was another. */
  readonly seen?: string;
  /** The hunks that the version before had, too. */
  readonly same?: readonly number[];
}

/** One change set that waits. */
export interface Scene {
  readonly id: string;
  readonly workspace: string;
  readonly goal: string;
  readonly summary: string;
  readonly files: readonly SceneFile[];
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The page with a server behind it that says what a test wants; the daemon's own is in tests/e2e. */
export interface ConsoleServer extends AsyncDisposable {
  readonly origin: string;
  readonly presses: readonly Readonly<Record<string, unknown>>[];
  /** What was to be kept of a change set: what is said of it, and what was looked at. */
  readonly kept: readonly unknown[];
  /** What waits from now on; whoever follows is told. */
  setScenes(scenes: readonly Scene[]): void;
  setState(id: string, state: string, outcome?: Readonly<Record<string, unknown>>): void;
  addItems(items: readonly Readonly<Record<string, unknown>>[]): void;
  /** Those are gone again. */
  dropItems(): void;
  /** Ends all streams; nothing is answered until it is called again. */
  setDown(isDown: boolean): void;
  setLanguage(language: string): void;
  /** Another version answers, which has none of the page's parts; who follows hears of another start. */
  setVersion(version: string): void;
  /** Holds the answers to presses until they are let go. */
  holdPresses(): () => void;
  /** Files that cannot be read from now on, by their numbers. */
  failFiles(...numbers: readonly number[]): void;
  /** Ends the next press in its midst, and everything with it; `work` is what it came to. */
  breakPress(work: Readonly<Record<string, unknown>> | undefined): void;
}

/** The policy under which the daemon serves the page. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types papayu";

const AT = Date.now() - 4 * 60_000;

/** Starts it on a free port; the page is made in `home`. */
export async function startConsoleServer(home: string): Promise<ConsoleServer> {
  const files: ConsoleFiles = await openConsoleFiles(home);
  let scenes: readonly Scene[] = [];
  let others: readonly Readonly<Record<string, unknown>>[] = [];
  let seq = 1;
  let isDown = false;
  let language = "en";
  let version = "0.1.0";
  let held: PromiseWithResolvers<void> | undefined;
  let failing: readonly number[] = [];
  let broken: Readonly<Record<string, unknown>> | undefined;
  const states = new Map<string, { state: string; outcome?: unknown }>();
  const presses: Readonly<Record<string, unknown>>[] = [];
  const kept: unknown[] = [];
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const tell = () => {
    seq += 1;
    const event = `id: ${seq}\ndata: ${JSON.stringify({ seq, kind: "inbox" })}\n\n`;
    for (const each of streams) each.enqueue(new TextEncoder().encode(event));
  };
  const stateOf = (id: string) => states.get(id) ?? { state: "waiting" };

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (isDown) return new Response("", { status: 503 });
    if (pathname.startsWith("/assets/")) {
      const file = files.file(pathname.slice("/assets/".length));
      if (!file) return new Response("", { status: 404 });
      return new Response(Bun.file(file.path), {
        headers: {
          "content-type": file.type,
          ...(file.encoding && { "content-encoding": file.encoding }),
          "cache-control": "immutable, max-age=31536000",
        },
      });
    }
    if (!pathname.startsWith("/api/")) {
      return new Response(files.shell, {
        headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY },
      });
    }
    if (pathname === "/api/console/login") {
      return Response.json({ ok: true, secret: "s3cret", session_id: "one" });
    }
    if (request.headers.get("x-papayu-session") !== "s3cret") {
      return Response.json({ ok: false, error: "sign in" }, { status: 401 });
    }
    if (/^\/api\/change-sets\/[^/]+\/(?:draft|seen)$/u.test(pathname)) {
      kept.push(await request.json());
      return Response.json({ ok: true });
    }
    const [, id = "", n] = /^\/api\/change-sets\/([^/]+)(?:\/files\/(\d+))?$/u.exec(pathname) ?? [];
    const scene = scenes.find((each) => each.id === decodeURIComponent(id));
    if (failing.includes(Number(n))) {
      return Response.json({ ok: false, error: "the disk is gone" }, { status: 500 });
    }
    if (pathname.startsWith("/api/work/")) return Response.json({ ok: true, ...broken });
    if (scene && n !== undefined) return Response.json(toFile(scene, Number(n)));
    if (scene) return Response.json({ ...toSet(scene), ...stateOf(scene.id) });
    switch (pathname) {
      case "/api/console/session":
        return Response.json({
          ok: true,
          version,
          boot_id: version,
          language,
          person: { role: "owner" },
        });
      case "/api/inbox": {
        const waiting = scenes.filter((each) => stateOf(each.id).state === "waiting");
        const items = [...waiting.map(toItem), ...others];
        return Response.json({ ok: true, boot_id: version, seq, items });
      }
      case "/api/events":
        return stream(Number(searchParams.get("after")));
      case "/api/press":
        return press(request);
      default:
        return Response.json({ ok: false, error: `no ${pathname}` }, { status: 404 });
    }
  }

  function stream(after: number): Response {
    let own: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        streams.add(controller);
        const first =
          after < seq ? `id: ${seq}\ndata: {"seq":${seq},"kind":"inbox"}\n\n` : ": on\n\n";
        controller.enqueue(new TextEncoder().encode(first));
      },
      cancel: () => void streams.delete(own),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  function setDown(next: boolean): void {
    isDown = next;
    if (!next) return;
    for (const each of streams) each.close();
    streams.clear();
  }

  async function press(request: Request): Promise<Response> {
    const json: unknown = await request.json();
    const body: Readonly<Record<string, unknown>> = { ...(isFields(json) ? json : {}) };
    presses.push({ ...body, key: request.headers.get("idempotency-key") });
    const { act, ref } = body;
    const done = new ReadableStream<Uint8Array>({
      async start(controller) {
        const say = (text: string) => controller.enqueue(new TextEncoder().encode(text));
        say(': working\n\ndata: {"progress":"bun run test"}\n\n');
        say(
          `data: ${JSON.stringify({ check_output: "12 pass", looks: [[0, 0, 2, "green"]] })}\n\n`,
        );
        await held?.promise;
        if (broken) {
          setDown(true);
          return controller.close();
        }
        say(`data: ${JSON.stringify({ content: `Did ${String(act)}.` })}\n\ndata: [DONE]\n\n`);
        if (typeof ref === "string" && (act === "approve" || act === "reject")) {
          const status = act === "approve" ? "committed" : "rejected";
          const actions = [{ act: "undo", ref: "tx_1", label: "Undo" }];
          const outcome = { ok: true, status, tx_id: "tx_1", text: "✓ 3 changes", actions };
          states.set(ref, { state: act === "approve" ? "approved" : "rejected", outcome });
        }
        if (act === "drop") others = others.filter((item) => item["ref"] !== ref);
        controller.close();
        tell();
      },
    });
    return new Response(done, { headers: { "content-type": "text/event-stream" } });
  }

  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: answer });
  return {
    origin: `http://papayu-testtest.localhost:${server.port}`,
    presses,
    kept,
    setScenes(next) {
      scenes = next;
      tell();
    },
    setState(id, state, outcome) {
      states.set(id, { state, ...(outcome && { outcome }) });
      tell();
    },
    addItems(items) {
      others = [...others, ...items];
      tell();
    },
    dropItems() {
      others = [];
      tell();
    },
    setDown,
    failFiles: (...numbers) => (failing = numbers),
    breakPress: (work) => (broken = work),
    setLanguage: (next) => (language = next),
    setVersion(next) {
      version = next;
      const event = `data: ${JSON.stringify({ seq: 0, kind: "reload" })}\n\n`;
      for (const each of streams) each.enqueue(new TextEncoder().encode(event));
    },
    holdPresses() {
      held = Promise.withResolvers();
      const { resolve } = held;
      return () => {
        held = undefined;
        resolve();
      };
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Buttons as the daemon offers them. */
export function actionsOf(ref: string, ...labels: readonly string[]) {
  return labels.map((label) => ({ act: label.toLowerCase().replaceAll(" ", "_"), ref, label }));
}

function toItem(scene: Scene): Readonly<Record<string, unknown>> {
  const { id, workspace, summary, goal } = scene;
  const rows = scene.files.map(toRow);
  return {
    id,
    ref: id,
    kind: "change_set",
    workspace,
    title: summary || goal,
    files: rows.length,
    added: rows.reduce((sum, { added }) => sum + added, 0),
    removed: rows.reduce((sum, { removed }) => sum + removed, 0),
    check: "passed",
    at: new Date(AT).toISOString(),
    actions: actionsOf(id, "Approve", "Reject"),
    digest: `cs_${id}`,
  };
}

/** A change set as the daemon tells of it. */
export function toSet(scene: Scene): Readonly<Record<string, unknown>> {
  const { id, workspace, goal, summary } = scene;
  const command = "bun run test";
  return {
    ok: true,
    approval_id: id,
    change_set_id: `cs_${id}`,
    digest: `cs_${id}`,
    workspace,
    goal,
    summary,
    asked_at: new Date(AT).toISOString(),
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    checks: [{ name: "test", command }],
    check: {
      ok: true,
      stages: [
        {
          name: "test",
          command: ["bun", "run", "test"],
          exit_code: 0,
          duration_ms: 1840,
          output: "12 pass\n0 fail",
        },
      ],
    },
    notes: [],
    side_effects: [],
    files: scene.files.map(toRow),
    actions: actionsOf(id, "Approve", "Reject", "Try another way"),
    ...scene.more,
  };
}

function hunksOf({ before, after, binary }: SceneFile) {
  if (binary) return [];
  return structuredPatch("a", "b", before ?? "", after ?? "", "", "", { context: 3 }).hunks;
}

function toRow(file: SceneFile, n: number) {
  const { path, before, after, generated = false, binary = false } = file;
  const lines = hunksOf(file).flatMap((hunk) => hunk.lines);
  return {
    n,
    path,
    kind: file.kind ?? (before === null ? "create" : after === null ? "delete" : "update"),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    binary,
    generated,
    size_before: before?.length ?? null,
    size_after: after?.length ?? null,
    ...(file.since !== undefined && { since: file.since }),
    ...(file.seen !== undefined && { seen: file.seen }),
  };
}

/** One of its files. */
export function toFile(scene: Scene, n: number): Readonly<Record<string, unknown>> {
  const file = scene.files[n];
  if (!file) return { ok: false, error: "no such file" };
  const { path, before, after } = file;
  const hunks = hunksOf(file).map(({ oldStart, oldLines, newStart, newLines }, at) => ({
    same: file.same?.includes(at) === true,
    old_start: oldLines === 0 ? oldStart - 1 : oldStart,
    old_lines: oldLines,
    new_start: newLines === 0 ? newStart - 1 : newStart,
    new_lines: newLines,
  }));
  return { ok: true, path, before, after, hunks };
}
