import { escapeHtml } from "./html.ts";

/** Everything the channel itself says, as HTML. */
export const TEXTS = {
  help: escapeHtml(
    [
      "I work in the folders my owner granted: I propose a plan, show every change as one diff, " +
        "apply it after your approval, run the checks and can undo it.",
      "",
      "Write what you want, or use:",
      "/plan GOAL - make a plan",
      "/apply - turn the plan into changes, or /apply GOAL at once",
      "/undo, /redo - take the last change back, or do it again",
      "/status, /history - what runs, what happened",
      "/ws NAME - choose the workspace",
      "/cancel - stop what is running",
    ].join("\n"),
  ),
  planWithoutGoal: "Say what to plan, for example: /plan fix the failing test",
  forwarded:
    "A forwarded message is not taken as yours. Copy its text to send it in your own name.",
  onlyText: "I can read text only.",
  cancelling: "Stopping what runs here.",
  nothingRuns: "Nothing is running here.",
  notYours: "Only the person who asked can press this.",
  unknownButton: "I do not know this button any more.",
} as const;

/** The one line a stranger gets; it gives away nothing but their own id. */
export function strangerText(userId: number): string {
  return `I work only for people my owner lists. To be let in, ask them to add ${userId} to telegram.allowed_user_ids.`;
}

/** Tells that a message was given up after too many failures. */
export function setAsideText(said: string, tries: number): string {
  const start = escapeHtml(said.slice(0, 100));
  return `I failed ${tries} times to work on this and set it aside: "${start}". Please say it another way, or look into the log.`;
}

/** The menu beside the input field. */
export const COMMANDS = [
  { command: "plan", description: "Make a plan: /plan GOAL" },
  { command: "apply", description: "Turn the plan into changes" },
  { command: "undo", description: "Take the last change back" },
  { command: "redo", description: "Do the undone change again" },
  { command: "status", description: "What runs" },
  { command: "history", description: "What was changed" },
  { command: "rules", description: "What I may do" },
  { command: "ws", description: "Choose the workspace" },
  { command: "cancel", description: "Stop what is running" },
  { command: "help", description: "What I can do" },
];
