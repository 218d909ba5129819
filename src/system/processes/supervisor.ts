import { ptr } from "bun:ffi";
import { loadC } from "./load-c.ts";

/** What started this process and waits for its word: systemd, for a unit with `Type=notify`. */
export interface Supervisor {
  /** The process does what it is for, from now on; until {@link stopping} it says that it lives. */
  ready(): void;
  stopping(): void;
}

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0x80000;
const MSG_NOSIGNAL = 0x4000;
/** Of a socket's name, as the kernel holds it. */
const MOST_NAME_BYTES = 108;

/**
 * The supervisor that the environment names, by the protocol of sd_notify(3); undefined where there
 * is none, or its socket cannot be one. What it is told is lost where nobody listens, and ends nothing.
 */
export function findSupervisor(
  env: Readonly<Record<string, string | undefined>>,
): Supervisor | undefined {
  const name = env["NOTIFY_SOCKET"] ?? "";
  const address = toAddress(name);
  if (!address) return undefined;
  const everyMs = watchdogMs(env);
  let beat: Timer | undefined;
  return {
    ready() {
      send(address, "READY=1");
      if (everyMs !== undefined) beat = setInterval(send, everyMs / 2, address, "WATCHDOG=1");
    },
    stopping() {
      clearInterval(beat);
      send(address, "STOPPING=1");
    },
  };
}

/** How long it waits for a sign of life, if it waits for one of this process. */
function watchdogMs(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const pid = env["WATCHDOG_PID"];
  if (pid !== undefined && pid !== String(process.pid)) return undefined;
  const microseconds = Number(env["WATCHDOG_USEC"]);
  return Number.isSafeInteger(microseconds) && microseconds > 0 ? microseconds / 1000 : undefined;
}

/** A `sockaddr_un`: a path, or behind "@" a name that is in no folder. */
function toAddress(name: string): Uint8Array | undefined {
  const bytes = Buffer.from(name);
  if (!/^[/@]./u.test(name) || bytes.length > MOST_NAME_BYTES) return undefined;
  if (name.startsWith("@")) bytes[0] = 0;
  const address = new Uint8Array(2 + bytes.length);
  new DataView(address.buffer).setUint16(0, AF_UNIX, true);
  address.set(bytes, 2);
  return address;
}

/** One datagram; sockets of this kind are not among what the runtime has. */
function send(address: Uint8Array, text: string): void {
  const c = loadC({
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  if (!c) return;
  const { socket, sendto, close } = c.symbols;
  const fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const message = Buffer.from(text);
  if (fd >= 0) {
    sendto(fd, ptr(message), BigInt(message.length), MSG_NOSIGNAL, ptr(address), address.length);
    close(fd);
  }
  c.close();
}
