import { parseDraft, parseSeen, parseUnticked, sayTooMuch } from "../parse-revision.ts";
import { misread, refuse } from "../refuse.ts";
import type { PersonFacts } from "./facts.ts";
import { sendImage, toSide } from "./found.ts";

/** What is asked for of a change set. */
interface AskedChangeSet {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: () => Promise<string | Response>;
}

type Facts = Pick<PersonFacts, "review" | "file" | "image" | "draft" | "untick" | "see">;

const CHANGE_SET = /^\/api\/change-sets\/(\w{1,64})(?:\/files\/(\d{1,6}))?$/;
const IMAGE = /^\/api\/change-sets\/(\w{1,64})\/files\/(\d{1,6})\/(before|after)$/;
const SAID = /^\/api\/change-sets\/(\w{1,64})\/(draft|unticked|seen)$/;

/** Change sets that were asked about, and what is said of them; undefined: the path asks for none. */
export async function answerChangeSets(
  facts: Facts,
  { method, path, query, body }: AskedChangeSet,
): Promise<Response | undefined> {
  if (method === "GET") {
    const [, of, number, side] = IMAGE.exec(path) ?? [];
    if (of !== undefined) return sendImage(await facts.image(of, Number(number), toSide(side)));
    const [, id, n] = CHANGE_SET.exec(path) ?? [];
    const isRenamed = query.get("renamed") === "true";
    return id === undefined ? undefined : read(facts, id, n, isRenamed);
  }
  const [, id, what] = SAID.exec(path) ?? [];
  if (method !== "POST" || id === undefined) return undefined;
  const said = await body();
  if (typeof said !== "string") return said;
  if (what === "unticked") return untick(facts, id, said);
  return what === "seen" ? see(facts, id, said) : draft(facts, id, said);
}

async function read(
  facts: Facts,
  id: string,
  n: string | undefined,
  isRenamed: boolean,
): Promise<Response> {
  const found =
    n === undefined ? await facts.review(id) : await facts.file(id, Number(n), isRenamed);
  if (!found) return refuse(404, (say) => say.noChangeSet);
  return Response.json({ ok: true, ...found }, NOT_KEPT);
}

async function draft(facts: Facts, id: string, text: string): Promise<Response> {
  const parsed = parseDraft(text);
  if (!parsed.ok) return misread(parsed);
  const { path = "", line = 1, to = line } = parsed.said;
  const drafted = await facts.draft(id, parsed.said);
  switch (drafted.kind) {
    case "kept":
      return Response.json({ ok: true }, NOT_KEPT);
    case "not kept":
      return refuse(409, (say) => say.notDrafted);
    case "too much":
      return refuse(409, sayTooMuch);
    case "several files":
      return refuse(409, (say) => say.severalFiles(path));
    case "no file":
      return refuse(400, (say) => say.noFileToSay(path));
    case "no line": {
      const { lines } = drafted;
      if (lines === 0) return refuse(400, (say) => say.noLinesToSay(path));
      return refuse(400, (say) => say.noLineToSay(path, line, to, lines));
    }
    default:
      return drafted satisfies never;
  }
}

async function untick(facts: Facts, id: string, text: string): Promise<Response> {
  const parsed = parseUnticked(text);
  if (!parsed.ok) return misread(parsed);
  return answerMarked(await facts.untick(id, parsed.parts));
}

async function see(facts: Facts, id: string, text: string): Promise<Response> {
  const parsed = parseSeen(text);
  if (!parsed.ok) return misread(parsed);
  return answerMarked(await facts.see(id, parsed.path, parsed.isSeen));
}

function answerMarked(marked: Awaited<ReturnType<PersonFacts["see"]>>): Response {
  if (marked.kind === "kept") return Response.json({ ok: true }, NOT_KEPT);
  if (marked.kind === "not kept") return refuse(409, (say) => say.notSeen);
  return refuse(409, (say) => say.severalFiles(marked.path));
}

const NOT_KEPT = { headers: { "cache-control": "no-store" } };
