import { needs } from "./needs.ts";

/** Runs what follows where it may mount disks of its own. */
export const UNSHARE = ["unshare", "--user", "--map-root-user", "--mount"] as const;

/** Whether it can; where no namespace can be made, nobody without rights can mount a disk. */
export const CAN_MOUNT = needs(
  "namespaces in which disks are mounted (unshare --user --mount)",
  Bun.which("unshare") !== null && Bun.spawnSync([...UNSHARE, "true"]).success,
);
