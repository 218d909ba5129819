import { useEffect, useRef } from "preact/hooks";
import { Link } from "../acts/acts.tsx";
import { countWaiting } from "../client/client.ts";
import type { Page } from "../page/page.ts";
import { Steady } from "./steady.tsx";

/** The way from page to page. */
export function PagesBar({ page }: { readonly page: Page }) {
  const texts = page.texts.value;
  const { page: at } = page.nav.route.value;
  const isOwner = page.session.role.value === "owner";
  const count = countWaiting(page.feed.inbox.value?.items);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the bar is moved along.
    const current = nav.current?.querySelector("[aria-current]");
    current?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [at]);
  return (
    <nav class="pages" aria-label={texts.pages} ref={nav}>
      <Link nav={page.nav} to={{ page: "inbox" }} isCurrent={at === "inbox"}>
        <Steady word={texts.inbox} />
        {count > 0 && <span class="badge">{count}</span>}
      </Link>
      {isOwner && (
        <>
          <Link
            nav={page.nav}
            to={{ page: "workspaces" }}
            isCurrent={at === "workspaces" || at === "workspace"}
          >
            <Steady word={texts.past.title} />
          </Link>
          <Link nav={page.nav} to={{ page: "routines" }} isCurrent={at === "routines"}>
            <Steady word={texts.routines.title} />
          </Link>
        </>
      )}
      <Link nav={page.nav} to={{ page: "chat" }} isCurrent={at === "chat"}>
        <Steady word={texts.chat.title} />
      </Link>
      {isOwner && (
        <>
          <Link
            nav={page.nav}
            to={{ page: "traces" }}
            isCurrent={at === "traces" || at === "trace" || at === "report"}
          >
            <Steady word={texts.traces.title} />
          </Link>
          <Link nav={page.nav} to={{ page: "settings" }} isCurrent={at === "settings"}>
            <Steady word={texts.settings.title} />
          </Link>
        </>
      )}
    </nav>
  );
}
