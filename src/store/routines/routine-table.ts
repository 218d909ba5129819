import type { Database } from "bun:sqlite";

/** A routine made by a command or in a chat, as an entry of `routines.jobs`. */
export interface StoredJob {
  readonly name: string;
  readonly jobJson: string;
}

/** Whether a routine runs by schedule, decided after it was written. */
export interface RoutineSwitch {
  readonly routine: string;
  readonly enabled: boolean;
  /** Why papa-yu itself switched it off. */
  readonly reason: string | null;
  /** Failures before do not count any more. */
  readonly switchedAt: number;
}

/** The dynamic routines, and the switches of all. */
export interface RoutineTable {
  /** In the order they were made, each with when it was made or changed last. */
  jobs(): readonly (StoredJob & { readonly changedAt: number })[];
  /** False when the name is taken. */
  add(job: StoredJob, now: number): boolean;
  /** Puts another entry in the place of one, with its age and its switch; false: that is not there any more. */
  replace(job: StoredJob, was: string, now: number): boolean;
  /** Takes a routine away with its switch and what waits to run of it; false when there is none. */
  remove(name: string): boolean;
  switches(): readonly RoutineSwitch[];
  turn(change: RoutineSwitch): void;
}

type SwitchRow = Omit<RoutineSwitch, "enabled"> & { readonly enabled: number };

/** Dynamic routines in `state.db`, for the daemon and the commands next to it. */
export function createRoutineTable(database: Database): RoutineTable {
  return {
    jobs() {
      const sql = `SELECT name, job_json AS jobJson, max(created_at, changed_at) AS changedAt
        FROM routines ORDER BY created_at, name`;
      return database.query<StoredJob & { changedAt: number }, []>(sql).all();
    },
    add({ name, jobJson }, now) {
      const sql = `INSERT INTO routines (name, job_json, created_at) VALUES (?, ?, ?)
        ON CONFLICT DO NOTHING`;
      return database
        .transaction(() => {
          const isAdded = database.query(sql).run(name, jobJson, now).changes === 1;
          // One that config.toml had under the name, and has no more, was switched.
          if (isAdded) database.query("DELETE FROM routine_switches WHERE routine = ?").run(name);
          return isAdded;
        })
        .immediate();
    },
    replace({ name, jobJson }, was, now) {
      const sql =
        "UPDATE routines SET job_json = ?, changed_at = ? WHERE name = ? AND job_json = ?";
      return database.query(sql).run(jobJson, now, name, was).changes === 1;
    },
    remove: (name) =>
      database
        .transaction(() => {
          database.query("DELETE FROM routine_switches WHERE routine = ?").run(name);
          // What it was sent is not for another routine that gets its name.
          database
            .query(
              `UPDATE routine_runs SET input = NULL, state = 'skipped', error = 'the routine was removed'
               WHERE routine = ? AND (state = 'due' OR state = 'missed' AND input IS NOT NULL)`,
            )
            .run(name);
          return database.query("DELETE FROM routines WHERE name = ?").run(name).changes === 1;
        })
        .immediate(),
    switches() {
      const sql = `SELECT routine, enabled, reason, switched_at AS switchedAt
        FROM routine_switches`;
      return database.query<SwitchRow, []>(sql).all().map(toSwitch);
    },
    turn({ routine, enabled, reason, switchedAt }) {
      const sql = `INSERT OR REPLACE INTO routine_switches (routine, enabled, reason, switched_at)
        VALUES (?, ?, ?, ?)`;
      database.query(sql).run(routine, enabled ? 1 : 0, reason, switchedAt);
    },
  };
}

function toSwitch(row: SwitchRow): RoutineSwitch {
  return { ...row, enabled: row.enabled === 1 };
}
