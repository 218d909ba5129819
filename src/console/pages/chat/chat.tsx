import { type Signal, signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { Link } from "../../acts/acts.tsx";
import { useCommands } from "../../commands.ts";
import { messageOf, type Page } from "../../page.ts";
import { wordFor } from "../../texts/texts.ts";
import { openKeeper } from "../../theme.ts";
import { Composer } from "./composer.tsx";
import { Messages, TurnView } from "./messages.tsx";
import { Questions } from "./questions.tsx";
import { createTalk, isUnderWay, type Talk } from "./talk.ts";
import { type Chat, type ChatPage, readChatPage, readChats } from "./wire.ts";

/** Conversations that this page has gone on with, as long as the window is open. */
export function openChat(page: Page) {
  const talks = new Map<string, Talk>();
  const talkOf = (sendAs: string) =>
    orMake(talks, sendAs, () => createTalk(page, sendAs, openKeeper("sessionStorage")));
  const pages = new Map<string, Signal<ChatPage | undefined>>();
  const keptOf = (id: string) => orMake(pages, id, () => signal<ChatPage | undefined>(undefined));
  return {
    ChatPage: ({ session }: { readonly session: string | undefined }) =>
      session === undefined ? (
        <Chats page={page} talkOf={talkOf} />
      ) : (
        <Conversation
          key={session}
          page={page}
          id={session}
          talkOf={talkOf}
          kept={keptOf(session)}
        />
      ),
  };
}

/** Maps of older browsers cannot do it themselves. */
function orMake<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

type TalkOf = (sendAs: string) => Talk;

/** All conversations, and a new one. */
function Chats({ page, talkOf }: { readonly page: Page; readonly talkOf: TalkOf }) {
  const { chat: texts, loading, language } = page.texts.value;
  const chats = useSignal<readonly Chat[] | undefined>(undefined);
  const older = useSignal<string | undefined>(undefined);
  const failure = useSignal("");
  const load = async (before?: string) => {
    try {
      const at = before === undefined ? "" : `?before=${encodeURIComponent(before)}`;
      const found = readChats(await page.client.get(`/api/chats${at}`));
      chats.value = before === undefined ? found.chats : [...(chats.value ?? []), ...found.chats];
      older.value = found.older;
      failure.value = "";
    } catch (error) {
      failure.value = messageOf(error);
    }
  };
  useEffect(() => void load(), [page.changes.value]);
  useTitle(page, texts.title);
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const begin = (text: string) => {
    const name = `console-${crypto.randomUUID()}`;
    void talkOf(name).send(text);
    page.go({ page: "chat", session: `http:${name}` });
  };
  const draft = useSignal("");
  return (
    <div class="inbox chats">
      <h1>{texts.title}</h1>
      <h2>{texts.begin}</h2>
      <Composer page={page} draft={draft} onSend={begin} onStop={undefined} />
      <h2>{texts.all}</h2>
      {failure.value !== "" && <p>{toVisibleText(failure.value)}</p>}
      {!chats.value && failure.value === "" && <p class="waiting">{loading}</p>}
      {chats.value?.length === 0 && <p class="quiet">{texts.none}</p>}
      <ul class="items">
        {chats.value?.map(({ id, title, channel, at, workspace }) => (
          <li key={id} class="item">
            <Link page={page} to={{ page: "chat", session: id }} class="item-title">
              {title === "" ? texts.untitled : toVisibleText(title)}
            </Link>
            <div class="item-facts">
              <span>{wordFor(texts.channels, channel, channel)}</span>
              {workspace !== undefined && <bdi>{toVisibleText(workspace)}</bdi>}
              <span>{time.format(at)}</span>
            </div>
          </li>
        ))}
      </ul>
      {older.value !== undefined && (
        <button type="button" class="act other" onClick={() => void load(older.value)}>
          {texts.older}
        </button>
      )}
    </div>
  );
}

/** One conversation: what is kept of it, and what goes on. */
function Conversation(props: {
  readonly page: Page;
  readonly id: string;
  readonly talkOf: TalkOf;
  readonly kept: Signal<ChatPage | undefined>;
}) {
  const { page, id, talkOf } = props;
  const texts = page.texts.value;
  const read = props.kept;
  const failure = useSignal("");
  const sendAs = read.value?.chat.sendAs;
  const talk = sendAs === undefined ? undefined : talkOf(sendAs);
  const turns = talk?.turns.value ?? [];
  const load = async (before?: number) => {
    try {
      const at = before === undefined ? "" : `&before=${before}`;
      const path = `/api/chats/${encodeURIComponent(id)}?rendered=true${at}`;
      const found = readChatPage(await page.client.get(path));
      const shown = before === undefined ? [] : (read.value?.messages ?? []);
      read.value = { ...found, messages: [...found.messages, ...shown] };
      failure.value = "";
    } catch (error) {
      failure.value = messageOf(error);
    }
  };
  // What came while the page looked on stands there already.
  useEffect(() => {
    const name = id.startsWith("http:") ? id.slice("http:".length) : undefined;
    const isGoingOn = name !== undefined && talkOf(name).turns.value.length > 0;
    if (!isGoingOn) void load();
    else if (!read.value) read.value = toBegun(id, name);
  }, [id, talk?.changes.value]);
  const title = read.value?.chat.title ?? "";
  useTitle(page, title === "" ? texts.chat.title : toVisibleText(title));
  useBottom([turns, read.value]);
  const last = turns.at(-1);
  const isRunning = last !== undefined && isUnderWay(last);
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning && last) page.said.value = texts.chat.states[last.state];
    wasRunning.current = isRunning;
  }, [isRunning]);
  const left = talk?.left.value ?? "";
  const { older } = read.value ?? {};
  return (
    <div class="inbox conversation">
      <Link page={page} to={{ page: "chat" }}>
        {texts.chat.all}
      </Link>
      <h1>{title === "" ? texts.chat.title : toVisibleText(title)}</h1>
      {failure.value !== "" && <p>{toVisibleText(failure.value)}</p>}
      {!read.value && failure.value === "" && <p class="waiting">{texts.loading}</p>}
      {older !== undefined && (
        <button type="button" class="act other" onClick={() => void load(older)}>
          {texts.chat.olderMessages}
        </button>
      )}
      <div class="log" role="log" aria-live="off" aria-label={texts.chat.log} tabIndex={0}>
        <Messages texts={texts} messages={read.value?.messages ?? []} />
        {turns.map((turn) => (
          <TurnView key={turn.key} texts={texts} turn={turn} />
        ))}
        {left !== "" && <p class="turn-state lost">{texts.chat.left[left]}</p>}
      </div>
      <Questions page={page} id={id} />
      {read.value && !talk && <p class="quiet">{texts.chat.elsewhere}</p>}
      {talk && (
        <Composer
          page={page}
          draft={talk.draft}
          onSend={(text) => void talk.send(text)}
          onStop={isRunning ? () => talk.stop() : undefined}
        />
      )}
    </div>
  );
}

/** One that was begun on this page: nothing of it is from before. */
function toBegun(id: string, sendAs: string): ChatPage {
  const chat = { id, channel: "http", title: "", at: 0, workspace: undefined, sendAs };
  return { chat, messages: [], older: undefined };
}

function useTitle(page: Page, title: string): void {
  useEffect(() => {
    document.title = `${title} · papa-yu`;
  }, [title]);
  useCommands("list", {
    inbox: () => page.go({ page: "inbox" }),
    help: () => (page.isHelpOpen.value = true),
  });
}

/** Who reads the end stays there; who has gone up is left alone. */
function useBottom(shown: readonly unknown[]): void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const main = document.getElementById("content");
    const look = () => {
      if (main) isAtEnd.current = main.scrollHeight - main.scrollTop - main.clientHeight < 80;
    };
    main?.addEventListener("scroll", look, { passive: true });
    return () => main?.removeEventListener("scroll", look);
  }, []);
  useLayoutEffect(() => {
    const main = document.getElementById("content");
    if (main && isAtEnd.current) main.scrollTop = main.scrollHeight;
  }, [...shown]);
}
