import { ownProgram } from "../own/programs.ts";
import type { SandboxRoom } from "./bubblewrap.ts";

/** A way out of a sandbox that has no network: a socket, behind which papa-yu decides. */
export interface SandboxDoor {
  /** An absolute path, where something listens that speaks as an HTTP proxy. */
  readonly socket: string;
}

/** Nobody else listens in a network namespace of its own. */
const PORT = 3128;

/** Where the proxy is for a command that runs behind a door. */
export const DOOR_URL = `http://127.0.0.1:${PORT}`;

/** A command and its room, with the door in it: nothing else of a network is in reach. */
export function throughDoor(
  { socket }: SandboxDoor,
  argv: readonly string[],
  room: SandboxRoom,
): { readonly argv: readonly string[]; readonly room: SandboxRoom } {
  const cwd = room.cwd ?? room.root;
  const inside = ownProgram("door-inside");
  return {
    argv: [...inside.argv, socket, String(PORT), cwd, ...argv],
    room: {
      ...room,
      program: process.execPath,
      readOnly: [...room.readOnly, ...inside.readFrom],
      sockets: [socket],
      network: false,
    },
  };
}
