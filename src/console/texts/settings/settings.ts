export { CARE_EN } from "./care-en.ts";
export { CARE_RU } from "./care-ru.ts";
export { CARE_ZH } from "./care-zh.ts";
export { SETTINGS_EN } from "./settings-en.ts";
export { SETTINGS_RU } from "./settings-ru.ts";
export { SETTINGS_ZH } from "./settings-zh.ts";
