import { type Language, languageOf } from "../../core/language.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ArgumentContext, Completion, ToolArguments } from "../tool.ts";
import { isAboutDining } from "./dining-intent.ts";
import type { Geocode } from "./geocoder.ts";
import { findTripPlaces, townOf } from "./trip-context.ts";

/** For all look-ups of one completion. */
const TIMEOUT_MS = 10_000;
const MAX_PLACE_CHARS = 80;
const MAX_PLACE_WORDS = 6;

/** Places that are looked up for one completion, a second apart. */
const MAX_CANDIDATES = 8;

/**
 * A location that the map knows: the model's, else the trip's destination, its stops one after the
 * other, else what the user just said, and of an address that is unknown its town; else a question.
 * Where it is not the model's, `instead_of` says whose place it takes. A service that fails is not
 * asked for the next one: the run says what is wrong.
 */
export async function completeLocation(
  args: ToolArguments,
  { userTexts }: ArgumentContext,
  { workspace, geocode }: { readonly workspace: Workspace; readonly geocode: Geocode },
  signal: AbortSignal,
): Promise<Completion> {
  const [reply = ""] = userTexts;
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const given = typeof args["location"] === "string" ? args["location"].trim() : "";
  for (const location of await findCandidates(workspace, given, reply)) {
    const found = await geocode(location, signal);
    const isOther = given !== "" && location !== given;
    const complete = { ...args, location, ...(isOther && { instead_of: given }) };
    if (!found.ok || found.point) return { kind: "complete", args: complete };
    if (limit.aborted || signal.aborted) break;
  }
  return { kind: "ask", question: toQuestion(languageOf(reply), given) };
}

async function findCandidates(
  workspace: Workspace,
  given: string,
  reply: string,
): Promise<readonly string[]> {
  const said = looksLikePlace(reply) ? [reply.trim()] : [];
  const places = [given, ...(await findTripPlaces(workspace)), ...said];
  const all = places.flatMap((place) => [place, townOf(place) ?? ""]).filter((each) => each !== "");
  const unique = new Map(all.map((place) => [place.toLowerCase(), place]));
  return [...unique.values()].slice(0, MAX_CANDIDATES);
}

/** Words of a request; who says only where says none of them. */
const REQUEST =
  /(?<!\p{L})(?:find|show|search|look|near|nearby|what|where|weather|recommend|suggest|please|yes|no|ok|okay|thanks|hi|hello|hotels?|sights?|things|places?|найди|покажи|поищи|ищи|где|что|какая|погода|посоветуй|рядом|пожалуйста|да|нет|ок|спасибо|привет|отели?|гостиниц\p{L}*|мест\p{L}*)(?!\p{L})|找|搜|查|推荐|推薦|附近|天气|天氣|酒店|景点|景點|你好|谢谢|什么|哪里|请|請/iu;

function looksLikePlace(text: string): boolean {
  const place = text.trim();
  const words = place.split(/\s+/u).length;
  const isShort = place.length <= MAX_PLACE_CHARS && words <= MAX_PLACE_WORDS;
  const isPlain = /\p{L}/u.test(place) && !/[?？\n/]/u.test(place);
  return isShort && isPlain && !REQUEST.test(place) && !isAboutDining(place);
}

function toQuestion(language: Language, unknown: string): string {
  switch (language) {
    case "ru":
      return unknown
        ? `Не нахожу на карте «${unknown}». Какой это город или район?`
        : "В каком городе или районе искать?";
    case "zh":
      return unknown
        ? `地图上找不到“${unknown}”。请问是哪个城市或地区？`
        : "请问要查哪个城市或地区？";
    case "en":
      return unknown
        ? `I cannot find "${unknown}" on the map. Which city or area is it?`
        : "Which city or area should I look in?";
    default:
      return language satisfies never;
  }
}
