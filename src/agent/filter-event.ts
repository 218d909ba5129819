import type { AgentEvent } from "../channels/channel.ts";
import { withoutPlaces } from "../channels/failure-lines.ts";
import { isAllowedHost, toHostName } from "../http/check-host.ts";
import { filterLinks } from "../security/plain-links.ts";
import { openProvenance } from "../security/provenance.ts";
import type { SecurityRules } from "./deps.ts";

/**
 * An event with its Markdown as an answer's would be: what a planner wrote has seen the folder, and
 * what a research found was written by strangers. `asked` is what the person said, for the hosts
 * that it names.
 */
export function filterEvent(
  event: AgentEvent,
  security: Pick<SecurityRules, "allowedHosts">,
  asked: string,
): AgentEvent {
  const filter = (markdown: string) => filterMarkdown(markdown, security, asked);
  switch (event.kind) {
    case "plan":
      return { ...event, summary: filter(event.summary) };
    case "research":
      return { ...event, answerMd: filter(event.answerMd) };
    case "approval":
      return { ...event, preview: { ...event.preview, summary: filter(event.preview.summary) } };
    case "choice":
      return { ...event, text: filter(event.text) };
    default:
      return event;
  }
}

/** The same of a text that is shown as Markdown. */
export function filterMarkdown(
  markdown: string,
  { allowedHosts }: Pick<SecurityRules, "allowedHosts">,
  asked: string,
): string {
  const context = openProvenance({
    isHost: (url) => isAllowedHost(toHostName(url), allowedHosts),
    texts: [],
  });
  context.addPersonsText(asked);
  context.recall("outside");
  return filterLinks(markdown, context.mayLink);
}

/**
 * What failed as somebody hears it who is no owner of the machine: what a file or a folder is called is
 * for them, and where the owner keeps it is not.
 */
export function hidePlaces(event: AgentEvent): AgentEvent {
  switch (event.kind) {
    case "error": {
      const { said } = event;
      const more = said === undefined ? {} : { said: withoutPlaces(said) };
      return { ...event, message: withoutPlaces(event.message), ...more };
    }
    case "outcome": {
      const { outcome } = event;
      const { error, reason, pending } = outcome;
      return {
        ...event,
        outcome: {
          ...outcome,
          ...(error !== undefined && { error: withoutPlaces(error) }),
          ...(reason !== undefined && { reason: withoutPlaces(reason) }),
          ...(pending && {
            pending: pending.map((each) => ({
              path: withoutPlaces(each.path),
              reason: withoutPlaces(each.reason),
            })),
          }),
        },
      };
    }
    default:
      return event;
  }
}
