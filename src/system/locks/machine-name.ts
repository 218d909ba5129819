import { AppError, errorMessage, systemErrorCode } from "../../core/app-error.ts";
import { cutText } from "../../core/cut-text.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { type LockHolder, type LockResult, takeLock } from "./kernel-lock.ts";

/** A holder on a busy machine may stand still for a while; it is of the same machine. */
const ANSWER_MS = 5000;
const MOST_ASKING_S = 5;
const MOST_ANSWER_CHARS = 4096;
const MOST_SHOWN_CHARS = 300;

/**
 * Takes a name that one process of the machine can have, for any user and any home. The kernel
 * gives it back with the process, however that ends.
 *
 * On Linux it is a socket in the abstract namespace, which has no file, no folder and no owner: of
 * a network namespace, so that a container has names of its own. Whoever connects gets its holder.
 * Elsewhere it is the lock `file`.
 *
 * @throws AppError ERR_IO when neither can be used
 */
export async function takeMachineName(
  name: string,
  {
    what,
    file,
    answerMs = ANSWER_MS,
  }: {
    readonly what: string;
    readonly file: string;
    /** How long whoever has the name may take to say so. */
    readonly answerMs?: number;
  },
): Promise<LockResult> {
  if (process.platform !== "linux") return takeLock(file, what);
  const holder: LockHolder = { pid: process.pid, since: Date.now(), what };
  const unix = `\0${name}`;
  try {
    const server = Bun.listen({
      unix,
      // The one who asked closes: what is written just before an end may be lost on the way.
      socket: {
        open(socket) {
          socket.timeout(MOST_ASKING_S);
          socket.write(`${JSON.stringify(holder)}\n`);
        },
        timeout: (socket) => void socket.end(),
        data() {},
      },
    });
    server.unref();
    return { ok: true, release: () => server.stop(true) };
  } catch (error) {
    if (systemErrorCode(error) === "EADDRINUSE") {
      return { ok: false, holder: await askHolder(unix, answerMs) };
    }
    const message = `Cannot take the name "${name}" on this machine: ${errorMessage(error)}`;
    throw new AppError("ERR_IO", message, { cause: error });
  }
}

/** Undefined when the holder of the name does not answer in time, or is no papa-yu. */
async function askHolder(unix: string, answerMs: number): Promise<LockHolder | undefined> {
  const answer = Promise.withResolvers<string>();
  const timer = setTimeout(answer.resolve, answerMs, "");
  let text = "";
  try {
    using _socket = await Bun.connect({
      unix,
      socket: {
        data(_, bytes) {
          text += bytes.toString("utf8");
          if (text.length > MOST_ANSWER_CHARS) answer.resolve("");
          if (text.endsWith("\n")) answer.resolve(text);
        },
        close: () => answer.resolve(text),
        error: () => answer.resolve(""),
      },
    });
    const { pid, since, what } = JSON.parse(await answer.promise);
    // It may be any program: what it says is shown.
    const shown = toVisibleText(cutText(String(what), MOST_SHOWN_CHARS));
    return { pid: Number(pid), since: Number(since), what: shown };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
