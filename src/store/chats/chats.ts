export { type ChatMoves, createChatMoves } from "./chat-moves.ts";
export {
  createInbox,
  type Inbox,
  type InboxHead,
  type InboxRow,
  type Lane,
  type Said,
} from "./inbox.ts";
export {
  createOutbox,
  type Outbox,
  type OutboxHead,
  type OutboxRow,
  type ShownRow,
} from "./outbox.ts";
export { createPairing, type Pairing } from "./pairing.ts";
