import { toPrintableText, toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import { Blocks } from "./blocks-view.tsx";
import type { Piece, Turn } from "./turn.ts";
import { type Message } from "./wire.ts";

/** What is kept of a conversation. */
export function Messages(props: { readonly texts: Texts; readonly messages: readonly Message[] }) {
  const { texts, messages } = props;
  const results = new Map(
    messages.flatMap(({ callId, text }) => (callId === undefined ? [] : [[callId, text] as const])),
  );
  return (
    <>
      {messages.map(({ id, role, text, blocks, calls }) => {
        if (role === "user") return <Said key={id} texts={texts} text={text} />;
        if (role !== "assistant") return null;
        return (
          <article key={id} class="answer-of" aria-label="papa-yu">
            <Blocks blocks={blocks} />
            {calls.map((call) => (
              <CallView
                key={call.id}
                texts={texts}
                call={{ ...call, result: results.get(call.id) }}
              />
            ))}
          </article>
        );
      })}
    </>
  );
}

/** What was sent from here, and what came of it. */
export function TurnView({ texts, turn }: { readonly texts: Texts; readonly turn: Turn }) {
  const { said, pieces, state, progress, output, failure } = turn;
  const { states } = texts.chat;
  return (
    <>
      <Said texts={texts} text={said} />
      <article class="answer-of" aria-label="papa-yu">
        {pieces.map((piece, at) => (
          <PieceView key={at} texts={texts} piece={piece} />
        ))}
        {output !== "" && <pre class="wrap output">{toVisibleText(output)}</pre>}
        <p class={`turn-state ${state}`}>
          {failure !== ""
            ? toVisibleText(failure)
            : progress !== ""
              ? toVisibleText(progress)
              : states[state]}
        </p>
      </article>
    </>
  );
}

function Said({ texts, text }: { readonly texts: Texts; readonly text: string }) {
  return (
    <article class="said-by" aria-label={texts.chat.you}>
      {toPrintableText(text)}
    </article>
  );
}

function PieceView({ texts, piece }: { readonly texts: Texts; readonly piece: Piece }) {
  switch (piece.kind) {
    case "prose":
      return (
        <>
          <Blocks blocks={piece.blocks} />
          {piece.chars < piece.text.length && (
            <p class="tail">{toPrintableText(piece.text.slice(piece.chars))}</p>
          )}
        </>
      );
    case "verbatim":
      return <pre class="wrap">{toVisibleText(piece.text.trim())}</pre>;
    case "call":
      return <CallView texts={texts} call={piece} />;
    case "file":
      return (
        <p>
          {texts.chat.file} <code>{toVisibleText(piece.path)}</code>
          {piece.isSent && ` ${texts.sentFile}`}
        </p>
      );
    default:
      return piece satisfies never;
  }
}

function CallView(props: {
  readonly texts: Texts;
  readonly call: {
    readonly name: string;
    readonly args: string;
    readonly result: string | undefined;
  };
}) {
  const { texts, call } = props;
  return (
    <details class="call">
      <summary>
        {texts.chat.call} <bdi>{toVisibleText(call.name)}</bdi>
      </summary>
      <pre class="wrap">{toVisibleText(call.args)}</pre>
      <pre class="wrap">
        {call.result === undefined ? texts.chat.noResult : toVisibleText(call.result)}
      </pre>
    </details>
  );
}
