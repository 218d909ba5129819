/**
 * A filter of system calls for what runs in the sandbox: it closes what namespaces leave open,
 * such as the kernel's keys, sockets to a hypervisor, a new namespace with all rights in it, or files
 * that run as their owner.
 */

/** What differs between the kinds of machines whose numbers are known. */
interface Architecture {
  /** AUDIT_ARCH_… of the kernel. */
  readonly audit: number;
  /** Numbers at and above it are another way to call the same. */
  readonly foreignFrom?: number;
  readonly numberOf: (call: Numbers) => number;
}

/** The numbers of a call on x64 and on arm64. */
type Numbers = readonly [x64: number, arm64: number];

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000003e, foreignFrom: 0x40000000, numberOf: ([x64]) => x64 },
  arm64: { audit: 0xc00000b7, numberOf: ([, arm64]) => arm64 },
};

/** What no check needs, and what reaches the kernel or other people's things around a namespace. */
const REFUSED: Readonly<Record<string, Numbers>> = {
  add_key: [248, 217], // keys of the person's session are in no namespace
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  syslog: [103, 116], // the kernel's log tells of everything on the machine
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  pivot_root: [155, 41],
  mount: [165, 40],
  umount2: [166, 39],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
};

/** Reported as missing, so that programs fall back to what can be filtered; a ring passes any filter. */
const MISSING: Readonly<Record<string, Numbers>> = {
  io_uring_setup: [425, 425],
  io_uring_register: [427, 427],
  clone3: [435, 435],
  openat2: [437, 437],
};

const CLONE: Numbers = [56, 220];
const UNSHARE: Numbers = [272, 97];
const SOCKET: Numbers = [41, 198];
const IOCTL: Numbers = [16, 29];
const SHMGET: Numbers = [29, 194];

/** A call that this kind of machine does not have. */
const NONE = 0xffffffff;
/** Calls that give a file its mode, by the place of the mode among their arguments. */
const MODE_CALLS: readonly (readonly [call: Numbers, index: number])[] = [
  [[90, NONE], 1], // chmod
  [[91, 52], 1], // fchmod
  [[268, 53], 2], // fchmodat
  [[452, 452], 2], // fchmodat2
  [[85, NONE], 1], // creat
  [[133, NONE], 1], // mknod
  [[259, 33], 2], // mknodat
];
/** The same for those that open; without one of these flags there is no mode. */
const OPEN_CALLS: readonly (readonly [call: Numbers, index: number])[] = [
  [[2, NONE], 2], // open
  [[257, 56], 3], // openat
];
const MAKES_A_FILE = 0x40 + 0x400000; // O_CREAT, O_TMPFILE
/** Left in the workspace, it would give anyone who runs it the rights of papa-yu's user. */
const SET_USER_ID = 0o4000;
/** Segments belong to no process that could be charged for them; there are at most 4,096. */
const MAX_SEGMENT_BYTES = 64 * 1024;

/** Every CLONE_NEW… that clone() knows; for unshare() there is one more, of time. */
const NEW_BY_CLONE = 0x7e020000;
const NEW_BY_UNSHARE = NEW_BY_CLONE + 0x80;
/** Local sockets, internet, and questions to the kernel about them; no vsock, Bluetooth, raw frames. */
const SOCKET_FAMILIES: readonly number[] = [1, 2, 10, 16]; // AF_UNIX, AF_INET, AF_INET6, AF_NETLINK
/** Typing into somebody's terminal: TIOCSTI, TIOCLINUX. */
const TERMINAL_INPUT: readonly number[] = [0x5412, 0x541c];

const EPERM = 1;
const ENOMEM = 12;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** The filter as bubblewrap takes it; undefined where the numbers of the calls are not known. */
export function syscallFilter(architecture: string = process.arch): Uint8Array | undefined {
  const known = ARCHITECTURES[architecture];
  return known && encode(writeProgram(known));
}

