import type { AgentEvent } from "../channels/channel.ts";
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
