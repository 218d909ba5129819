export { REVISING_EN } from "./revising-en.ts";
export { REVISING_RU } from "./revising-ru.ts";
export { REVISING_ZH } from "./revising-zh.ts";
