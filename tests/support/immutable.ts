import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "./needs.ts";
import { tempDir } from "./temp.ts";

/** Sets or clears the flag that keeps even the superuser from changing a file; false: it cannot. */
export function setImmutable(path: string, isOn: boolean): boolean {
  return (
    Bun.which("chattr") !== null && Bun.spawnSync(["chattr", isOn ? "+i" : "-i", path]).success
  );
}

/** Not every disk and user can. */
export const CAN_BE_IMMUTABLE = needs("files that root cannot change (chattr +i)", tryOut());

function tryOut(): boolean {
  using dir = tempDir();
  const path = join(dir.path, "x");
  writeFileSync(path, "");
  return setImmutable(path, true) && setImmutable(path, false);
}
