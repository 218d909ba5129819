/** The run of a routine that was due at an instant. */
export function toRunRef(routine: string, dueAt: number): string {
  return `run:${routine}:${dueAt}`;
}

/** Of {@link toRunRef}; undefined for what is none. */
export function readRunRef(ref: string): readonly [routine: string, dueAt: number] | undefined {
  const [, routine, dueAt] = /^run:(.+):(\d{1,16})$/su.exec(ref) ?? [];
  return routine === undefined || dueAt === undefined ? undefined : [routine, Number(dueAt)];
}
