import { misuse, refuse } from "../refuse.ts";
import type { PastFacts, PastPage } from "./facts.ts";
import { decodePart, MOST_ON_PAGE, sendFound, sendImage, toLimit, toSide } from "./found.ts";

const NAME = "([^/]{1,256})";
const ONE = new RegExp(`^/api/workspaces/${NAME}$`, "u");
const TX = new RegExp(
  `^/api/workspaces/${NAME}/transactions/(tx_\\w{1,64})(?:/files/(\\d{1,6})(?:/(before|after))?)?$`,
  "u",
);
const BACK = new RegExp(`^/api/workspaces/${NAME}/(undo|redo)$`, "u");
const BACK_FILE = new RegExp(
  `^/api/workspaces/${NAME}/(undo|redo)/(\\w{1,64})/files/(\\d{1,6})(?:/(before|after))?$`,
  "u",
);

/** Workspaces and their past; undefined: the path asks for nothing of them. */
export async function readPast(
  facts: PastFacts,
  path: string,
  query: URLSearchParams,
): Promise<Response | undefined> {
  if (path === "/api/workspaces") return send({ workspaces: facts.list() });
  const [, one] = ONE.exec(path) ?? [];
  if (one !== undefined) {
    const page = toPage(query);
    if (!page)
      return misuse(400, `"before" is the id of a transaction, "limit" 1 to ${MOST_ON_PAGE}`);
    return send(await facts.read(decodePart(one), page));
  }
  const [, of, txId, n, side] = TX.exec(path) ?? [];
  if (of !== undefined && txId !== undefined) {
    const name = decodePart(of);
    if (side) return sendImage(facts.transactionImage(name, txId, Number(n), toSide(side)));
    return send(
      n === undefined
        ? facts.transaction(name, txId)
        : facts.transactionFile(name, txId, Number(n)),
    );
  }
  const [, back, kind] = BACK.exec(path) ?? [];
  if (back !== undefined) return send(facts.takeBack(decodePart(back), toKind(kind)));
  const [, fileOf, how, digest = "", at, seen] = BACK_FILE.exec(path) ?? [];
  if (fileOf === undefined) return undefined;
  const asked = [decodePart(fileOf), toKind(how), digest, Number(at)] as const;
  if (seen) {
    const image = facts.takeBackImage(...asked, toSide(seen));
    return image === "other files" ? refuse(409, (say) => say.filesChanged) : sendImage(image);
  }
  const file = facts.takeBackFile(...asked);
  return file === "other files" ? refuse(409, (say) => say.filesChanged) : send(file);
}

function toKind(kind: string | undefined): "undo" | "redo" {
  return kind === "redo" ? "redo" : "undo";
}

function send(found: Readonly<Record<string, unknown>> | undefined): Response {
  if (!found) return refuse(404, (say) => say.noTransaction);
  return sendFound(found);
}

function toPage(query: URLSearchParams): PastPage | undefined {
  const before = query.get("before") ?? undefined;
  const limit = toLimit(query);
  if (before !== undefined && !/^tx_\w{1,64}$/u.test(before)) return undefined;
  return limit === undefined ? undefined : { before, limit };
}
