/**
 * The database's shape, one entry per version; an entry never changes once released.
 * All instants are milliseconds since 1970, UTC; all `*_json` columns hold JSON text.
 */
export const MIGRATIONS: readonly string[] = [
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
  `
  -- Messages know their turn: one that a crash cut off goes on from there.
  ALTER TABLE messages ADD COLUMN turn_id TEXT;
  ALTER TABLE messages ADD COLUMN standing TEXT NOT NULL DEFAULT 'kept'; -- kept | failed | last
  CREATE INDEX messages_by_turn ON messages (turn_id) WHERE turn_id IS NOT NULL;
  -- Set for a call that the policy allows unasked: its row is there while it runs, "approved",
  -- and "interrupted" after a crash.
  ALTER TABLE approvals ADD COLUMN turn_id TEXT;
  `,
  `
  -- A message of an answer that is still being written: its text is replaced until it is whole.
  ALTER TABLE outbox ADD COLUMN turn TEXT;
  ALTER TABLE outbox ADD COLUMN part INTEGER;
  CREATE UNIQUE INDEX outbox_parts ON outbox (turn, part);
  `,
  `
  -- Strangers who wait to be let in, and those who were.
  CREATE TABLE pairing_codes (
    user_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,               -- as the stranger calls themselves
    code_hash BLOB NOT NULL,          -- SHA-256 of user id and code
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE pairing_tries (at INTEGER NOT NULL) STRICT; -- wrong codes
  CREATE TABLE paired_users (
    user_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    paired_at INTEGER NOT NULL
  ) STRICT;

  -- Which message an edit means, and whether it changes what was said.
  ALTER TABLE inbox ADD COLUMN message_id INTEGER;
  ALTER TABLE inbox ADD COLUMN said_sha256 TEXT;
  CREATE INDEX inbox_by_message ON inbox (session_id, message_id);
  `,
  `
  CREATE TABLE routines (
    name TEXT PRIMARY KEY,
    job_json TEXT NOT NULL,           -- as an entry of routines.jobs in config.toml
    created_at INTEGER NOT NULL
  ) STRICT;

  -- Switched by command, tool or after too many failures; wins over what the routine itself says.
  CREATE TABLE routine_switches (
    routine TEXT PRIMARY KEY,
    enabled INTEGER NOT NULL,
    reason TEXT,                      -- why papa-yu itself switched it off
    switched_at INTEGER NOT NULL      -- failures before do not count any more
  ) STRICT;

  CREATE INDEX routine_runs_open ON routine_runs (lease_until)
    WHERE state IN ('due', 'running');
  `,
  `
  -- Which process runs an approved call; one that is gone leaves it unfinished.
  ALTER TABLE approvals ADD COLUMN runner TEXT;
  `,
  `
  -- Transactions of workspaces as this home began and ended them: a journal that is not among
  -- them was written elsewhere. No row is ever removed, or a cut journal could pass for unfinished.
  CREATE TABLE known_workspaces (
    claim INTEGER PRIMARY KEY,        -- the newest claim of a path holds
    workspace_id TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL
  ) STRICT;
  CREATE INDEX known_workspaces_by_root ON known_workspaces (root);
  CREATE TABLE transactions (
    workspace_id TEXT NOT NULL,
    tx_id TEXT NOT NULL,
    header_json TEXT,                 -- the journal's first line, until the end
    seal TEXT,                        -- of the journal's last line, from then on
    PRIMARY KEY (workspace_id, tx_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX transactions_open ON transactions (workspace_id) WHERE header_json IS NOT NULL;
  `,
  `
  -- Settings expire, but for those that are kept for good. Rows from before count from now on, or
  -- from the instant that they hold.
  ALTER TABLE settings ADD COLUMN expires_at INTEGER;
  UPDATE settings SET expires_at = unixepoch() * 1000 + CASE
      WHEN key GLOB 'wish.*' OR key GLOB 'allowed:*' OR key GLOB 'capabilities.*' THEN 86400000
      WHEN key GLOB 'routine.fingerprint.*' THEN 34560000000
      ELSE 7776000000
    END
    WHERE key NOT IN ('daemon.life', 'home.identity') AND key NOT GLOB 'online_research.auto_use:*';
  UPDATE settings SET expires_at = CAST(value AS INTEGER) + 86400000
    WHERE key GLOB 'tainted:*' OR key GLOB 'read:*';
  CREATE INDEX settings_expiring ON settings (expires_at) WHERE expires_at IS NOT NULL;
  `,
  `
  -- What tries of an update that nothing ended left charged: it may have brought the daemon down.
  ALTER TABLE inbox ADD COLUMN blame INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What a plan and a research are bound to beside their folder: the workspace's name in the
  -- configuration, or none where somebody named the folder itself.
  ALTER TABLE plans ADD COLUMN workspace_entry TEXT;
  UPDATE plans SET workspace_entry = workspace_name;
  ALTER TABLE researches ADD COLUMN workspace_entry TEXT;
  `,
  `
  -- What the checks of a change set came to before anybody was asked, and what they came to on the
  -- folder without it.
  CREATE TABLE verifications (
    plan_id TEXT PRIMARY KEY REFERENCES plans (plan_id) ON DELETE CASCADE,
    base_id TEXT NOT NULL,            -- the change set of the author's actions
    change_set_id TEXT NOT NULL,      -- that with what was added: the one that is approved
    fingerprint TEXT NOT NULL,        -- of the files and of what was run on them
    result_json TEXT NOT NULL,
    added_json TEXT,                  -- the change set that leads from the one to the other
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE baselines (
    workspace_root TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    check_json TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  `,
];
