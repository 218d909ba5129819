import type { Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Link, Reload } from "../acts/acts.tsx";
import type { Notices } from "../notices.ts";
import type { Page } from "../page/page.ts";
import type { Theme } from "../theme.ts";
import { Arrival } from "./arrival.tsx";
import { HelpDialog } from "./help.tsx";
import { PagesBar } from "./pages-bar.tsx";
import { Current, type Loaders } from "./places.tsx";

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
      <OtherVersion page={page} />
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
      <Arrival page={page} />
      <HelpDialog page={page} />
    </div>
  );
}

/** Another papa-yu answers than the one that the page is of. */
function OtherVersion({ page }: { readonly page: Pick<Page, "session" | "texts" | "view"> }) {
  const isShown = page.session.daemon.isOtherVersion.value;
  const { part: texts } = page.texts.value;
  useLayoutEffect(() => {
    page.view.movedAt.value = performance.now();
  }, [isShown]);
  return (
    <div class="other-version" role="status">
      {isShown && (
        <>
          <p>{texts.otherVersion}</p>
          <Reload texts={texts.reload} />
        </>
      )}
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
