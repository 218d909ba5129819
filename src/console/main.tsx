import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { App } from "./app/app.tsx";
import {
  countWaiting,
  createClient,
  RefusedError,
  takeInitData,
  takeLoginCode,
} from "./client/client.ts";
import { createNotices } from "./notices.ts";
import { createLazy, createPage, renderTitle, type Session } from "./page/page.ts";
import { isOfApp } from "./route.ts";
import { languageOfBrowser, textsIn } from "./texts/texts.ts";
import { applyTheme, keepReading, keptReading, keptTheme } from "./theme.ts";

// Before anything else: nobody reads the code in the address, and no history keeps it.
const isApp = isOfApp(location.pathname);
const code = isApp ? takeInitData(window) : takeLoginCode(window);

const SECRET = "papayu.secret";
/** Most of what is told as so long ago is told in minutes. */
const TICK_MS = 20_000;
const theme = signal(keptTheme());
effect(() => applyTheme(theme.value));

const access: Session["access"] = signal("asking");
/** Of a page that Telegram opened: it ends with the page. */
let bearer: string | null = null;
const client = createClient({
  isApp,
  fetch: (path, init) => fetch(path, init).catch(inOwnWords),
  secrets: isApp
    ? {
        get: () => bearer,
        set: (given) => (bearer = given),
        clear: () => (bearer = null),
      }
    : {
        get: () => localStorage.getItem(SECRET),
        set: (secret) => localStorage.setItem(SECRET, secret),
        clear: () => localStorage.removeItem(SECRET),
      },
  pause,
  onSignedOut: () => (access.value = "out"),
});
const page = createPage(
  client,
  {
    location: window.location,
    history: window.history,
    now: () => performance.now(),
    newKey: () => crypto.randomUUID(),
    pause: (ms) => pause(ms, new AbortController().signal),
    language: languageOfBrowser(navigator.languages),
  },
  access,
);

page.view.isReading.value = keptReading();
effect(() => keepReading(page.view.isReading.value));
effect(() => {
  const { title } = page.view;
  // Whoever is signed out is not told how much waits either.
  const items = access.value === "in" ? page.feed.inbox.value?.items : undefined;
  document.title = renderTitle(title.value, countWaiting(items));
});
document.documentElement.lang = page.texts.value.language;

effect(() => {
  // What waits for the link waits for whoever signs in again.
  if (access.value === "out") page.feed.link.value = "connecting";
});

const notices = createNotices();
notices.begin(page);

const root = document.getElementById("page");
if (root) {
  const review = createLazy(() => import("./pages/review/review.tsx"));
  const load = {
    review,
    workspaces: createLazy(() => import("./pages/workspaces/workspaces.tsx")),
    // Once: what is said goes on while another page is shown.
    chat: createLazy(async () => (await import("./pages/chat/chat.tsx")).openChat(page, review)),
    routines: createLazy(async () => {
      return (await import("./pages/routines/routines.tsx")).openRoutines(page);
    }),
    traces: createLazy(() => import("./pages/traces/traces.tsx")),
    settings: createLazy(() => import("./pages/settings/settings.tsx")),
    care: createLazy(() => import("./pages/care/care.tsx")),
  };
  render(<App page={page} theme={theme} load={load} notices={notices} />, root);
  if (page.nav.route.value.page === "review") void review.load();
}
window.addEventListener("popstate", () => page.nav.arrive());
window.addEventListener("pagehide", () => page.nav.flush());
window.addEventListener("hashchange", () => {
  const late = isApp ? undefined : takeLoginCode(window);
  // A link of papayu open that was brought to a page that is open already.
  if (late !== undefined) void signIn(late).then(enter);
  page.nav.arrive();
});
window.addEventListener("storage", ({ key, newValue }) => {
  // Another page of this browser has been let in.
  if (key === SECRET && newValue !== null && access.value === "out") void enter();
});
window.addEventListener("beforeunload", (event) => {
  if (page.unkept.isLeft()) event.preventDefault();
});
for (const event of ["focus", "pageshow"]) {
  window.addEventListener(event, () => (page.view.focusedAt.value = performance.now()));
}
document.addEventListener("visibilitychange", () => {
  page.view.focusedAt.value = performance.now();
});
setInterval(() => (page.feed.ticks.value = Date.now()), TICK_MS);
void begin();

