import { expect, test } from "bun:test";
import { authorizeRequest } from "../../../src/channels/http/authorize-request.ts";
import { type RequestHead, toHead } from "../../../src/channels/http/request-head.ts";
import { ROUTES } from "../../../src/channels/http/routes.ts";
import { PATHS } from "./route-paths.ts";

const PORT = 7411;
const TOKEN = "t".repeat(64);
const LABEL = "papayu-abcdefgh";
const CONSOLE = `${LABEL}.localhost:${PORT}`;
const ACCESS = { host: "127.0.0.1", port: PORT, token: TOKEN, label: LABEL };

type Needs = (typeof ROUTES)[number]["needs"];

/** Nothing but the line of a request. */
const BARE: Omit<RequestHead, "method" | "path"> = {
  host: `127.0.0.1:${PORT}`,
  origin: null,
  authorization: null,
  accept: "*/*",
  fetchSite: null,
  fetchMode: null,
  fetchDest: null,
  secret: null,
  cookie: null,
  isForwarded: false,
};
const OWN = { host: CONSOLE, fetchSite: "same-origin", fetchMode: "cors", fetchDest: "empty" };
const SHOWN = { secret: "id.secret", cookie: "papayu_session=id.cookie" };
const NAVIGATION = { fetchMode: "navigate", fetchDest: "document", accept: "text/html" };

interface Requester {
  readonly head: Partial<RequestHead>;
  /** What a browser adds where something is changed. */
  readonly posting?: Partial<RequestHead>;
  /** By what a route needs: how it is decided on; what is not listed is `rest`. */
  readonly gets: Readonly<Partial<Record<Needs, string>> & { rest: string }>;
}

