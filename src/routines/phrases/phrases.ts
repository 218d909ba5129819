export { buildCron } from "./build-cron.ts";
export { CHINESE } from "./chinese.ts";
export { ENGLISH } from "./english.ts";
export { RUSSIAN } from "./russian.ts";
export { type Rule, tokenize } from "./token.ts";
