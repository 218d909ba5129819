import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "../acts/acts.tsx";
import type { Notices } from "../notices.ts";
import type { OfChangeSet, Page, UnfoldedChangeSet } from "../page/page.ts";
import { InboxPage } from "../pages/inbox/inbox.tsx";
import type { Care, Route } from "../route.ts";
import type { Theme } from "../theme.ts";
import { HelpDialog } from "./help.tsx";
import { PagesBar } from "./pages-bar.tsx";
import { SettingsBar } from "./settings-bar.tsx";

/** What is loaded when a change set is shown for the first time. */
export interface ReviewParts {
  readonly ReviewPage: OfChangeSet;
  readonly Unfolded: UnfoldedChangeSet;
}

/** What is loaded with the first look at workspaces. */
export interface WorkspaceParts {
  readonly WorkspacesPage: ComponentType<{ readonly page: Page }>;
  readonly WorkspacePage: ComponentType<{ readonly page: Page; readonly name: string }>;
  readonly TransactionPage: ComponentType<{
    readonly page: Page;
    readonly name: string;
    readonly txId: string;
  }>;
  readonly TakeBackPage: ComponentType<{
    readonly page: Page;
    readonly name: string;
    readonly kind: "undo" | "redo";
  }>;
}

/** Pages that are loaded when they are opened. */
export interface Loaders {
  readonly review: () => Promise<ReviewParts>;
  readonly workspaces: () => Promise<WorkspaceParts>;
  readonly chat: () => Promise<{
    readonly ChatPage: ComponentType<{
      readonly session: string | undefined;
      readonly workspace: string | undefined;
    }>;
  }>;
  readonly routines: () => Promise<{ readonly RoutinesPage: ComponentType<{ page: Page }> }>;
  readonly traces: () => Promise<{
    readonly TracesPage: ComponentType<{ page: Page; query: string }>;
    readonly ReportPage: ComponentType<{ page: Page; query: string }>;
    readonly TracePage: ComponentType<{ page: Page; id: string }>;
  }>;
  readonly settings: () => Promise<{ readonly SettingsPage: ComponentType<{ page: Page }> }>;
  readonly care: () => Promise<{ readonly CarePage: ComponentType<{ page: Page; part: Care }> }>;
}

/** How long a word about what was just done stays. */
const SAID_MS = 5000;

/** The whole page: its head, and where the person is. */
export function App({
  page,
  theme,
  load,
  notices,
}: {
  readonly page: Page;
  readonly theme: Signal<Theme>;
  readonly load: Loaders;
  readonly notices: Notices;
}) {
  const texts = page.texts.value;
  const access = page.session.access.value;
  const said = page.view.said.value;
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      // Who reads it is not sent away.
      if (document.activeElement !== line.current) page.view.said.value = "";
    }, SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  useEffect(() => {
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    // What was answered is gone from the list, and the button with it that had the focus.
    if (page.presses.answers.value > 0 && isLost) line.current?.focus();
  }, [page.presses.answers.value]);
  return (
    <div class="app">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <Header page={page} theme={theme} />
      <main id="content" tabIndex={-1}>
        {access === "asking" && <p class="waiting">{texts.loading}</p>}
        {access === "out" && <SignedOut page={page} />}
        {access === "in" && <Current page={page} load={load} notices={notices} />}
      </main>
      <p
        class="said"
        role="status"
        tabIndex={-1}
        ref={line}
        onBlur={() => (page.view.said.value = "")}
      >
        {said}
      </p>
      <HelpDialog page={page} />
    </div>
  );
}

function Header({ page, theme }: { readonly page: Page; readonly theme: Signal<Theme> }) {
  const texts = page.texts.value;
  const link = page.feed.link.value;
  return (
    <header class="bar">
      <Link nav={page.nav} to={{ page: "inbox" }} class="brand" label="papa-yu">
        <span class="logo" />
        <span class="brand-name">papa-yu</span>
      </Link>
      {page.session.access.value === "in" && <PagesBar page={page} />}
      {page.session.access.value === "in" && (
        <span class={`link ${link}`} role="status">
          <span class="dot" />
          <span class="link-words">{texts.link[link]}</span>
        </span>
      )}
      <label class="theme">
        <span class="only-heard">{texts.theme.label}</span>
        <select
          value={theme.value}
          onChange={(event) => {
            const { value } = event.currentTarget;
            theme.value = value === "light" || value === "dark" ? value : "auto";
          }}
        >
          <option value="auto">{texts.theme.auto}</option>
          <option value="light">{texts.theme.light}</option>
          <option value="dark">{texts.theme.dark}</option>
        </select>
      </label>
      <button
        type="button"
        class="tool help"
        aria-label={texts.help.open}
        title={`${texts.help.open} (?)`}
        onClick={() => (page.view.isHelpOpen.value = true)}
      >
        ?
      </button>
    </header>
  );
}

