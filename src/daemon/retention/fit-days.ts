const DAY_MS = 86_400_000;

/** How much there is of each day, by its number since 1970. */
export type BytesByDay = Map<number, number>;

/** Notes something of an instant. */
export function addBytes(days: BytesByDay, at: number, bytes: number): void {
  const day = Math.floor(at / DAY_MS);
  days.set(day, (days.get(day) ?? 0) + bytes);
}

/** Notes what came in little by little from one instant to another. */
export function spreadBytes(
  days: BytesByDay,
  bytes: number,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const count = Math.max(1, Math.ceil((to - from) / DAY_MS));
  for (let n = 0; n < count; n++) addBytes(days, to - n * DAY_MS, bytes / count);
}

/** All of it. */
export function sumBytes(days: BytesByDay): number {
  return days.values().reduce((sum, bytes) => sum + bytes, 0);
}

/** How many of the newest days fit into `mostBytes`, one at least; undefined: all of them. */
export function fitDays(days: BytesByDay, mostBytes: number, now: number): number | undefined {
  if (sumBytes(days) <= mostBytes) return undefined;
  let bytes = 0;
  for (const [day, more] of [...days].toSorted(([a], [b]) => b - a)) {
    bytes += more;
    if (bytes > mostBytes) return Math.max(1, Math.floor(now / DAY_MS) - day);
  }
  return undefined;
}
