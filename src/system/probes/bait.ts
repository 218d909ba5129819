/** What is laid out to be reached by attempts; all of it is the probes' own, or only looked at. */
export interface Bait {
  readonly workspace: string;
  /** What may be written to below what of it may not. */
  readonly cache: string;
  /** Folders that a command may write to and that vanish with it. */
  readonly privateFolders: readonly string[];
  /** Of a service on 127.0.0.1. */
  readonly port: number;
  readonly abstractSocket: string;
  readonly socketInTmp: string;
  readonly socketInWorkspace: string;
  /** Sockets of this machine that lead to other programs. */
  readonly doors: readonly string[];
  /** A file next to the workspace. */
  readonly sibling: string;
  /** Files in .git and .papa-yu. */
  readonly kept: readonly string[];
  readonly otherWorkspace: string;
  readonly own: readonly string[];
  readonly systemSecrets: readonly string[];
  readonly home: readonly string[];
  readonly accountHome: readonly string[];
  readonly otherHomes: readonly string[];
  /** A process with the secret in its arguments and its environment. */
  readonly pid: number;
  readonly secret: string;
  readonly bubblewrap: string;
}
