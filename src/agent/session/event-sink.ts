import type { AgentEvent, Emit } from "../../channels/channel.ts";

/** A channel's way out as the agent uses it: masked, in order, never a reason for work to fail. */
export interface EventSink {
  /** Never throws: what the channel could not take is told by {@link EventSink.end}. */
  readonly emit: (event: AgentEvent) => Promise<void>;
  /** Says `done`; then throws the first failure of the channel, if there was one. */
  end(): Promise<void>;
}

/**
 * Opens the way out for one request; every text that takes it is masked by `redact`, and events
 * are shown as `toShown` wants them.
 */
export function openEventSink(
  emit: Emit,
  redact: (text: string) => string,
  toShown: (event: AgentEvent) => Promise<AgentEvent> | AgentEvent = (event) => event,
): EventSink {
  let last = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  const send = (event: AgentEvent): Promise<void> => {
    last = last
      .then(async () => emit(await toShown(event)))
      .catch((error: unknown) => {
        failure ??= { error };
      });
    return last;
  };
  return {
    emit: (event) => send(maskTexts(event, redact)),
    async end() {
      await send({ kind: "done" });
      if (failure) throw failure.error;
    },
  };
}

/** A document with every text in it masked. */
export function maskTexts<T>(document: T, redact: (text: string) => string): T {
  const mask = (_key: string, value: unknown) =>
    typeof value === "string" ? redact(value) : value;
  return JSON.parse(JSON.stringify(document), mask);
}
