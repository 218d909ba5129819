export { isOtherRunning } from "./is-other-running.ts";
export { findLockHolder, type LockHolder, type LockResult, takeLock } from "./kernel-lock.ts";
export { takeMachineName } from "./machine-name.ts";
