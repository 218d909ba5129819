#!/usr/bin/env bun
import { homedir } from "node:os";
import { COMMANDS, nearestCommand, renderHelp } from "./cli/commands.ts";
import { type CliContext, EXIT } from "./cli/context.ts";
import { AppError, toAppError } from "./core/app-error.ts";
import type { ErrorCode } from "./core/error-codes.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const [name = "--help", ...args] = argv;
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(renderHelp());
    return argv.length === 0 ? EXIT.usage : EXIT.done;
  }
  try {
    const command = COMMANDS[name];
    if (!command) throw unknownCommand(name);
    if (args.includes("--help") || args.includes("-h")) {
      process.stdout.write(`usage: papayu ${command.usage}\n${command.summary}\n`);
      return EXIT.done;
    }
    const run = await command.load();
    return await run(args, createContext());
  } catch (error) {
    return reportFailure(error, args.includes("--json"));
  }
}

function createContext(): CliContext {
  const controller = new AbortController();
  const stop = () => controller.abort(new AppError("ERR_CANCELLED", "Stopped by a signal"));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  return {
    cwd: process.cwd(),
    env: process.env,
    userHome: process.env["HOME"] ?? homedir(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
  };
}

function unknownCommand(name: string): AppError {
  const near = nearestCommand(name);
  const guess = near ? `; did you mean "${near}"?` : "";
  return new AppError("ERR_USAGE", `There is no command "${name}"${guess} papayu --help lists all`);
}

function reportFailure(error: unknown, json: boolean): number {
  const failure = toAppError(error);
  if (json) {
    const report = {
      ok: false,
      error: failure.message,
      error_code: failure.code,
      ...failure.details,
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  }
  process.stderr.write(`papayu: ${failure.code}: ${failure.message}\n`);
  if (failure.code === "ERR_INTERNAL" && failure.cause instanceof Error) {
    process.stderr.write(`${failure.cause.stack ?? ""}\n`);
  }
  return toExitCode(failure.code);
}

function toExitCode(code: ErrorCode): number {
  switch (code) {
    case "ERR_USAGE":
    case "ERR_CONFIG_PARSE":
    case "ERR_CONFIG_INVALID":
    case "ERR_SECRET_UNAVAILABLE":
    case "ERR_WORKSPACE_UNKNOWN":
    case "ERR_PROVIDER_UNKNOWN":
    case "ERR_ROUTINE_UNKNOWN":
    case "ERR_PLAN_UNKNOWN":
      return EXIT.usage;
    case "CONFIRM_REQUIRED":
      return EXIT.approvalNeeded;
    case "ERR_DAEMON_NOT_RUNNING":
      return EXIT.notRunning;
    default:
      return EXIT.failed;
  }
}
