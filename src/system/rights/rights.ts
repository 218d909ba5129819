export { type AccessLists, openAccessLists, withoutList } from "./access-lists.ts";
export { type NameExchange, openNameExchange } from "./exchange-names.ts";
export {
  FOLDER_RIGHTS,
  openWithOwnRights,
  READING_RIGHT,
  withOwnRights,
} from "./with-own-rights.ts";
