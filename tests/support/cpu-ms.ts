/**
 * The processor time that this process has used, in milliseconds: what bounds on work are held
 * against, since the clock also counts what the rest of the machine does.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
