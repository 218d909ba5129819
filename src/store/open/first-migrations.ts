/** The oldest migrations, which `MIGRATIONS` begins with: none of them ever changes. */
export const FIRST_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE plans (
    plan_id TEXT PRIMARY KEY,
    workspace_root TEXT NOT NULL,
    workspace_name TEXT NOT NULL,
    goal TEXT NOT NULL,
    summary TEXT NOT NULL,
    protocol_version INTEGER NOT NULL,
    messages_json TEXT NOT NULL,      -- the conversation an apply continues
    files_json TEXT NOT NULL,         -- sha256 by path of every file the plan saw
    trace_id TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX plans_by_workspace ON plans (workspace_root, created_at);

  CREATE TABLE change_sets (
    plan_id TEXT PRIMARY KEY REFERENCES plans (plan_id) ON DELETE CASCADE,
    change_set_id TEXT NOT NULL,
    summary TEXT NOT NULL,
    actions_json TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE approvals (
    approval_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    plan_id TEXT NOT NULL,
    change_set_id TEXT NOT NULL,
    state TEXT NOT NULL,              -- waiting | approved | rejected | replaced
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX approvals_waiting ON approvals (session_id, state);

  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    workspace TEXT,                   -- selected workspace's name
    plan_id TEXT,                     -- the plan that "ok" applies
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    message_json TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX messages_by_session ON messages (session_id, id);

  CREATE TABLE inbox (
    bot_id INTEGER NOT NULL,
    update_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    lane TEXT NOT NULL,               -- turn | press | cancel: worked off one after another
    update_json TEXT NOT NULL,        -- empty once worked off
    state TEXT NOT NULL,              -- waiting | done | poison
    tries INTEGER NOT NULL DEFAULT 0,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (bot_id, update_id)
  ) STRICT;
  CREATE INDEX inbox_waiting ON inbox (state, lane, session_id);

  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    chat_id TEXT NOT NULL,
    method TEXT NOT NULL,             -- Bot API method, e.g. sendMessage
    payload_json TEXT NOT NULL,       -- empty once sent
    state TEXT NOT NULL,              -- waiting | sending | sent | failed
    in_doubt INTEGER NOT NULL DEFAULT 0, -- 1: an earlier try may have arrived
    tries INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    message_id INTEGER,
    error TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX outbox_waiting ON outbox (state, chat_id, id);

  CREATE TABLE routine_runs (
    routine TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    cause TEXT NOT NULL,              -- schedule | manual
    state TEXT NOT NULL,              -- due | running | ok | failed | skipped | missed | unknown
    delivery TEXT NOT NULL,           -- none | pending | queued | delivered | nobody | failed | unknown
    started_at INTEGER,
    finished_at INTEGER,
    lease_until INTEGER NOT NULL DEFAULT 0,
    output TEXT NOT NULL DEFAULT '',
    error TEXT,
    PRIMARY KEY (routine, due_at)
  ) STRICT;

  CREATE TABLE routine_watch (
    routine TEXT PRIMARY KEY,
    schedule TEXT NOT NULL,           -- with its timezone; a new one is watched from now on
    since INTEGER NOT NULL            -- nothing due before counts as missed
  ) STRICT;

  CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE plans ADD COLUMN whole_files_json TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE plans ADD COLUMN context_stats_json TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE change_sets ADD COLUMN attempts_json TEXT NOT NULL DEFAULT '[2]';
  ALTER TABLE change_sets ADD COLUMN whole_files_json TEXT NOT NULL DEFAULT '[]';

  CREATE TABLE search_cache (
    key TEXT PRIMARY KEY,             -- hash of service, limit and query
    hits_json TEXT NOT NULL,
    saved_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE online_chains (
    key TEXT PRIMARY KEY,             -- hash of workspace and goal
    claimed_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE researches (
    research_id TEXT PRIMARY KEY,
    workspace_root TEXT NOT NULL,
    user_id TEXT,
    goal TEXT NOT NULL,
    query TEXT NOT NULL,
    research_json TEXT NOT NULL,
    used INTEGER NOT NULL DEFAULT 0,  -- 1: given to a plan
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX researches_by_workspace ON researches (workspace_root);
  `,
  `
  -- Approvals of tool calls: "tool" is set, "plan_id" empty, and "change_set_id" the SHA-256 of
  -- the call. They can end in the states done and interrupted, too.
  ALTER TABLE approvals ADD COLUMN tool TEXT;
  ALTER TABLE approvals ADD COLUMN args_json TEXT;
  CREATE INDEX approvals_by_content ON approvals (session_id, change_set_id);
  `,
  `
  CREATE TABLE spending (
    day TEXT NOT NULL,                -- UTC, as 2026-05-17
    payer TEXT NOT NULL,              -- session id, routine:NAME, or empty
    tokens INTEGER NOT NULL,          -- with what is reserved for requests under way
    cost REAL NOT NULL,
    PRIMARY KEY (day, payer)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE summaries (
    session_id TEXT PRIMARY KEY,
    summary TEXT NOT NULL,
    up_to INTEGER NOT NULL            -- id of the newest message that it stands for
  ) STRICT;
  `,
  `
  CREATE TABLE memories (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    workspace_root TEXT NOT NULL,     -- empty: holds everywhere
    key TEXT NOT NULL,
    category TEXT NOT NULL,
    text TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    UNIQUE (user_id, workspace_root, key)
  ) STRICT;
  -- The words of memories as \`memory-words.ts\` cuts them; rowid is memories.id.
  CREATE VIRTUAL TABLE memory_words USING fts5 (words, tokenize = "ascii");
  `,
];
