import type { ComponentChildren } from "preact";
import { toPrintableText, toVisibleText } from "../../../core/visible-text.ts";
import { Link } from "../../acts/acts.tsx";
import { toSize } from "../../figures/figures.tsx";
import { messageOf } from "../../page/page.ts";
import { type Texts, wordFor } from "../../texts/texts.ts";
import { Blocks } from "./blocks-view.tsx";
import { saveFile } from "./files.ts";
import { Offered, Question, type Stream } from "./questions.tsx";
import type { Piece, Turn } from "./turn.ts";
import type { Message } from "./wire.ts";

/** What is kept of a conversation. */
export function Messages(props: {
  readonly stream: Stream;
  readonly messages: readonly Message[];
}) {
  const { stream, messages } = props;
  const texts = stream.page.texts.value;
  const results = new Map(
    messages.flatMap(({ callId, text }) => (callId === undefined ? [] : [[callId, text] as const])),
  );
  return (
    <>
      {messages.map((message) => {
        const { id, role, text, blocks, calls } = message;
        if (role === "user") return <Said key={id} texts={texts} text={text} />;
        if (role === "shown") return <ShownView key={id} stream={stream} message={message} />;
        if (role !== "assistant") return null;
        return (
          <Answer key={id}>
            <Blocks blocks={blocks} />
            {calls.map((call) => (
              <CallView
                key={call.id}
                texts={texts}
                call={{ ...call, result: results.get(call.id) }}
              />
            ))}
          </Answer>
        );
      })}
    </>
  );
}

function Answer(props: { readonly children: ComponentChildren }) {
  return (
    <article class="answer-of" aria-label="papa-yu">
      {props.children}
    </article>
  );
}

/** What was shown beside messages, as what it is. */
function ShownView({ stream, message }: { readonly stream: Stream; readonly message: Message }) {
  const { page } = stream;
  const { kind, text, blocks, ref, workspace, actions, state } = message;
  const { chat, review } = page.texts.value;
  const of = workspace === undefined ? "" : toVisibleText(workspace);
  switch (kind) {
    case "plan":
    case "change_set":
    case "call": {
      const isOpen = page.feed.inbox.value?.items.some((each) => each.ref === ref) === true;
      const isSet = kind === "change_set";
      return (
        <Answer>
          <p class="shown-head">
            {isSet ? chat.changeSet(of) : kind === "plan" ? chat.plan(of) : chat.asked}
            {!isOpen && state !== undefined && state !== "waiting" && (
              <span class="quiet"> · {wordFor(chat.became, state, state)}</span>
            )}
          </p>
          {!isOpen && (kind === "call" ? <Verbatim text={text} /> : <Blocks blocks={blocks} />)}
          {ref !== undefined && <Question stream={stream} about={ref} />}
          {!isOpen && isSet && ref !== undefined && (
            <Link nav={page.nav} to={{ page: "review", id: ref }}>
              {review}
            </Link>
          )}
        </Answer>
      );
    }
    case "outcome": {
      const isTransaction = ref !== undefined && workspace !== undefined && ref.startsWith("tx_");
      return (
        <Answer>
          <Verbatim text={text} />
          {isTransaction && page.session.role.value === "owner" && (
            <Link nav={page.nav} to={{ page: "workspace", name: workspace, part: ref }}>
              {chat.past(of)}
            </Link>
          )}
          <Offered stream={stream} name={ref ?? `shown ${message.id}`} actions={actions} />
        </Answer>
      );
    }
    case "file":
      return (
        <Answer>
          <FileView stream={stream} file={{ ref: ref ?? "", path: text, ...sizeOf(message) }} />
        </Answer>
      );
    case "error":
      return (
        <Answer>
          <p class="turn-state failed">{toVisibleText(text)}</p>
        </Answer>
      );
    case "text":
      return (
        <Answer>
          <Blocks blocks={blocks} />
        </Answer>
      );
    default:
      return (
        <Answer>
          {kind === "choice" ? <Blocks blocks={blocks} /> : <Verbatim text={text} />}
          <Offered stream={stream} name={`shown ${message.id}`} actions={actions} />
        </Answer>
      );
  }
}

function sizeOf({ sizeBytes = 0 }: Message) {
  return { sizeBytes };
}

function Verbatim({ text }: { readonly text: string }) {
  return <pre class="wrap">{toVisibleText(text.trim())}</pre>;
}

/** What was sent from here, or said elsewhere, and what has come of it until now. */
export function TurnView({ stream, turn }: { readonly stream: Stream; readonly turn: Turn }) {
  const { said, pieces, state, progress, output, failure } = turn;
  const texts = stream.page.texts.value;
  const { states } = texts.chat;
  return (
    <>
      {said !== undefined && <Said texts={texts} text={said} />}
      <Answer>
        {pieces.map((piece, at) => (
          // Pieces are only added and filled, so that their places name them.
          <PieceView key={at} stream={stream} piece={piece} name={`${turn.key} ${at}`} />
        ))}
        {output !== "" && <pre class="wrap output">{toVisibleText(output)}</pre>}
        <p class={`turn-state ${state}`}>
          {failure !== ""
            ? toVisibleText(failure)
            : progress !== ""
              ? toVisibleText(progress)
              : states[state]}
        </p>
      </Answer>
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

function PieceView(props: {
  readonly stream: Stream;
  readonly piece: Piece;
  readonly name: string;
}) {
  const { stream, piece, name } = props;
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
      return <Verbatim text={piece.text} />;
    case "call":
      return <CallView texts={stream.page.texts.value} call={piece} />;
    case "file":
      return <FileView stream={stream} file={piece} isSent={piece.isSent} />;
    case "asked":
      return <Question stream={stream} about={piece.ref} />;
    case "actions":
      return <Offered stream={stream} name={name} actions={piece.actions} />;
    default:
      return piece satisfies never;
  }
}

/** A file that was given: it is kept by the browser, and never shown as a page. */
function FileView(props: {
  readonly stream: Stream;
  readonly file: { readonly ref: string; readonly path: string; readonly sizeBytes: number };
  /** The bot sends it as well. */
  readonly isSent?: boolean;
}) {
  const { page, id } = props.stream;
  const { file, isSent = false } = props;
  const { chat, language, sentFile } = page.texts.value;
  const load = async () => {
    try {
      await saveFile(page.client, id, file);
    } catch (error) {
      page.view.said.value = messageOf(error);
    }
  };
  return (
    <p>
      {chat.file} <code>{toVisibleText(file.path)}</code> {toSize(file.sizeBytes, language)}
      {isSent && ` ${sentFile}`}
      {/* A frame in Telegram keeps no files. */}
      {!page.session.isApp && (
        <>
          {" "}
          <button type="button" class="act other" onClick={() => void load()}>
            {chat.download}
          </button>
        </>
      )}
    </p>
  );
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
