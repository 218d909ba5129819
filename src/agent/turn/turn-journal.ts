import type { Speaker } from "../../channels/channel.ts";
import { newId } from "../../core/ids.ts";
import type { ChatMessage, ToolCall } from "../../providers/provider.ts";
import type { AgentCore, TurnDeps } from "../deps.ts";

/**
 * A turn as it is recorded while it happens, so that after a crash it goes on from what is
 * known, and nothing that has an effect is done twice.
 */
export interface TurnJournal {
  /** Adds to the conversation; behind the last message the turn is over. */
  keep(messages: readonly ChatMessage[], standing?: "last"): Promise<void>;
  /** Writes down a call with an effect before it runs; the id is for its end. */
  begin(call: ToolCall): Promise<string>;
  /** In one commit with what came of it: until then nobody knows whether it took effect. */
  end(id: string, outcome: { readonly kept: Messages; readonly failed: Messages }): Promise<void>;
}

type Messages = readonly ChatMessage[];

interface JournalDeps extends Pick<TurnDeps, "commit"> {
  readonly core: Pick<AgentCore, "sessions" | "approvals" | "clock">;
}

/** Opens the journal of the turn `turnId`; it may have been begun before a crash. */
export function openJournal(
  { core, commit }: JournalDeps,
  { sessionId, userId }: Speaker,
  turnId: string,
): TurnJournal {
  const { sessions, approvals, clock } = core;
  function add(messages: Messages, standing?: "failed" | "last"): void {
    if (messages.length === 0) return;
    const place = { turnId, ...(standing && { standing }) };
    sessions.append(sessionId, messages, clock.now(), place);
  }

  return {
    async keep(messages, standing) {
      if (messages.length === 0) return;
      // A turn that a power cut takes back is answered again: its message is synced.
      await commit(() => add(messages, standing), { isSynced: false });
    },
    begin({ name: tool, arguments: argsJson }) {
      const createdAt = clock.now();
      const approvalId = newId("call", createdAt);
      const begun = { approvalId, sessionId, userId, tool, argsJson, turnId, createdAt };
      return commit(() => {
        approvals.allow(begun);
        return approvalId;
      });
    },
    end(id, { kept, failed }) {
      return commit(() => {
        add(kept);
        add(failed, "failed");
        approvals.finish(id);
      });
    },
  };
}
