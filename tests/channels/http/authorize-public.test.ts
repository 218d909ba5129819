import { expect, test } from "bun:test";
import { authorizeRequest } from "../../../src/channels/http/authorize-request.ts";
import { type RequestHead, toHead } from "../../../src/channels/http/request-head.ts";
import { ROUTES } from "../../../src/channels/http/routes.ts";
import { PATHS } from "./route-paths.ts";

const PORT = 7411;
const TOKEN = "t".repeat(64);
const PUBLIC = "papayu.example.org";
const LABEL = "papayu-abcdefgh";
const ACCESS = {
  host: "127.0.0.1",
  port: PORT,
  token: TOKEN,
  label: LABEL,
  publicHost: PUBLIC,
};
const SECRETS = { "x-papayu-session": "id.secret", cookie: "papayu_session=id.cookie" };
const OWN = { origin: `https://${PUBLIC}`, "sec-fetch-site": "same-origin" };

type Needs = (typeof ROUTES)[number]["needs"];
type Gets = Readonly<Record<Needs, string>>;

const NOTHING: Gets = {
  nothing: "anybody",
  page: "403",
  "app page": "app page",
  file: "anybody",
  "own secret": "anybody",
  code: "403",
  "init data": "403",
  session: "401",
  "session or token": "401",
  token: "403",
};
const WITH_BEARER = { session: "app", "session or token": "app" };
const FROM_PAGE = { "init data": "entry" };
const CLOSED: Gets = {
  nothing: "403",
  page: "403",
  "app page": "403",
  file: "403",
  "own secret": "403",
  code: "403",
  "init data": "403",
  session: "403",
  "session or token": "403",
  token: "403",
};

/** Who asks by the public host, and what each gets; what changes something needs the page too. */
const REQUESTERS: readonly (readonly [string, Readonly<Record<string, string>>, Gets])[] = [
  ["a program without anything", {}, NOTHING],
  ["a page of ours that is not in", OWN, { ...NOTHING, ...FROM_PAGE }],
  ["the cookie and the secret of a browser", { ...OWN, ...SECRETS }, { ...NOTHING, ...FROM_PAGE }],
  [
    "a page of ours that is in",
    { ...OWN, authorization: "Bearer abc" },
    { ...NOTHING, ...FROM_PAGE, ...WITH_BEARER },
  ],
  // Looked up as a bearer of the Mini App, which it is not.
  [
    "the token of this machine",
    { authorization: `Bearer ${TOKEN}` },
    { ...NOTHING, ...WITH_BEARER },
  ],
  ["a page of another origin", { origin: "https://evil.example" }, CLOSED],
  ["the same host without encryption", { origin: `http://${PUBLIC}` }, CLOSED],
  ["a page of this machine", { origin: `http://${LABEL}.localhost:${PORT}` }, CLOSED],
  ["a page of no origin", { origin: "null" }, CLOSED],
  [
    "another page that only reads",
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", authorization: "Bearer abc" },
    CLOSED,
  ],
];

const PASSED_ON: readonly Readonly<Record<string, string>>[] = [
  {},
  { "x-forwarded-for": "1.2.3.4", "x-forwarded-host": `127.0.0.1:${PORT}`, via: "1.1 proxy" },
];

function toRequestHead(method: string, path: string, headers: Readonly<Record<string, string>>) {
  const request = new Request("http://any.example", { method, headers });
  return { ...toHead(request, path), host: PUBLIC };
}

function authorize(head: RequestHead): string {
  const verdict = authorizeRequest(head, ACCESS);
  return verdict.kind === "refused" ? String(verdict.status) : verdict.kind;
}

test.each(REQUESTERS)(
  "by the public host %s gets what its row says, of every route",
  (_, headers, gets) => {
    for (const { method, path: pattern, needs, also } of ROUTES) {
      // Of a session's rows one that says nobody else is the owner's at this machine.
      const isClosed = needs.startsWith("session") && also === undefined;
      for (const path of PATHS[pattern.source] ?? []) {
        for (const more of PASSED_ON) {
          const isChangeOfOther =
            method === "POST" &&
            gets[needs] !== "anybody" &&
            headers["origin"] !== `https://${PUBLIC}`;
          const wanted = isClosed || isChangeOfOther ? "403" : gets[needs];
          expect(authorize(toRequestHead(method, path, { ...headers, ...more })), path).toBe(
            wanted,
          );
        }
      }
    }
  },
);

test("the page is shown by itself and in a frame, and is no file of another page", () => {
  for (const [dest, wanted] of [
    ["document", "app page"],
    ["iframe", "app page"],
    ["script", "403"],
    ["embed", "403"],
    ["object", "403"],
    ["worker", "403"],
  ] as const) {
    const headers = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": dest,
    };
    expect(authorize(toRequestHead("GET", "/app", headers))).toBe(wanted);
  }
});

test("by the public host nobody has the rights of this machine, whatever they show", () => {
  const all = { ...OWN, ...SECRETS, authorization: `Bearer ${TOKEN}` };
  const own = new Set(["owner", "session", "code", "page"]);
  for (const headers of [all, SECRETS, { authorization: `Bearer ${TOKEN}` }, {}]) {
    for (const { path: pattern } of ROUTES) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE"]) {
        for (const path of [...(PATHS[pattern.source] ?? []), "/api/nowhere"]) {
          expect(own.has(authorize(toRequestHead(method, path, headers))), path).toBe(false);
        }
      }
    }
  }
});

test("what the Mini App has lets nobody in by a name of this machine", () => {
  for (const host of [`127.0.0.1:${PORT}`, `localhost:${PORT}`, `${LABEL}.localhost:${PORT}`]) {
    for (const { method, path: pattern } of ROUTES) {
      for (const path of PATHS[pattern.source] ?? []) {
        const origin = method === "POST" ? { origin: `http://${host}` } : {};
        const head = toRequestHead(method, path, { ...origin, authorization: "Bearer abc" });
        const verdict = authorizeRequest({ ...head, host }, ACCESS);
        expect(["app", "app page", "entry", "owner", "session"].includes(verdict.kind), path).toBe(
          false,
        );
      }
    }
  }
});

test("without a public host its name is as unknown as any", () => {
  for (const publicHost of [undefined, ""]) {
    for (const host of [PUBLIC, ""]) {
      const head = { ...toRequestHead("GET", "/healthz", {}), host };
      expect(authorizeRequest(head, { ...ACCESS, publicHost })).toMatchObject({ status: 421 });
    }
  }
});

test("other people are answered by these rows alone; a row that names nobody answers nobody from afar", () => {
  const isOf = (also: string | undefined) =>
    ROUTES.filter((route) => route.also === also && route.needs.includes("session")).map(
      ({ method, path }) => `${method} ${PATHS[path.source]?.[0]}`,
    );
  expect(isOf("other people").toSorted()).toEqual([
    "GET /api/change-sets/ap_1",
    "GET /api/chats",
    "GET /api/console/session",
    "GET /api/inbox",
    "GET /api/work/x",
    "POST /api/change-sets/ap_1/draft",
    "POST /api/chat",
    "POST /api/console/logout",
    "POST /api/press",
  ]);
  for (const { method, path: pattern, needs, also } of ROUTES) {
    for (const path of PATHS[pattern.source] ?? []) {
      const head = toRequestHead(method, path, { ...OWN, authorization: "Bearer abc" });
      const verdict = authorizeRequest(head, ACCESS);
      const isPersons = needs === "session" || needs === "session or token";
      expect(verdict.kind === "app", path).toBe(isPersons && also !== undefined);
    }
  }
});