/** A browser says in its own language, or in English, that nobody answers; whatever else it says stays. */
function inOwnWords(error: unknown): never {
  throw error instanceof TypeError
    ? new Error(page.texts.value.link.broken, { cause: error })
    : error;
}

async function begin(): Promise<void> {
  if (code !== undefined) await signIn(code);
  await enter();
}

async function signIn(given: string): Promise<void> {
  const hasFailed = await client.login(given).then(
    () => false,
    () => true,
  );
  // Whoever is in stays it.
  page.session.hasFailedLogin.value = hasFailed && access.value !== "in";
}

/** Asks whether whoever looks may, and follows what happens: what is typed stays, and is sent then. */
async function enter(): Promise<void> {
  if (access.value === "in") return;
  access.value = "asking";
  for (;;) {
    try {
      await readSession();
      break;
    } catch (error) {
      if (error instanceof RefusedError && error.status < 500) {
        access.value = "out";
        return;
      }
      await pause(1000, new AbortController().signal);
    }
  }
  access.value = "in";
  await page.feed.refresh();
  await follow();
}

/** Who looks, and in which language: what is typed and open stays as it is. */
async function readSession(): Promise<void> {
  const signedIn = await client.session();
  const { language, role } = signedIn;
  page.session.role.value = role;
  page.session.daemon.take(signedIn);
  if (language === page.texts.value.language) return;
  page.texts.value = textsIn(language);
  document.documentElement.lang = page.texts.value.language;
}

/** Everything is asked for anew; a failure is told by what asks for the inbox. */
async function readAnew(): Promise<void> {
  await readSession().catch(() => {});
  await page.feed.refresh();
  page.feed.news.workspaceChanges.value += 1;
  page.feed.news.routineChanges.value += 1;
  page.feed.news.heard.value = { id: undefined };
}

/** What happens is told from now on, until the session ends. */
async function follow(): Promise<void> {
  const end = new AbortController();
  const stop = effect(() => {
    if (access.value === "out") end.abort();
  });
  let seq: number | undefined;
  await client.follow(
    {
      seq: () => seq ?? page.feed.inbox.value?.seq ?? 0,
      onState(state) {
        if (state !== page.feed.link.value) page.view.movedAt.value = performance.now();
        page.feed.link.value = state;
      },
      onEvent(at, { kind, name }) {
        seq = at;
        if (kind === "chat") page.feed.news.heard.value = { id: String(name) };
        else if (kind === "workspace") page.feed.news.workspaceChanges.value += 1;
        else if (kind === "routine") page.feed.news.routineChanges.value += 1;
        else if (kind === "settings") void readAnew();
        else if (kind === "change_set" && typeof name === "string") noteSet(name);
        else refreshSoon();
      },
      async onGap() {
        await readAnew();
        seq = page.feed.inbox.value?.seq;
      },
    },
    end.signal,
  );
  stop();
}

function noteSet(id: string): void {
  const { setChanges } = page.feed.news;
  setChanges.value = new Map(setChanges.value).set(id, (setChanges.value.get(id) ?? 0) + 1);
}

let isRefreshing = false;
let isStale = false;
/** Many events at once are one look. */
function refreshSoon(): void {
  isStale = true;
  if (isRefreshing) return;
  isRefreshing = true;
  void (async () => {
    while (isStale) {
      isStale = false;
      await page.feed.refresh();
    }
    isRefreshing = false;
  })();
}

/** Ends early when the machine is back on the net, or somebody looks at the page again. */
function pause(ms: number, end: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  end.addEventListener("abort", () => resolve(), { once: true });
  window.addEventListener("online", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
