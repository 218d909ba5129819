export { type ChangedKey, changedKeys } from "./changed-keys.ts";
export { isGateKey, isPersonsKey } from "./guarded-keys.ts";
export { type ConfigKey, locateKey, parseKey, WHOLE_CONFIG } from "./key.ts";
export { maskConfig } from "./mask-config.ts";
