import { type Signal, signal } from "@preact/signals";
import { createDaemon, type Daemon } from "./daemon.ts";

/** Who looks at the page, and whether they may. */
export interface Session {
  readonly access: Signal<"asking" | "in" | "out">;
  /** Somebody else than the owner has fewer places. */
  readonly role: Signal<"owner" | "other">;
  /** Telegram opened it. */
  readonly isApp: boolean;
  /** A code was tried and did not work. */
  readonly hasFailedLogin: Signal<boolean>;
  readonly daemon: Daemon;
}

/** A session of which nothing is known but where it was opened. */
export function createSession(access: Session["access"], isApp: boolean): Session {
  return {
    access,
    role: signal<"owner" | "other">("owner"),
    isApp,
    hasFailedLogin: signal(false),
    daemon: createDaemon(),
  };
}
