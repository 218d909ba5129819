import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { InboxPage } from "../inbox/inbox.tsx";
import type { OfChangeSet, Page, UnfoldedChangeSet } from "../page.ts";
import type { Theme } from "../theme.ts";
import { HelpDialog } from "./help.tsx";

/** What is loaded when a change set is shown for the first time. */
export interface ReviewParts {
  readonly ReviewPage: OfChangeSet;
  readonly Unfolded: UnfoldedChangeSet;
}

/** How long a word about what was just done stays. */
const SAID_MS = 5000;

/** The whole page: its head, and where the person is. */
export function App({
  page,
  theme,
  loadReview,
}: {
  readonly page: Page;
  readonly theme: Signal<Theme>;
  readonly loadReview: () => Promise<ReviewParts>;
}) {
  const texts = page.texts.value;
  const access = page.access.value;
  const said = page.said.value;
  useEffect(() => {
    const timer = setTimeout(() => (page.said.value = ""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <div class="app">
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <Header page={page} theme={theme} />
      <main id="content" tabIndex={-1}>
        {access === "asking" && <p class="waiting">{texts.loading}</p>}
        {access === "out" && <SignedOut page={page} />}
        {access === "in" && <Current page={page} loadReview={loadReview} />}
      </main>
      <p class="said" role="status">
        {said}
      </p>
      <HelpDialog page={page} />
    </div>
  );
}

function Header({ page, theme }: { readonly page: Page; readonly theme: Signal<Theme> }) {
  const texts = page.texts.value;
  const count = page.inbox.value?.items.length ?? 0;
  const link = page.link.value;
  return (
    <header class="bar">
      <a
        class="brand"
        href="/"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          page.go({ page: "inbox" });
        }}
      >
        <span class="logo" />
        <span class="brand-name">papa-yu</span>
        <span class="inbox-link">{texts.inbox}</span>
        {count > 0 && <span class="badge">{count}</span>}
      </a>
      {page.access.value === "in" && (
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
        onClick={() => (page.isHelpOpen.value = true)}
      >
        ?
      </button>
    </header>
  );
}

function SignedOut({ page }: { readonly page: Page }) {
  const texts = page.texts.value.signedOut;
  return (
    <div class="empty">
      <h1>{texts.title}</h1>
      <p>{page.hasFailedLogin.value ? texts.failed : texts.text}</p>
      <p>
        <code>papayu open</code>
      </p>
    </div>
  );
}

function Current({
  page,
  loadReview,
}: {
  readonly page: Page;
  readonly loadReview: () => Promise<ReviewParts>;
}) {
  const parts = useSignal<ReviewParts | undefined>(undefined);
  const texts = page.texts.value;
  const route = page.route.value;
  useEffect(() => {
    if (route.page === "review") void loadReview().then((loaded) => (parts.value = loaded));
  }, [route.page]);
  switch (route.page) {
    case "inbox":
      return <InboxPage page={page} loadUnfolding={async () => (await loadReview()).Unfolded} />;
    case "review": {
      const { ReviewPage } = parts.value ?? {};
      if (!ReviewPage) return <p class="waiting">{texts.loading}</p>;
      return <ReviewPage key={route.id} page={page} id={route.id} />;
    }
    case "unknown":
      return (
        <div class="empty">
          <h1>{texts.unknown.title}</h1>
          <a href="/">{texts.unknown.back}</a>
        </div>
      );
    default:
      return route satisfies never;
  }
}
