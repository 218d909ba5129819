import type { ComponentChildren } from "preact";
import type { Navigation } from "../page/page.ts";
import type { Place } from "../route.ts";

/** A link to a place of the page: it goes there by itself, and opens in a new window like any. */
export function Link(props: {
  readonly nav: Navigation;
  readonly to: Place;
  readonly class?: string;
  readonly label?: string;
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}) {
  const { nav, to, class: looks, label, isCurrent, children } = props;
  return (
    <a
      href={nav.href(to)}
      class={looks}
      aria-label={label}
      aria-current={isCurrent ? "page" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        nav.go(to);
      }}
    >
      {children}
    </a>
  );
}
