import type { Press } from "../../channel.ts";

/** One thing that waits for a person. */
export interface InboxItem {
  readonly id: string;
  readonly kind: "change_set" | "call" | "plan" | "failed_routine" | "pairing" | "finding";
  /** Missing where it belongs to none. */
  readonly session_id?: string;
  readonly workspace?: string;
  /** One line. */
  readonly title: string;
  readonly files?: number;
  readonly added?: number;
  readonly removed?: number;
  readonly check?: "passed" | "failed" | "not_run";
  readonly at: string;
  readonly expires_at?: string;
  /** What may be pressed; none for what another person was asked. */
  readonly actions: readonly Action[];
  readonly ref: string;
  /** What a press has to carry so that it counts for exactly this. */
  readonly digest?: string;
  /** The whole text that other channels show above the buttons. */
  readonly shown?: string;
  /** Of a plan: its change set was shown, and somebody said no to that. */
  readonly rejected?: true;
  /** It is worked out or applied now, and nothing may be pressed about it. */
  readonly working?: true;
  /** Of a plan: how the newest attempt at its changes failed. */
  readonly failed?: { readonly code?: string; readonly text: string; readonly at: string };
  /** A button is missing that would be refused: papa-yu may only read. */
  readonly locked?: "readonly";
  /** What would run. */
  readonly call?: { readonly tool: string; readonly args: unknown };
}

/** What may be pressed, with its label in the language of the interface. */
export interface Action extends Press {
  readonly label: string;
  /** A yes although something failed. */
  readonly anyway?: true;
}
