import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countsPress, GUARD_MS } from "../../src/console/acts/guard.ts";
import {
  type ClientWorld,
  createClient,
  type LinkState,
  type PressReport,
  SECRET_HEADER,
} from "../../src/console/client/client.ts";
import { takeLoginCode } from "../../src/console/client/login-code.ts";
import { createEventParser, type StreamEvent } from "../../src/console/client/parse-events.ts";
import { runs } from "../support/long.ts";

describe("createEventParser()", () => {
  const event = fc.record({
    id: fc.nat(999).map(String),
    data: fc.string({ unit: "grapheme" }).map((text) => JSON.stringify({ text })),
  });

  test("tells the same events wherever the stream is cut, and with any end of a line", () => {
    const cuts = fc.array(fc.nat(400), { maxLength: 20 });
    const end = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(fc.array(event), cuts, end, (events, places, eol) => {
        const text = events
          .map(({ id, data }) => `id: ${id}${eol}data: ${data}${eol}${eol}`)
          .join(`: beat${eol}`);
        const told: (StreamEvent | "alive")[] = [];
        const parse = createEventParser((each) => told.push(each));
        const ends = [0, ...places.filter((at) => at < text.length), text.length];
        const sorted = ends.toSorted((a, b) => a - b);
        for (const [at, from] of sorted.entries()) parse(text.slice(from, sorted[at + 1] ?? from));
        expect(told.filter((each) => each !== "alive")).toEqual(events);
      }),
      { numRuns: runs(60, 3000) },
    );
  });

  test("tells an event as long as a large diff, and keeps none that grows for ever", () => {
    const told: (StreamEvent | "alive")[] = [];
    const parse = createEventParser((each) => told.push(each));
    const piece = "x".repeat(1024 * 1024);
    parse("data: ");
    for (let megabytes = 0; megabytes < 30; megabytes++) parse(piece);
    parse("\n\n");
    expect(told).toEqual([{ data: piece.repeat(30) }]);
    expect(() => {
      for (let megabytes = 0; megabytes < 300; megabytes++) parse(piece);
    }).toThrow(/longer/u);
  });
});

describe("takeLoginCode()", () => {
  const at = (hash: string) => {
    const urls: string[] = [];
    const history = { replaceState: (_: null, __: string, url: string) => urls.push(url) };
    return [takeLoginCode({ location: { hash, pathname: "/" }, history }), urls] as const;
  };

  test("takes the code out of the address, a wrong one, too, and leaves another fragment", () => {
    expect(at("#login=Ab_1-z")).toEqual(["Ab_1-z", ["/"]]);
    expect(at("#login=<script>")).toEqual([undefined, ["/"]]);
    expect(at("#3R12")).toEqual([undefined, []]);
  });
});

describe("countsPress()", () => {
  test("counts from 600 ms after all that must have been there", () => {
    expect(GUARD_MS).toBe(600);
    expect(countsPress(1000, 400, 0)).toBe(true);
    expect(countsPress(1000, 0, 401)).toBe(false);
  });
});

/** A server of answers in turn, and what it was asked. */
function scripted(...answers: readonly (() => Response)[]) {
  const asked: { path: string; secret: string | null; method: string; body: string }[] = [];
  const kept = { secret: null as string | null, isOut: false, pauses: [] as number[] };
  const left = [...answers];
  const world: ClientWorld = {
    fetch: async (path, init) => {
      const { headers, method = "GET", body } = init;
      const secret = new Headers(headers).get(SECRET_HEADER);
      asked.push({ path, secret, method, body: typeof body === "string" ? body : "" });
      const next = left.shift();
      if (!next) throw new TypeError("nobody answers");
      return next();
    },
    secrets: {
      get: () => kept.secret,
      set: (secret) => (kept.secret = secret),
      clear: () => (kept.secret = null),
    },
    pause: async (ms) => void kept.pauses.push(ms),
    onSignedOut: () => (kept.isOut = true),
  };
  return { client: createClient(world), asked, kept };
}

const stream = (...pieces: readonly string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    }),
  );

const told = (seq: number) => `id: ${seq}\ndata: {"seq":${seq},"kind":"inbox"}\n\n`;

