export { createForgetTool } from "./forget.ts";
export { createRecallTool } from "./recall.ts";
export { createRememberTool } from "./remember.ts";
