import { FIRST_MIGRATIONS } from "./first-migrations.ts";

/**
 * The database's shape, one entry per version; an entry never changes once released.
 * All instants are milliseconds since 1970, UTC; all `*_json` columns hold JSON text.
 */
export const MIGRATIONS: readonly string[] = [
  ...FIRST_MIGRATIONS,
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
  `
  -- Checks of folders, by their words as JSON: which of those that were found their owner has seen,
  -- and how long each took the last time. Another folder at the same path is not the one that was seen.
  CREATE TABLE known_checks (
    workspace_root TEXT NOT NULL,
    folder_id TEXT NOT NULL,
    command TEXT NOT NULL,
    is_seen INTEGER NOT NULL DEFAULT 0,
    took_ms INTEGER,
    PRIMARY KEY (workspace_root, command)
  ) STRICT;
  -- What was shown with a plan, for a yes to it.
  CREATE TABLE shown_checks (
    plan_id TEXT PRIMARY KEY REFERENCES plans (plan_id) ON DELETE CASCADE,
    folder_id TEXT NOT NULL,
    commands_json TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Corrections of a change set whose checks failed before anybody was asked: all of them at once,
  -- so that a crash leaves the newest whole or the one before.
  CREATE TABLE corrections (
    plan_id TEXT PRIMARY KEY REFERENCES plans (plan_id) ON DELETE CASCADE,
    base_id TEXT NOT NULL,            -- the change set of the author's actions
    step INTEGER NOT NULL,            -- grows with each
    corrections_json TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Ways to a goal, from the moment when an author is asked for one: how many it has had, and by whom.
  CREATE TABLE ways (
    way_id INTEGER PRIMARY KEY,       -- the order in which they began
    goal_id TEXT NOT NULL REFERENCES plans (plan_id) ON DELETE CASCADE, -- the first plan of the goal
    plan_id TEXT UNIQUE REFERENCES plans (plan_id) ON DELETE SET NULL,
    work TEXT,                        -- which began it: delivered again it begins no other
    by_json TEXT NOT NULL,            -- the author, the person, and who pays
    patches_json TEXT                 -- what is remembered once it is made; none: at once
  ) STRICT;
  CREATE INDEX ways_by_goal ON ways (goal_id);
  `,
  `
  -- Of a plan over more files than one request can show: its parts, each a plan of its own.
  ALTER TABLE plans ADD COLUMN parts_json TEXT;
  `,
  `
  -- What was shown of a plan for a yes, and what of it counts: a mode that it leaves may be another.
  CREATE TABLE shown_change_sets (
    plan_id TEXT NOT NULL REFERENCES plans (plan_id) ON DELETE CASCADE,
    change_set_id TEXT NOT NULL,
    content_id TEXT NOT NULL,
    PRIMARY KEY (plan_id, change_set_id)
  ) STRICT;
  `,
  `
  -- Why no change set came of a way to a goal; none: one did, or it was cut off.
  ALTER TABLE ways ADD COLUMN failed_json TEXT;
  `,
  `
  -- What is asked for at every start and message is found without reading what is over.
  CREATE INDEX approvals_unanswered ON approvals (expires_at) WHERE state = 'waiting';
  CREATE INDEX approvals_running ON approvals (runner) WHERE state = 'approved' AND runner IS NOT NULL;
  CREATE INDEX approvals_by_turn ON approvals (turn_id) WHERE turn_id IS NOT NULL;
  CREATE INDEX routine_runs_by_due ON routine_runs (due_at);
  CREATE INDEX routine_runs_unsent ON routine_runs (routine) WHERE delivery = 'pending';
  -- What still needs a plan keeps it.
  CREATE INDEX sessions_by_plan ON sessions (plan_id) WHERE plan_id IS NOT NULL;
  `,
  `
  -- What was said of plans for a goal before this one; before, it stood in the goal itself.
  ALTER TABLE plans ADD COLUMN notes_json TEXT;
  `,
  `
  -- What is over is in no index of what waits: a message writes two pages less.
  DROP INDEX inbox_waiting;
  CREATE INDEX inbox_waiting ON inbox (lane, session_id) WHERE state = 'waiting';
  DROP INDEX outbox_waiting;
  CREATE INDEX outbox_waiting ON outbox (state, chat_id, id)
    WHERE state = 'waiting' OR state = 'sending';
  -- Of calls alone: a change set that was approved has journals.
  DROP INDEX approvals_running;
  CREATE INDEX approvals_running ON approvals (runner)
    WHERE state = 'approved' AND runner IS NOT NULL AND tool IS NOT NULL;
  `,
  `
  -- What a webhook sent waits with its run. Who runs one says whether it is alive: clocks are set, and
  -- machines sleep.
  ALTER TABLE routine_runs ADD COLUMN input TEXT;
  ALTER TABLE routine_runs ADD COLUMN runner TEXT;
  -- When a routine was added, enabled or given its schedule: whatever a clock was since, nothing counts
  -- from before. And the machine's timezone then, for a schedule that names none.
  ALTER TABLE routine_watch ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE routine_watch ADD COLUMN timezone TEXT;
  UPDATE routine_watch SET floor = since;
  -- Failures before a change do not count any more.
  ALTER TABLE routines ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
  `,
];
