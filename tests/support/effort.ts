/**
 * Begins to count the work that this process does; the result gives what it was since, in
 * processor time of {@link YARDSTICK}. A bound on it says that work is in proportion to its input,
 * on a slow machine as on a fast one, however much else the machine has to do.
 */
export function measureEffort(): () => number {
  const begunMs = cpuMs();
  return () => (cpuMs() - begunMs) / YARDSTICK_MS;
}

/** The processor time that this process has used, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Goes over 400,000 characters as a parser does: one to two milliseconds of a machine of today. */
function yardstick(): number {
  let found = 0;
  for (const line of TEXT.split("\n")) {
    for (let i = 0; i < line.length; i++) if (line.charCodeAt(i) === 0x62) found += 1;
  }
  return found;
}

const TEXT = "a line of abab text\n".repeat(20_000);
const ROUNDS = 5;
const YARDSTICK_MS = measureYardstick();

function measureYardstick(): number {
  const begunMs = cpuMs();
  for (let round = 0; round < ROUNDS; round++) yardstick();
  return (cpuMs() - begunMs) / ROUNDS;
}
