/** What one probe came to; `untested`: it says nothing here, for the reason in `found`. */
export interface ProbeResult {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  readonly state: "ok" | "failed" | "untested";
  /** Without it there is no sandbox to speak of. */
  readonly isEssential: boolean;
}