/** Who may ask, and what each gets. */
const REQUESTERS: Readonly<Record<string, Requester>> = {
  "a program without anything": {
    head: {},
    gets: {
      nothing: "anybody",
      file: "anybody",
      "own secret": "anybody",
      code: "403",
      rest: "401",
    },
  },
  "a program with the token": {
    head: { authorization: `Bearer ${TOKEN}` },
    gets: {
      nothing: "anybody",
      file: "anybody",
      "own secret": "anybody",
      page: "owner",
      "session or token": "owner",
      token: "owner",
      code: "403",
      rest: "401",
    },
  },
  "a program with a wrong token and the secrets of a page": {
    head: { ...SHOWN, host: CONSOLE, authorization: "Bearer no" },
    posting: { origin: `http://${CONSOLE}` },
    gets: {
      nothing: "anybody",
      file: "anybody",
      "own secret": "anybody",
      page: "page",
      code: "code",
      session: "session",
      rest: "401",
    },
  },
  "a page of ours": {
    head: { ...OWN, ...SHOWN },
    posting: { origin: `http://${CONSOLE}` },
    gets: {
      nothing: "anybody",
      file: "anybody",
      "own secret": "anybody",
      page: "403",
      code: "code",
      session: "session",
      "session or token": "session",
      token: "401",
      rest: "401",
    },
  },
  "a page of ours without the secret that it keeps": {
    head: { ...OWN, cookie: SHOWN.cookie },
    posting: { origin: `http://${CONSOLE}` },
    gets: {
      nothing: "anybody",
      file: "anybody",
      "own secret": "anybody",
      page: "403",
      code: "code",
      rest: "401",
    },
  },
  "somebody who opens the page": {
    head: { ...NAVIGATION, host: CONSOLE, fetchSite: "none", cookie: SHOWN.cookie },
    gets: {
      nothing: "anybody",
      file: "anybody",
      "own secret": "anybody",
      page: "page",
      code: "403",
      rest: "401",
    },
  },
  "a file that leads to the page": {
    head: { ...NAVIGATION, host: CONSOLE, fetchSite: "cross-site" },
    gets: {
      nothing: "anybody",
      file: "403",
      "own secret": "anybody",
      page: "page",
      code: "403",
      rest: "401",
    },
  },
  "somebody who opens the address of this machine": {
    head: { ...NAVIGATION, fetchSite: "none" },
    gets: {
      nothing: "anybody",
      file: "anybody",
      "own secret": "anybody",
      page: "page",
      code: "403",
      rest: "401",
    },
  },
  "a page that frames ours": {
    head: { ...NAVIGATION, fetchDest: "iframe", host: CONSOLE, fetchSite: "cross-site", ...SHOWN },
    gets: { nothing: "anybody", "own secret": "anybody", token: "401", rest: "403" },
  },
  "a page of another port of this machine": {
    head: { ...OWN, ...SHOWN, fetchSite: "same-site", origin: "http://127.0.0.1:3000" },
    gets: { rest: "403" },
  },
  "a page of another port, which does not say so": {
    head: { ...OWN, ...SHOWN, fetchSite: "same-site", fetchMode: "no-cors" },
    gets: { nothing: "anybody", "own secret": "anybody", token: "401", rest: "403" },
  },
  "a page of the web": {
    head: { ...SHOWN, host: CONSOLE, fetchSite: "cross-site", origin: "https://evil.example" },
    gets: { page: "page", rest: "403" },
  },
  "a page of the web with the token": {
    head: { authorization: `Bearer ${TOKEN}`, origin: "https://evil.example" },
    gets: { file: "anybody", rest: "403" },
  },
  "a page of a file": {
    head: { ...SHOWN, host: CONSOLE, fetchSite: "cross-site", origin: "null" },
    gets: { page: "page", rest: "403" },
  },
  "a page of ours that says nothing of itself": {
    head: { ...SHOWN, host: CONSOLE },
    gets: {
      nothing: "anybody",
      file: "anybody",
      "own secret": "anybody",
      page: "page",
      code: "403",
      rest: "by method",
    },
  },
  "a page without cookies on this machine's own address": {
    head: { ...OWN, host: BARE.host, secret: SHOWN.secret },
    posting: { origin: `http://127.0.0.1:${PORT}` },
    gets: {
      nothing: "anybody",
      file: "anybody",
      "own secret": "anybody",
      page: "401",
      code: "code",
      session: "session",
      "session or token": "session",
      rest: "401",
    },
  },
  "a name that leads here (DNS rebinding)": {
    head: { ...OWN, ...SHOWN, host: `evil.example:${PORT}`, authorization: `Bearer ${TOKEN}` },
    gets: { rest: "421" },
  },
  "the label of another home": {
    head: { ...OWN, ...SHOWN, host: `papayu-zzzzzzzz.localhost:${PORT}` },
    gets: { rest: "421" },
  },
  "our name under another port": {
    head: { ...OWN, ...SHOWN, host: `${LABEL}.localhost:80` },
    gets: { rest: "421" },
  },
  "no name": { head: { host: null, authorization: `Bearer ${TOKEN}` }, gets: { rest: "421" } },
  "a proxy that rewrites the name": {
    head: { ...OWN, ...SHOWN, authorization: `Bearer ${TOKEN}`, isForwarded: true },
    posting: { origin: `http://${CONSOLE}` },
    gets: { "own secret": "anybody", rest: "403" },
  },
};

const CASES = Object.entries(REQUESTERS).flatMap(([name, requester]) =>
  ROUTES.flatMap((route) => {
    const paths = PATHS[route.path.source] ?? [];
    return paths.map((path) => [name, route.method, path, requester, route.needs] as const);
  }),
);

test("every route has an address here", () => {
  expect(Object.keys(PATHS)).toEqual(ROUTES.map(({ path }) => path.source));
});

test.each(CASES)(
  "authorizeRequest() %s: %s %s",
  (_, method, path, { head, posting, gets }, needs) => {
    const more = method === "POST" ? posting : {};
    const verdict = authorizeRequest({ ...BARE, ...head, ...more, method, path }, ACCESS);
    const isElsewhere = (needs === "init data" || needs === "app page") && gets.rest !== "421";
    const wanted = gets[needs] ?? (isElsewhere ? "403" : gets.rest);
    const byMethod = needs === "token" ? "401" : method === "GET" ? "session" : "403";
    expect(verdict.kind === "refused" ? String(verdict.status) : verdict.kind).toBe(
      wanted === "by method" ? byMethod : wanted,
    );
  },
);

