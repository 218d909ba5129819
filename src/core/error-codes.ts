/**
 * Every error code a user or a program can meet, with the moment it is used.
 *
 * `docs/errors.md` has one section for each; a test compares both ways.
 */
export const ERROR_CODES = {
  // Usage and configuration
  ERR_USAGE: "the command line is not understood",
  ERR_CONFIG_PARSE: "the configuration file is not valid TOML or cannot be read",
  ERR_CONFIG_INVALID: "a configuration key is unknown, of a wrong type or out of what is allowed",
  ERR_SECRET_UNAVAILABLE:
    "a secret named by env: or file: is missing or its file is readable by others",
  ERR_WORKSPACE_UNKNOWN: "the workspace is neither configured nor an existing folder",

  // Daemon
  ERR_HOME_UNSAFE: "the daemon's folder belongs to somebody else, or others can write it",
  ERR_DAEMON_RUNNING: "a daemon already holds this home folder",
  ERR_DAEMON_NOT_RUNNING: "no daemon answers on the socket",
  ERR_CONSOLE: "the web console cannot be opened, or knows no such browser",
  ERR_SOCKET_PROTOCOL: "a line on the local socket is malformed or too long",
  ERR_STORE: "the SQLite database cannot be opened, read or written",
  ERR_STORE_GONE: "the database is missing or empty, though one was there before",
  ERR_STORE_DAMAGED: "the database is damaged, or something else is in its place",
  ERR_STORE_COPY: "no copy of the database could be made",
  ERR_STORE_REPAIR: "the database cannot be repaired now",
  ERR_INTERNAL: "a defect in papa-yu itself",
  ERR_CANCELLED: "the user cancelled the work",
  ERR_INTERRUPTED: "papa-yu ended, in order or not, before the work did",

  // Model answers
  LLM_REQUEST: "the provider could not be reached or refused the request",
  LLM_REQUEST_TIMEOUT: "the provider did not answer in time",
  LLM_ANSWER_CUT: "the answer became as long as it may be before it was whole",
  LLM_BUDGET: "a cap on tokens or cost is reached, so the model was not asked",
  ERR_PROVIDER_UNKNOWN: "default.provider names no configured provider",
  ERR_JSON_EXTRACT: "the answer holds no JSON",
  ERR_JSON_PARSE: "the answer holds JSON that does not parse",
  ERR_SCHEMA_VALIDATION: "the answer does not follow the protocol's schema",
  ERR_PLAN_HAS_ACTIONS: "a plan answered with actions; a plan only describes",
  NEEDS_ONLINE_RESEARCH: "the model cannot plan without facts from the web",
  ERR_APPLY_EMPTY_ACTIONS: "an apply answered without actions and without NO_CHANGES:",

  // Static rules of actions
  ERR_PATH_TOO_LONG: "a path is longer than 240 bytes",
  ERR_INVALID_PATH: "a path is empty, absolute, has control characters or leaves the workspace",
  ERR_TOO_MANY_ACTIONS: "more actions than the protocol or the workspace allows",
  ERR_CONTENT_REQUIRED: "an action that writes a file has no content",
  ERR_PSEUDO_BINARY: "content looks binary",
  ERR_CONTENT_TOO_LARGE: "all contents together are over 5 MiB",
  ERR_PATCH_REQUIRED: "PATCH_FILE has no patch",
  ERR_PATCH_NOT_UNIFIED: "the patch is no unified diff",
  ERR_BASE_SHA256_INVALID: "base_sha256 is not 64 lower-case hexadecimal digits",
  ERR_RANGE_INVALID: "start_line and end_line are not a range",
  ERR_ACTION_CONFLICT: "two actions touch the same path",
  ERR_PATCH_PATH_MISMATCH: "the patch's own header names another file",

  // Gates that read the disk
  ERR_PROTECTED_PATH: "the path is protected: secrets, keys, version control, lock files",
  ERR_UPDATE_WITHOUT_BASE: "an existing file is changed that the plan's context never showed",
  ERR_V2_UPDATE_EXISTING_FORBIDDEN: "UPDATE_FILE on an existing file; existing files are patched",
  ERR_CREATE_EXISTS: "CREATE_FILE on an existing file with other content",
  ERR_NOT_FOUND: "the path does not exist",
  ERR_NOT_EMPTY: "the directory is not empty",
  ERR_BASE_MISMATCH: "the file is gone or differs from the one the plan saw",
  ERR_EDIT_BASE_MISMATCH: "the file of an EDIT_FILE is gone or differs from the one the plan saw",
  ERR_NON_UTF8_FILE: "the file is not UTF-8 text",
  ERR_PATCH_APPLY_FAILED: "a hunk fits nowhere in the file",
  ERR_PATCH_AMBIGUOUS: "a hunk fits several places of the file",
  ERR_EDIT_NO_EDITS: "EDIT_FILE has no edits",
  ERR_EDIT_ANCHOR_NOT_FOUND: "the anchor of an edit is not in the file",
  ERR_EDIT_BEFORE_NOT_FOUND: "the text to replace is not at its anchor",
  ERR_EDIT_AMBIGUOUS: "the anchor or the text to replace is found several times",
  ERR_EDIT_APPLY_FAILED: "an edit is out of bounds",
  ERR_RANGE_OUT_OF_BOUNDS: "the line range lies outside the file",
  ERR_IO: "the disk refused a read or a write",

  // Change sets and transactions
  ERR_PLAN_UNKNOWN: "no plan has this id",
  ERR_CHANGE_SET_STALE: "a file changed since the change set was shown",
  ERR_WORKSPACE_BUSY: "another transaction is running in the workspace",
  ERR_SANDBOX: "a sandbox for checks is demanded and does not work",
  ERR_RECOVERY_CONFLICT: "a roll-back found a file that somebody else changed meanwhile",
  ERR_ROLLBACK_INCOMPLETE: "the machine refused a part of a roll-back; papayu recover goes on",
  ERR_ADOPT: "a transaction that this home did not make cannot be made its own",
  CONFIRM_REQUIRED: "an approval is needed and nobody can be asked",
  APPROVAL_REJECTED: "the person said no",
  APPROVAL_INVALID: "the approval is foreign, used, expired or outdated",
  AUTO_CHECK_FAILED_ROLLED_BACK: "a check failed; every file is as it was before the change",
  APPLY_FAILED_ROLLED_BACK: "a write failed during the apply; every file is back",
  PROTECTED_PATH: "a change touches a protected path",
  UNDO_NOTHING: "there is nothing to undo",
  REDO_NOTHING: "there is nothing to redo",
  UNDO_PRUNED: "what the change overwrote is not kept any more",
  UNDO_CONFLICT: "files were edited since and were left as they are",

  // Tools
  invalid_args: "a tool was called with arguments that do not follow its schema",
  not_found: "what a tool was asked for does not exist",
  unavailable: "a tool lacks something it needs: a key, a library, a permission",
  rate_limited: "a service asked to slow down",
  timeout: "a tool did not finish in time",
  denied: "policy or a person denied the call",
  too_large: "input or output over the limit",
  internal: "a tool failed in a way it does not know",

  // Agent
  tool_loop_limit: "a turn used all its tool iterations",
  tool_validation_error: "the model called a tool twice without what it needs",
  tool_execution_error: "every tool call of several rounds in a row failed",

  // Telegram
  ERR_TELEGRAM_TOKEN: "Telegram refused the bot token",
  ERR_TELEGRAM_CONFLICT: "another program polls with the same bot token",
  ERR_PAIRING_CODE: "nobody waits with this pairing code",
  ERR_PAIRING_LOCKED: "too many wrong pairing codes",

  // Routines
  ERR_ROUTINE_UNKNOWN: "no routine has this name",
  ERR_ROUTINE_INVALID: "a routine's schedule, timezone or workspace is not valid",
} as const satisfies Readonly<Record<string, string>>;

/** One of the codes of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** How a call of a tool can fail. */
export type ToolFailureCode = Extract<
  ErrorCode,
  | "invalid_args"
  | "not_found"
  | "unavailable"
  | "rate_limited"
  | "timeout"
  | "denied"
  | "too_large"
  | "internal"
>;
