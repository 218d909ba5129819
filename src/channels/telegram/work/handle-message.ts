import { shorten } from "../../../core/cut-text.ts";
import { toVisibleText } from "../../../core/visible-text.ts";
import { toAttached } from "../../../security/untrusted.ts";
import type { InboxRow } from "../../../store/chats/chats.ts";
import { type Captioned, MAX_FILE_BYTES, type SaveFile, takesNoFiles } from "../../channel.ts";
import { type Reader, readerIn, toFailureText } from "../../failure-lines.ts";
import { type BotSignal, toBotSignal } from "../bot-signal.ts";
import { albumRows, routeUpdate, type Spoken, toSessionId } from "../intake/intake.ts";
import { escapeHtml, textMessage } from "../message/message.ts";
import { parseStored } from "../receive/receive.ts";
import { type FetchedFile, fetchFile, untilWhole } from "./fetch-file.ts";
import { heardBefore, keepHeard } from "./heard.ts";
import type { UpdateContext } from "./update-context.ts";

/** What a person said, in words that the agent can work with. */
export interface HandledMessage {
  /** Undefined: there is nothing to work on; `answer` says why. */
  readonly said?: string | Captioned;
  /** Shown to the person before anything else. */
  readonly answer?: string;
  /** Other rows that are handled together with this one. */
  readonly others: readonly number[];
}

/** Files of one album come one by one, all within a moment. */
const ALBUM_MS = 1500;
const MAX_VOICE_S = 600;
const MAX_QUOTED_CHARS = 100;

/**
 * Turns a message into words: files are saved first and named below them, voice is written down.
 * A cancel of the session ends that, too.
 */
export async function handleMessage(
  spoken: Spoken,
  row: InboxRow,
  context: FileContext & Pick<UpdateContext, "storage" | "downloads">,
): Promise<HandledMessage> {
  if (spoken.kind === "text") return { said: spoken.text, others: [] };
  const { bot, downloads, wording } = context;
  const audience = bot.audience();
  const sessionId = toSessionId(spoken.place, audience);
  const [owner] = audience.allowedUserIds;
  const reader = readerIn(sessionId, spoken.userId === owner);
  const cancel = new AbortController();
  downloads.set(sessionId, cancel);
  const files = spoken.kind === "file" ? await collectAlbum(spoken, row, context) : [];
  const others = files.map(({ updateId }) => updateId).filter((id) => id !== row.updateId);
  try {
    const signal = toBotSignal(AbortSignal.any([bot.signal, cancel.signal]));
    const handled =
      spoken.kind === "file"
        ? await handleFiles(files, { sessionId, reader }, context, signal)
        : await handleVoice({ ...spoken, reader }, row, context, signal);
    signal.throwIfAborted();
    return { ...handled, others };
  } catch (error) {
    if (!cancel.signal.aborted || bot.signal.aborted) throw error;
    return { answer: wording.texts().agent.cancelled, others };
  } finally {
    downloads.delete(sessionId);
  }
}

/** What files are fetched, kept and answered with. */
type FileContext = Pick<UpdateContext, "bot" | "agent" | "outgoing" | "wording" | "clock" | "log">;
type SentFile = Extract<Spoken, { readonly kind: "file" }>;
/** Who sent something, and reads what became of it. */
interface Sender {
  readonly sessionId: string;
  readonly reader: Reader;
}
type SentVoice = Extract<Spoken, { readonly kind: "voice" }> & Pick<Sender, "reader">;
interface AlbumFile {
  readonly updateId: number;
  readonly sent: SentFile;
}

async function handleFiles(
  files: readonly AlbumFile[],
  { sessionId, reader }: Sender,
  context: FileContext,
  signal: BotSignal,
): Promise<Omit<HandledMessage, "others">> {
  const captions = files.map(({ sent }) => sent.text).filter((text) => text !== "");
  const command = captions.find(takesNoFiles);
  if (command !== undefined) {
    const names = files.map(({ sent }) => `"${toVisibleText(sent.file.name)}"`);
    const unread = captions.filter((text) => text !== command);
    return { said: command, answer: tellLeftOut(names, unread, context) };
  }
  const texts = context.wording.texts();
  const saved: string[] = [];
  const refused: string[] = [];
  for (const { sent } of files) {
    const result = await saveFile(sent.file, sessionId, context, signal);
    if (result.ok) saved.push(result.path);
    else refused.push(toFailureText(result, texts, reader));
  }
  const { telegram, joins } = texts;
  const savedAs = saved.length > 0 ? [`${telegram.saved} ${joins.list(saved)}`] : [];
  // A request about a file that is not there is not worked on.
  if (captions.length === 0 || refused.length > 0) {
    return { answer: [...savedAs, ...refused].join("\n") };
  }
  return { said: { words: captions.join("\n"), attached: toAttached(saved) } };
}

/** Reported before the answer to the command: whoever sent a file there may want to keep it. */
function tellLeftOut(
  names: readonly string[],
  captions: readonly string[],
  { wording }: Pick<FileContext, "wording">,
): string {
  const { besideCommand, joins } = wording.texts();
  const starts = captions.map((text) => `"${shorten(toVisibleText(text), MAX_QUOTED_CHARS)}"`);
  const unread = starts.length > 0 ? [besideCommand.captions(joins.list(starts))] : [];
  return `${[besideCommand.files(joins.list(names)), ...unread].join("\n")}\n\n`;
}

