import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { countsPress, Link } from "../../acts/acts.tsx";
import { useCommands } from "../../commands/commands.ts";
import { type Lazy, type Page, type Unfolding, useTitle, type View } from "../../page/page.ts";
import { wordFor } from "../../texts/texts.ts";
import { openKeeper } from "../../theme.ts";
import { type Beginnings, createBeginnings, isLeft } from "./beginnings.ts";
import { Composer } from "./composer.tsx";
import { Messages, TurnView } from "./messages.tsx";
import { Question, type Stream } from "./questions.tsx";
import { createTalk, type Talk } from "./talk.ts";
import { isUnderWay, type Piece } from "./turn.ts";
import { useChats } from "./use-chats.ts";

/** Conversations that this page has shown, as long as the window is open. */
export function openChat(page: Page, unfolding: Lazy<Unfolding>) {
  const talks = new Map<string, Talk>();
  const beginnings = createBeginnings();
  page.unkept.watch(() => beginnings.isLeft() || [...talks.values()].some((talk) => isLeft(talk)));
  const talkOf: TalkOf = (id, isNew = false) =>
    orMake(talks, id, () => createTalk(page, id, openKeeper("sessionStorage"), isNew));
  return {
    ChatPage({ session, workspace = "" }: Asked) {
      // What is looked at may be gone on with there, and so is no new one any more.
      if (session !== undefined) beginnings.taken(session);
      return session === undefined ? (
        <Chats
          key={workspace}
          page={page}
          talkOf={talkOf}
          // Where it cannot be about its workspace it is no conversation, and has no words.
          forget={(id) => void talks.delete(id)}
          workspace={workspace}
          beginnings={beginnings}
        />
      ) : (
        <Conversation key={session} page={page} talk={talkOf(session)} unfolding={unfolding} />
      );
    },
  };
}

/** What of the address a conversation is. */
interface Asked {
  readonly session: string | undefined;
  /** What a new one is to be about. */
  readonly workspace: string | undefined;
}

/** Maps of older browsers cannot do it themselves. */
function orMake<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

type TalkOf = (id: string, isNew?: boolean) => Talk;

