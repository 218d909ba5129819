import type { Settings } from "../settings/settings.ts";

/** Whether research may go into a plan unasked; on until somebody turns it off in that folder. */
export function isAutoUseOn(settings: Settings, workspaceRoot: string): boolean {
  return settings.of(FAMILY).get(workspaceRoot) !== "off";
}

/** Turns it off or on for one folder, whatever the configuration allows. */
export function setAutoUse(settings: Settings, workspaceRoot: string, isOn: boolean): void {
  settings.of(FAMILY).set(workspaceRoot, isOn ? "on" : "off");
}

const FAMILY = "online_research.auto_use:";
