import { AppError } from "./app-error.ts";

/** The reason to abort work with that papa-yu has to leave: unlike a cancel nobody wanted its end. */
export function interruption(): AppError {
  return new AppError("ERR_INTERRUPTED", "papa-yu ended before this did");
}

/** Whether work was ended because papa-yu is: then it is no end, and it may go on later. */
export function isInterrupted({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AppError && reason.code === "ERR_INTERRUPTED";
}
