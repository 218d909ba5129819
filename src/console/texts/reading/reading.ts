export { HELP_EN, LINE_EN } from "./reading-en.ts";
export { HELP_RU, LINE_RU } from "./reading-ru.ts";
export { HELP_ZH, LINE_ZH } from "./reading-zh.ts";
