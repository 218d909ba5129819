import { type Signal, signal } from "@preact/signals";
import { APP, isOfApp, type Place, type Route, readRoute, renderRoute } from "../route.ts";

/** Where the person is, and the way to any other place of the page. */
export interface Navigation {
  readonly route: Signal<Route>;
  go(place: Place): void;
  /** The address of a place. */
  href(place: Place): string;
  /** The fragment of the address is another one; the place is the same. */
  name(fragment: string): void;
  /** What was kept with the address of how somebody stood there. */
  readonly kept: () => unknown;
  /** Keeps it in a moment: browsers allow few of these calls. */
  keep(standing: unknown): void;
  /** Keeps at once what waits. */
  flush(): void;
  /** The address is another one: somebody went back or forth, or wrote it. */
  arrive(): void;
}

/** The address bar and the history, as far as going from place to place needs them. */
export interface NavigationWorld {
  readonly location: {
    readonly pathname: string;
    readonly hash: string;
    readonly search?: string;
  };
  readonly history: {
    readonly state: unknown;
    pushState(state: null, unused: string, url: string): void;
    replaceState(state: unknown, unused: string, url?: string): void;
  };
}

/** So long nothing else may come before it is kept. */
const KEEP_MS = 200;

/** Begins at the place that the address names. */
export function createNavigation({ location, history }: NavigationWorld): Navigation {
  const read = () => readRoute(location.pathname, location.hash, location.search);
  const route = signal(read());
  const start = isOfApp(location.pathname) ? APP : "";
  const href = (place: Place) => start + renderRoute(place);
  let waiting: { readonly standing: unknown; readonly timer: unknown } | undefined;

  function forget(): void {
    clearTimeout(Number(waiting?.timer));
    waiting = undefined;
  }

  function flush(): void {
    if (!waiting) return;
    const { standing } = waiting;
    forget();
    history.replaceState(standing ?? null, "");
  }

  return {
    route,
    href,
    flush,
    go(next) {
      flush();
      history.pushState(null, "", href(next));
      route.value = next;
    },
    name(fragment) {
      flush();
      history.replaceState(history.state, "", fragment);
    },
    kept: () => history.state,
    keep(standing) {
      forget();
      waiting = { standing, timer: setTimeout(flush, KEEP_MS) };
    },
    arrive() {
      forget(); // it was of where they come from
      route.value = read();
    },
  };
}
