import { type Signal, signal } from "@preact/signals";
import { APP, isOfApp, type Place, type Route, readRoute, renderRoute } from "../route.ts";

/** Where the person is, and the way to any other place of the page. */
export interface Navigation {
  readonly route: Signal<Route>;
  go(place: Place): void;
  /** The address of a place. */
  href(place: Place): string;
}

/** The address bar, as far as going from place to place needs it. */
export interface NavigationWorld {
  readonly location: {
    readonly pathname: string;
    readonly hash: string;
    readonly search?: string;
  };
  readonly history: { pushState(state: null, unused: string, url: string): void };
}

/** Begins at the place that the address names. */
export function createNavigation({ location, history }: NavigationWorld): Navigation {
  const route = signal(readRoute(location.pathname, location.hash, location.search));
  const start = isOfApp(location.pathname) ? APP : "";
  const href = (place: Place) => start + renderRoute(place);
  return {
    route,
    href,
    go(next) {
      history.pushState(null, "", href(next));
      route.value = next;
    },
  };
}
