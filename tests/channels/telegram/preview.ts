import type { PreviewView } from "../../../src/transaction/views.ts";

/** A change set as it is asked about, but for its diff. */
export const PREVIEW: Omit<PreviewView, "diff"> = {
  planId: "plan_1",
  changeSetId: "0123456789abcdef",
  workspace: "sample",
  summary: "Fix the sum",
  changes: [],
  notes: [],
  checks: [],
};
