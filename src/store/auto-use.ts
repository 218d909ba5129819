import type { Settings } from "./settings/settings.ts";

/** Whether research may go into a plan unasked; on until somebody turns it off in that folder. */
export function isAutoUseOn(settings: Settings, workspaceRoot: string): boolean {
  return settings.get(toKey(workspaceRoot)) !== "off";
}

/** Turns it off or on for one folder, whatever the configuration allows. */
export function setAutoUse(settings: Settings, workspaceRoot: string, isOn: boolean): void {
  settings.set(toKey(workspaceRoot), isOn ? "on" : "off");
}

function toKey(workspaceRoot: string): string {
  return `online_research.auto_use:${workspaceRoot}`;
}