describe("createClient()", () => {
  test("keeps the secret that a code gives, and sends it with everything", async () => {
    const { client, asked, kept } = scripted(
      () => Response.json({ ok: true, secret: "s3", session_id: "x" }),
      () => Response.json({ ok: true, boot_id: "b", seq: 4, items: [] }),
    );
    await client.login("code");
    expect(await client.inbox()).toEqual({ boot_id: "b", seq: 4, items: [] });
    expect(kept.secret).toBe("s3");
    expect(asked.map(({ secret }) => secret)).toEqual([null, "s3"]);
    expect(asked[0]?.body).toBe('{"code":"code"}');
  });

  test("forgets the secret when there is no session any more, and says what was said", async () => {
    const { client, kept } = scripted(() =>
      Response.json({ ok: false, error: "sign in again" }, { status: 401 }),
    );
    kept.secret = "old";
    expect(await client.inbox().catch(String)).toBe("Error: sign in again");
    expect(kept).toMatchObject({ secret: null, isOut: true });
  });

  test("asks for no path that an id leads to", async () => {
    const { client, asked } = scripted();
    await client.changeSet("../console/logout").catch(() => {});
    expect(asked[0]?.path).toBe("/api/change-sets/..%2Fconsole%2Flogout");
  });

  test("sends a press once with its key, and tells what comes of it", async () => {
    const { client, asked } = scripted(() =>
      stream(
        ": working\n\n",
        'data: {"check_output":"ok","looks":[[0,0,2,"green"]]}\n\n',
        'data: {"progress":"bun test"}\n\ndata: {"content":"App',
        'lied.","ok":false}\n\ndata: {"approval":{"approval_id":"ap_2"}}\n\n',
        'data: {"error":"no"}\n\ndata: [DONE]\n\n',
      ),
    );
    const said: string[] = [];
    const report: PressReport = {
      onTaken: () => said.push("taken"),
      onText: (text) => said.push(`text ${text}`),
      onProgress: (text) => said.push(`progress ${text}`),
      onPrinted: (text, [look]) => said.push(`printed ${text} ${look?.names}`),
      onAsked: (id) => said.push(`asked ${id}`),
      onOffered: (acts) => said.push(`offered ${acts.join()}`),
      onNotDone: () => said.push("not done"),
      onFailed: (text) => said.push(`failed ${text}`),
    };
    const press = { act: "approve", ref: "ap_1", digest: "cs_1", key: "k" };
    await client.press(press, report);
    expect(said).toEqual([
      "taken",
      "printed ok green",
      "progress bun test",
      "text Applied.",
      "not done",
      "asked ap_2",
      "failed no",
    ]);
    const { key: _, ...body } = press;
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual(body);
  });
});

describe("follow()", () => {
  async function followed(...answers: readonly (() => Response)[]) {
    const end = new AbortController();
    const seen = { states: [] as LinkState[], events: [] as number[], gaps: 0 };
    let seq = 2;
    const { client, asked, kept } = scripted(...answers, () => {
      end.abort();
      return new Response(null, { status: 500 });
    });
    await client.follow(
      {
        seq: () => seq,
        onState: (state) => seen.states.push(state),
        onEvent: (at) => {
          seq = at;
          seen.events.push(at);
        },
        onGap: async () => {
          seq = 90;
          seen.gaps++;
        },
      },
      end.signal,
    );
    return { ...seen, paths: asked.map(({ path }) => path), kept };
  }

  test("goes on behind the last event when a stream ends, and tells none twice", async () => {
    const seen = await followed(
      () => stream(told(3), told(4)),
      () => stream(told(4), told(5), ": beat\n\n"),
    );
    expect(seen.events).toEqual([3, 4, 5]);
    expect(seen.paths).toEqual([2, 4, 5].map((after) => `/api/events?after=${after}`));
    expect(seen.states).toEqual(["live", "offline", "live", "offline"]);
  });

  test("asks for everything anew at a gap", async () => {
    const seen = await followed(() => stream('data: {"kind":"reload"}\n\n', told(3)));
    expect(seen).toMatchObject({ gaps: 1, paths: ["/api/events?after=2", "/api/events?after=90"] });
  });

  test("waits longer each time that nobody answers, and not where somebody did", async () => {
    const down = () => {
      throw new TypeError("connection refused");
    };
    const seen = await followed(down, down, () => stream(told(3)), down);
    expect(seen.events).toEqual([3]);
    expect(seen.kept.pauses).toEqual([1000, 2000, 300, 1000]);
  });

  test("survives an event that is no JSON", async () => {
    const seen = await followed(
      () => stream("data: {\n\n", told(3)),
      () => stream(told(3)),
    );
    expect(seen.events).toEqual([3]);
  });
});
