import { type Language, languageOf } from "../../core/language.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ArgumentContext, Completion, ToolArguments } from "../tool.ts";
import { isAboutDining } from "./dining-intent.ts";
import type { Geocode } from "./geocoder.ts";
import { findDestination } from "./trip-context.ts";

/** For all look-ups of one completion. */
const TIMEOUT_MS = 10_000;
const MAX_PLACE_CHARS = 80;
const MAX_PLACE_WORDS = 6;

/**
 * A location that the map knows: the model's, else the trip's, else what the user just said;
 * else a question. Where the geocoder is unreachable the first of them is used, and the run says
 * what is wrong.
 */
export async function completeLocation(
  args: ToolArguments,
  { userTexts }: ArgumentContext,
  { workspace, geocode }: { readonly workspace: Workspace; readonly geocode: Geocode },
): Promise<Completion> {
  const [reply = ""] = userTexts;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const given = typeof args["location"] === "string" ? args["location"].trim() : "";
  const sources = [
    async () => given,
    () => findDestination(workspace),
    async () => (looksLikePlace(reply) ? reply.trim() : ""),
  ];
  for (const source of sources) {
    const location = await source();
    if (!location) continue;
    const found = await geocode(location, signal);
    if (!found.ok || found.point) return { kind: "complete", args: { ...args, location } };
  }
  return { kind: "ask", question: toQuestion(languageOf(reply), given) };
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
