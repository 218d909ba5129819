/**
 * What a test needs of the machine. A lack is said in one line of each file that has such tests, and
 * fails where all of it has to be there: a probe that broke would skip them, and be seen by none.
 */
export function needs(what: string, isHere: boolean): boolean {
  if (isHere) return true;
  const lack = `not here: ${what}; the tests that need it are left out`;
  if (process.env["CI"]) throw new Error(`${lack}, and CI is to run all of them`);
  console.warn(lack);
  return false;
}

/** Whether one of a few tries comes to it: a machine that is busy may be too late for one. */
export async function onceOf(probe: () => Promise<boolean>): Promise<boolean> {
  for (let turn = 0; turn < MOST_TRIES; turn++) if (await probe()) return true;
  return false;
}

const MOST_TRIES = 3;