function SignedOut({ page }: { readonly page: Pick<Page, "session" | "texts"> }) {
  const { signedOut, signedOutApp } = page.texts.value;
  const texts = page.session.isApp ? signedOutApp : signedOut;
  return (
    <div class="empty">
      <h1>{texts.title}</h1>
      <p>{page.session.hasFailedLogin.value ? texts.failed : texts.text}</p>
      <p>
        <code>{page.session.isApp ? "/web" : "papayu open"}</code>
      </p>
    </div>
  );
}

function Current(props: {
  readonly page: Page;
  readonly load: Loaders;
  readonly notices: Notices;
}) {
  const { page, load, notices } = props;
  const texts = page.texts.value;
  const route: Route = isTheirs(page) ? page.nav.route.value : { page: "unknown" };
  switch (route.page) {
    case "inbox":
      return (
        <InboxPage
          page={page}
          notices={notices}
          loadUnfolding={async () => (await load.review()).Unfolded}
        />
      );
    case "review":
      return (
        <Loaded page={page} load={load.review}>
          {({ ReviewPage }) => <ReviewPage key={route.id} page={page} id={route.id} />}
        </Loaded>
      );
    case "workspaces":
      return (
        <Loaded page={page} load={load.workspaces}>
          {({ WorkspacesPage }) => <WorkspacesPage page={page} />}
        </Loaded>
      );
    case "chat":
      return (
        <Loaded page={page} load={load.chat}>
          {({ ChatPage }) => <ChatPage session={route.session} workspace={route.workspace} />}
        </Loaded>
      );
    case "routines":
      return (
        <Loaded page={page} load={load.routines}>
          {({ RoutinesPage }) => <RoutinesPage page={page} />}
        </Loaded>
      );
    case "traces":
    case "report":
    case "trace":
      return (
        <Loaded page={page} load={load.traces}>
          {({ TracesPage, ReportPage, TracePage }) => {
            if (route.page === "trace")
              return <TracePage key={route.id} page={page} id={route.id} />;
            const query = route.query ?? "";
            if (route.page === "report") return <ReportPage page={page} query={query} />;
            return <TracesPage page={page} query={query} />;
          }}
        </Loaded>
      );
    case "settings": {
      const { part } = route;
      return (
        <>
          <SettingsBar page={page} part={part} />
          {part === undefined ? (
            <Loaded page={page} load={load.settings}>
              {({ SettingsPage }) => <SettingsPage page={page} />}
            </Loaded>
          ) : (
            <Loaded page={page} load={load.care}>
              {({ CarePage }) => <CarePage page={page} part={part} />}
            </Loaded>
          )}
        </>
      );
    }
    case "workspace":
      return (
        <Loaded page={page} load={load.workspaces}>
          {(parts) => ofWorkspace(page, parts, route.name, route.part)}
        </Loaded>
      );
    case "unknown":
      return (
        <div class="empty">
          <h1>{texts.unknown.title}</h1>
          <Link nav={page.nav} to={{ page: "inbox" }}>
            {texts.unknown.back}
          </Link>
        </div>
      );
    default:
      return route satisfies never;
  }
}

/** Whether who looks has such a page. */
function isTheirs({ session, nav }: Pick<Page, "session" | "nav">): boolean {
  return session.role.value === "owner" || FOR_ALL.has(nav.route.value.page);
}

const FOR_ALL: ReadonlySet<Route["page"]> = new Set(["inbox", "review", "chat"]);

function ofWorkspace(page: Page, parts: WorkspaceParts, name: string, part: string | undefined) {
  const { WorkspacePage, TransactionPage, TakeBackPage } = parts;
  const key = `${name} ${part}`;
  if (part === undefined) return <WorkspacePage key={key} page={page} name={name} />;
  if (part !== "undo" && part !== "redo") {
    return <TransactionPage key={key} page={page} name={name} txId={part} />;
  }
  return <TakeBackPage key={key} page={page} name={name} kind={part} />;
}

/** A page whose code comes when it is opened. */
function Loaded<Parts>(props: {
  readonly page: Pick<Page, "texts">;
  readonly load: () => Promise<Parts>;
  readonly children: (parts: Parts) => ComponentChildren;
}) {
  const { page, load, children } = props;
  const parts = useSignal<Parts | undefined>(undefined);
  useEffect(() => {
    parts.value = undefined;
    void load().then((loaded) => (parts.value = loaded));
  }, [load]);
  if (!parts.value) return <p class="waiting">{page.texts.value.loading}</p>;
  return <>{children(parts.value)}</>;
}
