export { createListFilesTool } from "./list-files.ts";
export { createReadFileTool } from "./read-file.ts";
export { createSearchFilesTool } from "./search-files.ts";
export { createSendFileTool, type FileWay, MAX_SENT_BYTES } from "./send-file.ts";
