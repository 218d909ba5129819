import type { ComponentType } from "preact";
import { Link, Loaded } from "../acts/acts.tsx";
import type { Notices } from "../notices.ts";
import { type Lazy, type OfChangeSet, type Page, type Unfolding, useTitle } from "../page/page.ts";
import { InboxPage } from "../pages/inbox/inbox.tsx";
import type { Care, Route } from "../route.ts";
import { SettingsBar } from "./settings-bar.tsx";

/** What is loaded when a change set is shown for the first time. */
export interface ReviewParts extends Unfolding {
  readonly ReviewPage: OfChangeSet;
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
  readonly review: Lazy<ReviewParts>;
  readonly workspaces: Lazy<WorkspaceParts>;
  readonly chat: Lazy<{
    readonly ChatPage: ComponentType<{
      readonly session: string | undefined;
      readonly workspace: string | undefined;
    }>;
  }>;
  readonly routines: Lazy<{ readonly RoutinesPage: ComponentType }>;
  readonly traces: Lazy<{
    readonly TracesPage: ComponentType<{ page: Page; query: string }>;
    readonly ReportPage: ComponentType<{ page: Page; query: string }>;
    readonly TracePage: ComponentType<{ page: Page; id: string }>;
  }>;
  readonly settings: Lazy<{ readonly SettingsPage: ComponentType<{ page: Page }> }>;
  readonly care: Lazy<{ readonly CarePage: ComponentType<{ page: Page; part: Care }> }>;
}

/** Where the person is. */
export function Current(props: {
  readonly page: Page;
  readonly load: Loaders;
  readonly notices: Notices;
}) {
  const { page, load, notices } = props;
  const route: Route = isTheirs(page) ? page.nav.route.value : { page: "unknown" };
  switch (route.page) {
    case "inbox":
      return <InboxPage page={page} notices={notices} unfolding={load.review} />;
    case "review":
      return (
        <Loaded page={page} part={load.review}>
          {({ ReviewPage }) => <ReviewPage key={route.id} page={page} id={route.id} />}
        </Loaded>
      );
    case "workspaces":
      return (
        <Loaded page={page} part={load.workspaces}>
          {({ WorkspacesPage }) => <WorkspacesPage page={page} />}
        </Loaded>
      );
    case "chat":
      return (
        <Loaded page={page} part={load.chat}>
          {({ ChatPage }) => <ChatPage session={route.session} workspace={route.workspace} />}
        </Loaded>
      );
    case "routines":
      return (
        <Loaded page={page} part={load.routines}>
          {({ RoutinesPage }) => <RoutinesPage />}
        </Loaded>
      );
    case "traces":
    case "report":
    case "trace":
      return (
        <Loaded page={page} part={load.traces}>
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
            <Loaded page={page} part={load.settings}>
              {({ SettingsPage }) => <SettingsPage page={page} />}
            </Loaded>
          ) : (
            <Loaded page={page} part={load.care}>
              {({ CarePage }) => <CarePage page={page} part={part} />}
            </Loaded>
          )}
        </>
      );
    }
    case "workspace":
      return (
        <Loaded page={page} part={load.workspaces}>
          {(parts) => ofWorkspace(page, parts, route.name, route.part)}
        </Loaded>
      );
    case "unknown":
      return <Unknown page={page} />;
    default:
      return route satisfies never;
  }
}

function Unknown({ page }: { readonly page: Pick<Page, "nav" | "texts" | "view"> }) {
  const { unknown: texts } = page.texts.value;
  useTitle(page.view, texts.title);
  return (
    <div class="empty">
      <h1>{texts.title}</h1>
      <Link nav={page.nav} to={{ page: "inbox" }}>
        {texts.back}
      </Link>
    </div>
  );
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