/** One instruction of the kernel's filter machine; jumps count what is skipped. */
interface Step {
  readonly code: number;
  readonly value: number;
  readonly skipIf?: number;
  readonly skipUnless?: number;
}

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ABOVE = 0x25;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const ALLOW: Step = { code: RETURN, value: 0x7fff0000 };

function writeProgram({ audit, foreignFrom, numberOf }: Architecture): readonly Step[] {
  const isCall = (call: Numbers) => equals(numberOf(call));
  return [
    load(ARCHITECTURE_AT),
    ...unless({ code: JUMP_EQUAL, value: audit }, [refuse(ENOSYS)]), // other numbers, as 32 bit has
    load(NUMBER_AT),
    ...(foreignFrom === undefined
      ? []
      : when({ code: JUMP_AT_LEAST, value: foreignFrom }, [refuse(ENOSYS)])),
    ...Object.values(MISSING).flatMap((call) => when(isCall(call), [refuse(ENOSYS)])),
    ...Object.values(REFUSED).flatMap((call) => when(isCall(call), [refuse(EPERM)])),
    ...when(isCall(CLONE), refuseArgument(0, [hasAny(NEW_BY_CLONE)])),
    ...when(isCall(UNSHARE), refuseArgument(0, [hasAny(NEW_BY_UNSHARE)])),
    ...when(isCall(IOCTL), refuseArgument(1, TERMINAL_INPUT.map(equals))),
    ...when(isCall(SOCKET), [
      load(argumentAt(0)),
      ...SOCKET_FAMILIES.flatMap((family) => when(equals(family), [ALLOW])),
      refuse(EAFNOSUPPORT),
    ]),
    ...MODE_CALLS.flatMap(([call, index]) => when(isCall(call), refuseSetUserId(index))),
    ...OPEN_CALLS.flatMap(([call, index]) =>
      when(isCall(call), [
        load(argumentAt(index - 1)),
        ...when(hasAny(MAKES_A_FILE), refuseSetUserId(index)),
        ALLOW,
      ]),
    ),
    ...when(isCall(SHMGET), [
      load(argumentAt(1) + 4), // the high half of the size
      ...when({ code: JUMP_ABOVE, value: 0 }, [refuse(ENOMEM)]),
      load(argumentAt(1)),
      ...when({ code: JUMP_ABOVE, value: MAX_SEGMENT_BYTES }, [refuse(ENOMEM)]),
      ALLOW,
    ]),
    ALLOW,
  ];
}

/** The low half of an argument: the kernel takes flags and families as 32 bits. */
function argumentAt(index: number): number {
  return 16 + 8 * index;
}

function refuseArgument(index: number, tests: readonly Step[]): readonly Step[] {
  return [load(argumentAt(index)), ...tests.flatMap((test) => when(test, [refuse(EPERM)])), ALLOW];
}

function refuseSetUserId(index: number): readonly Step[] {
  return refuseArgument(index, [hasAny(SET_USER_ID)]);
}

function load(offset: number): Step {
  return { code: LOAD_WORD, value: offset };
}

function refuse(error: number): Step {
  return { code: RETURN, value: 0x00050000 + error };
}

function equals(value: number): Step {
  return { code: JUMP_EQUAL, value };
}

function hasAny(value: number): Step {
  return { code: JUMP_ANY_BIT, value };
}

function when(test: Step, body: readonly Step[]): readonly Step[] {
  return [{ ...test, skipUnless: body.length }, ...body];
}

function unless(test: Step, body: readonly Step[]): readonly Step[] {
  return [{ ...test, skipIf: body.length }, ...body];
}

/** `struct sock_filter` of the kernel, one after another. */
function encode(steps: readonly Step[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(steps.length * 8));
  for (const [index, { code, skipIf = 0, skipUnless = 0, value }] of steps.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, skipIf);
    view.setUint8(index * 8 + 3, skipUnless);
    view.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(view.buffer);
}