test("authorizeRequest() lets what is in no table in with the token alone", () => {
  const head = { ...BARE, ...OWN, ...SHOWN, method: "GET", path: "/api/nowhere" };
  expect(authorizeRequest(head, ACCESS)).toMatchObject({ kind: "refused", status: 401 });
  for (const method of ["PUT", "DELETE", "OPTIONS", "PATCH"]) {
    for (const { path } of ROUTES) {
      const at = PATHS[path.source]?.[0] ?? "";
      const verdict = authorizeRequest({ ...head, method, path: at }, ACCESS);
      expect(verdict.kind).toBe("refused");
    }
  }
});

test("authorizeRequest() shows neither page nor session by an address of other machines", () => {
  const access = { ...ACCESS, host: "192.168.1.5" };
  const host = `192.168.1.5:${PORT}`;
  const from = { ...BARE, ...SHOWN, host, origin: `http://${host}` };
  for (const [method, path] of [
    ["GET", "/api/inbox"],
    ["POST", "/api/press"],
    ["POST", "/api/console/login"],
    ["GET", "/assets/a.js"],
  ] as const) {
    expect(authorizeRequest({ ...from, method, path }, access)).toMatchObject({ status: 403 });
  }
  const navigation = { ...BARE, ...NAVIGATION, host, method: "GET", path: "/" };
  expect(authorizeRequest(navigation, access)).toMatchObject({ status: 403 });
  const program = { ...BARE, host, authorization: `Bearer ${TOKEN}`, method: "GET" };
  expect(authorizeRequest({ ...program, path: "/api/status" }, access)).toEqual({ kind: "owner" });
});

test("authorizeRequest() knows no name of the console before it has one", () => {
  const head = { ...BARE, ...OWN, ...SHOWN, method: "GET", path: "/api/inbox" };
  const access = { ...ACCESS, label: undefined };
  expect(authorizeRequest({ ...head, host: `undefined.localhost:${PORT}` }, access)).toMatchObject({
    status: 421,
  });
});

/** As proxies and tunnels of several makes send them. */
const PASSED_ON = [
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "x-forwarded-proto",
  "X-Forwarded",
  "X-Original-Forwarded-For",
  "X-Original-Host",
  "Forwarded",
  "Forwarded-For",
  "Via",
  "X-Real-IP",
  "X-Client-IP",
  "X-Cluster-Client-IP",
  "True-Client-IP",
  "Client-IP",
  "Fastly-Client-IP",
  "CF-Connecting-IP",
  "Cf-Ray",
  "CDN-Loop",
  "Tailscale-User-Login",
];

test.each(PASSED_ON)("no route answers the owner's token with %s, by any name", (name) => {
  for (const host of [BARE.host, `localhost:${PORT}`, `[::1]:${PORT}`, CONSOLE]) {
    for (const route of ROUTES) {
      const request = new Request("http://any.example", {
        method: route.method,
        headers: { authorization: `Bearer ${TOKEN}`, [name]: "" },
      });
      const expected = route.needs === "own secret" ? "anybody" : "refused";
      for (const path of PATHS[route.path.source] ?? []) {
        const verdict = authorizeRequest({ ...toHead(request, path), host }, ACCESS);
        expect(verdict.kind, `${route.method} ${path}`).toBe(expected);
      }
    }
  }
});

test("what programs and browsers send by themselves is not taken for passed on", () => {
  const headers = {
    accept: "*/*",
    "content-type": "application/json",
    "idempotency-key": "a",
    "x-papayu-session": "id.secret",
    "x-papayu-secret": "s",
    "x-github-event": "push",
    "user-agent": "curl/8",
    "sec-fetch-site": "same-origin",
    "last-event-id": "3",
    connection: "keep-alive",
    "cache-control": "no-cache",
  };
  expect(toHead(new Request("http://any.example", { headers }), "/").isForwarded).toBe(false);
});
