import type { Message, ResponseMessage } from "../wire/message.ts"

/** The way back to the client that made one request. Everything after the reply is ignored. */
export type ReplyStream = {
  readonly say: (message: Message) => void
  readonly reply: (message: ResponseMessage) => void
  readonly keepOpen: () => void
  /** A person is to decide: it stays open until then. */
  readonly waits: () => void
  /** Whether the reply was handed over whole, once that is known; asked before it is given, and at most once. */
  readonly delivered: () => Promise<boolean>
}