/** All conversations, and a new one. */
function Chats(props: {
  readonly page: Page;
  readonly talkOf: TalkOf;
  readonly forget: (id: string) => void;
  readonly workspace: string;
  readonly beginnings: Beginnings;
}) {
  const { page, talkOf, forget, workspace: about, beginnings } = props;
  const draft = beginnings.of(about);
  const { chat: texts, loading, language } = page.texts.value;
  const { chats, older, failure, readOlder } = useChats(page);
  useTitle(page.view, texts.title);
  useKeys(page);
  const time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const { isUnderWay: isBeginning, refused } = draft;
  /** Whoever came back meanwhile is as much there as who has stayed. */
  const isHere = () => {
    const at = page.nav.route.value;
    return at.page === "chat" && at.session === undefined && (at.workspace ?? "") === about;
  };
  const begin = async (text: string) => {
    // Its name is made when something is to be said in it.
    const id = draft.session ?? `http:console-${crypto.randomUUID()}`;
    const talk = talkOf(id, true);
    let words = text;
    if (about !== "" && draft.session === undefined) {
      // The words stay where they are seen until they can be about the right folder.
      draft.draft.value = text;
      isBeginning.value = true;
      refused.value = undefined;
      const why = await talk.send(`/ws ${about}`, []);
      // Where its answer broke off, and it had arrived all the same, it is about that workspace now.
      const isThere = talk.left.value === "over" && talk.kept.value?.chat.workspace === about;
      refused.value = isThere ? undefined : why;
      isBeginning.value = false;
      if (refused.value !== undefined) return forget(id);
      draft.session = id;
      // Who went elsewhere is not fetched back: the words wait where they were written.
      if (!isHere()) return;
      // As they stand by now: somebody may have gone on typing.
      words = draft.draft.value.trim() === "" ? text : draft.draft.value;
    }
    page.nav.go({ page: "chat", session: id });
    talk.files.value = draft.files.value;
    beginnings.clear(about);
    await talk.send(words, []);
  };
  return (
    <div class="inbox chats">
      <h1>{texts.title}</h1>
      <h2>{about === "" ? texts.begin : texts.beginIn(toVisibleText(about))}</h2>
      <Composer
        page={page}
        talk={draft}
        onSend={(text) => void begin(text)}
        onStop={undefined}
        isHeld={isBeginning.value}
        hint={texts.keys}
      />
      {refused.value !== undefined && (
        <p role="alert">{toVisibleText(refused.value || texts.left.back)}</p>
      )}
      <h2>{texts.all}</h2>
      {failure.value !== "" && <p>{toVisibleText(failure.value)}</p>}
      {!chats.value && failure.value === "" && <p class="waiting">{loading}</p>}
      {chats.value?.length === 0 && <p class="quiet">{texts.none}</p>}
      <ul class="items">
        {chats.value?.map(({ id, title, channel, at, workspace }) => (
          <li key={id} class="item">
            <Link nav={page.nav} to={{ page: "chat", session: id }} class="item-title">
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
        <button type="button" class="act other" onClick={() => void readOlder()}>
          {texts.older}
        </button>
      )}
    </div>
  );
}

/** One conversation: what is kept of it, what is worked on, and what goes on. */
function Conversation(props: {
  readonly page: Page;
  readonly talk: Talk;
  readonly unfolding: Lazy<Unfolding>;
}) {
  const { page, talk, unfolding } = props;
  const { id } = talk;
  const texts = page.texts.value;
  const read = talk.kept.value;
  const onScreen = useRef<Stream["onScreen"]>(new Map()).current;
  useEffect(() => talk.look(), [talk]);
  const waiting = (page.feed.inbox.value?.items ?? []).filter(
    ({ session_id }) => session_id === id,
  );
  const questions = waiting.map(({ ref }) => ref).join();
  useEffect(() => void talk.refresh(), [questions]);
  const { title = "", maySend = false } = read?.chat ?? {};
  const name = title === "" ? texts.chat.title : toVisibleText(title);
  useTitle(page.view, name);
  useKeys(page);
  const [turns, others, messages] = [talk.turns.value, talk.others.value, read?.messages ?? []];
  const asked = new Set([...turns, ...others].flatMap(({ pieces }) => pieces.map(refOf)));
  for (const { ref } of messages) asked.add(ref);
  const elsewhere = waiting.filter(({ ref }) => !asked.has(ref));
  const moved = useMoved(page.view);
  useBottom([turns, others, read, waiting.length], moved);
  const last = turns.at(-1);
  const isRunning = last !== undefined && isUnderWay(last);
  const ended = talk.ended.value;
  useEffect(() => {
    if (ended) page.view.said.value = texts.chat.states[ended];
  }, [ended]);
  const left = talk.left.value;
  const stream = { page, id, unfolding, onScreen };
  const send = (text: string) => {
    const now = performance.now();
    const seen = [...onScreen.values()].filter(({ since }) => countsPress(now, since));
    void talk.send(
      text,
      seen.map(({ shown }) => shown),
    );
  };
  return (
    <div class="inbox conversation">
      <Link nav={page.nav} to={{ page: "chat" }}>
        {texts.chat.all}
      </Link>
      <h1>{name}</h1>
      {talk.failure.value !== "" && <p role="alert">{toVisibleText(talk.failure.value)}</p>}
      {!read && talk.failure.value === "" && <p class="waiting">{texts.loading}</p>}
      {read?.older !== undefined && (
        <button type="button" class="act other" onClick={() => void talk.loadOlder()}>
          {texts.chat.olderMessages}
        </button>
      )}
      <div class="stream" role="log" aria-live="off" aria-label={texts.chat.log} tabIndex={0}>
        <Messages stream={stream} messages={messages} />
        {[...others, ...turns].map((turn) => (
          <TurnView key={turn.key} stream={stream} turn={turn} />
        ))}
        {elsewhere.map(({ ref }) => (
          <Question key={ref} stream={stream} about={ref} />
        ))}
        {ended && last === undefined && (
          <p class={`turn-state ${ended}`}>{texts.chat.states[ended]}</p>
        )}
        {left !== "" && <p class="turn-state lost">{texts.chat.left[left]}</p>}
        {talk.saved.value.length > 0 && (
          <p class="turn-state" role="status">
            {texts.chat.saved} {toVisibleText(talk.saved.value.join(", "))}
          </p>
        )}
      </div>
      {read && !maySend && <p class="quiet">{texts.chat.elsewhere}</p>}
      {maySend && (
        <Composer
          page={page}
          talk={talk}
          onSend={send}
          onStop={isRunning || others.some(isUnderWay) ? () => talk.stop() : undefined}
          isHeld={isRunning}
          hint={isRunning && id.startsWith("http:") ? texts.chat.whileRunning : texts.chat.keys}
        />
      )}
    </div>
  );
}

function refOf(piece: Piece): string | undefined {
  return piece.kind === "asked" ? piece.ref : undefined;
}

/** Says that what can be pressed lies elsewhere now than a moment ago: no press counts for a moment. */
function useMoved(view: View): () => void {
  const places = useRef("");
  const moved = () => {
    const all = document.querySelectorAll<HTMLElement>(".stream .question");
    const main = document.getElementById("content");
    const found = Array.from(all, (each) => `${each.dataset["ref"]} ${each.offsetTop}`).join();
    if (found === places.current) return;
    places.current = found;
    if (main) view.movedAt.value = performance.now();
  };
  useLayoutEffect(moved);
  return () => (view.movedAt.value = performance.now());
}

function useKeys({ nav, view }: Pick<Page, "nav" | "view">): void {
  useCommands("list", {
    inbox: () => nav.go({ page: "inbox" }),
    help: () => (view.isHelpOpen.value = true),
  });
}

/** Who reads the end stays there; who has gone up is left alone. */
function useBottom(shown: readonly unknown[], moved: () => void): void {
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
    if (!main || !isAtEnd.current) return;
    const before = main.scrollTop;
    main.scrollTop = main.scrollHeight;
    // What is under the hand is another now.
    if (main.scrollTop !== before && document.querySelector(".stream .question")) moved();
  }, [...shown]);
}