/** The files that were sent together, as far as they have come; from here on they are one work. */
async function collectAlbum(
  first: SentFile,
  row: InboxRow,
  { bot, storage: { inbox, commit }, clock }: Pick<UpdateContext, "bot" | "storage" | "clock">,
): Promise<readonly AlbumFile[]> {
  if (first.albumId === undefined) return [{ updateId: row.updateId, sent: first }];
  await clock.sleep(ALBUM_MS, bot.signal);
  const collect = () => {
    const files = findAlbum(row, inbox.waitingTurns(row.sessionId), bot);
    const others = files.map(({ updateId }) => updateId).filter((id) => id !== row.updateId);
    inbox.joinTry(row.updateId, others);
    return files;
  };
  return await commit(collect, { isSynced: false, signal: bot.signal });
}

function findAlbum(
  { updateJson }: InboxRow,
  waiting: readonly InboxRow[],
  { audience }: UpdateContext["bot"],
): readonly AlbumFile[] {
  const message = parseStored(updateJson)?.message;
  return albumRows(message, waiting).flatMap(({ row: { updateId }, update }) => {
    const sent = routeUpdate(update, audience());
    return sent.kind === "file" ? [{ updateId, sent }] : [];
  });
}

async function saveFile(
  file: SentFile["file"],
  sessionId: string,
  context: FileContext,
  signal: BotSignal,
): ReturnType<SaveFile> {
  const { bot, agent, wording } = context;
  const { name, sizeBytes = 0 } = file;
  const refuse = (reason: string) => ({
    ok: false as const,
    message: `"${toVisibleText(name)}": ${reason}`,
  });
  const { tooLarge, incomplete } = wording.texts().telegram;
  if (sizeBytes > MAX_FILE_BYTES) return refuse(tooLarge);
  const save = async () => {
    const fetched = await fetchFile(file, bot, signal);
    if (!fetched.ok) return refuse(toNotGiven(fetched, wording));
    return agent.saveFile(sessionId, { name, chunks: fetched.chunks }, MAX_FILE_BYTES);
  };
  return (await untilWhole(save, context, signal)) ?? refuse(incomplete);
}

/** What is heard is paid for, and shown, once: a later try finds it with the row. */
async function handleVoice(
  voice: SentVoice,
  row: InboxRow,
  context: FileContext & Pick<UpdateContext, "storage">,
  signal: BotSignal,
): Promise<Omit<HandledMessage, "others">> {
  const { bot, outgoing, wording } = context;
  if (takesNoFiles(voice.text)) {
    return { said: voice.text, answer: tellLeftOut(["🎤"], [], context) };
  }
  let heard = heardBefore(row);
  if (heard === undefined) {
    const listened = await listen(voice, context, signal);
    if (!listened.ok) return { answer: listened.answer };
    heard = listened.text;
    // Shown before it is acted on, so that what was misheard can be stopped.
    const echo = textMessage(`🎤 ${escapeHtml(wording.redact(heard))}`);
    const name = `${bot.audience().botId}:${row.updateId}:heard`;
    const show = () => outgoing.post(voice.place, echo, name);
    await keepHeard(row, heard, context, heard === "" ? () => {} : show);
  }
  if (heard === "") return { answer: wording.texts().telegram.nothingHeard };
  return { said: voice.text === "" ? heard : `${voice.text}\n\n${heard}` };
}

/** The words of a recording, or why there are none. */
async function listen(
  voice: SentVoice,
  context: FileContext,
  signal: BotSignal,
): Promise<
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly answer: string }
> {
  const { bot, agent, wording } = context;
  const { transcribe } = agent;
  const texts = wording.texts().telegram;
  const refuse = (answer: string) => ({ ok: false, answer }) as const;
  if (!transcribe) return refuse(texts.voiceOff);
  if ((voice.sizeBytes ?? 0) > MAX_FILE_BYTES || voice.durationS > MAX_VOICE_S) {
    return refuse(texts.voiceTooLong);
  }
  const fetchWhole = async () => {
    const fetched = await fetchFile(voice, bot, signal);
    return fetched.ok ? { ok: true as const, audio: await readWhole(fetched.chunks) } : fetched;
  };
  const fetched = await untilWhole(fetchWhole, context, signal);
  if (!fetched) return refuse(texts.incomplete);
  if (!fetched.ok) return refuse(toNotGiven(fetched, wording));
  const { audio } = fetched;
  if (audio === undefined) return refuse(texts.voiceTooLong);
  const { durationS } = voice;
  const recording = { audio, durationS, sessionId: toSessionId(voice.place, bot.audience()) };
  const result = await transcribe(recording, signal);
  return result.ok ? result : refuse(toFailureText(result, wording.texts(), voice.reader));
}

/** In the person's language first; Telegram's own words are English. */
function toNotGiven(
  { reason }: Extract<FetchedFile, { readonly ok: false }>,
  wording: FileContext["wording"],
): string {
  const { notGiven } = wording.texts().telegram;
  return reason === undefined ? notGiven : `${notGiven} (${reason})`;
}

async function readWhole(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of chunks) {
    sizeBytes += part.length;
    if (sizeBytes > MAX_FILE_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
