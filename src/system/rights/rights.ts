export { type AccessLists, openAccessLists, withoutList } from "./access-lists.ts";
export { openNameSwap } from "./swap-names.ts";
export {
  FOLDER_RIGHTS,
  openWithOwnRights,
  READING_RIGHT,
  withOwnRights,
} from "./with-own-rights.ts";
