export { type ChangedKey, changedKeys } from "./changed-keys.ts";
export {
  type ConfigKey,
  isFileKey,
  isGateKey,
  isPersonsKey,
  locateKey,
  parseKey,
  WHOLE_CONFIG,
} from "./key.ts";
export { maskConfig } from "./mask-config.ts";
