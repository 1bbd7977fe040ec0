import type { JsonObject } from "@byleave/core"
import type { ClientInfo } from "./caller.ts"

/** Seals small JSON into text nobody else can read, change or make (AEAD). Keys are the composition's affair. */
export type Sealer = {
  readonly seal: (value: JsonObject) => string
  /** Null when it is not ours, was changed, or is too old. */
  readonly open: (text: string) => JsonObject | null
}

/** A legacy conversation as it must survive a restart and be known at every replica. */
export type ConversationRecord = {
  readonly id: string
  readonly principal: string
  readonly path: string
  readonly version: string
  readonly client: ClientInfo | null
  readonly abilities: JsonObject
  readonly createdAt: number
}

/** Where legacy conversations are kept. */
export type ConversationRecords = {
  readonly put: (record: ConversationRecord) => Promise<void>
  /** Counts as a use: what is looked up now and then is not forgotten. */
  readonly get: (id: string) => Promise<ConversationRecord | undefined>
  readonly remove: (id: string) => Promise<void>
}

/** A legacy request whose call a person is asked about. `id`: as its client sent it, as JSON. */
export type HeldRequest = { readonly conversation: string; readonly id: string }

/** Which approval a request waits for, where several processes serve one conversation and each can be told that it is cancelled. */
export type HeldRequests = {
  readonly put: (request: HeldRequest, approval: string) => Promise<void>
  readonly get: (request: HeldRequest) => Promise<string | undefined>
  readonly remove: (request: HeldRequest) => Promise<void>
}

/** A task of ours: a held call whose caller comes back to ask. Its state and result are the approval's. */
export type TaskRecord = {
  /** The approval's id. */
  readonly id: string
  readonly principal: string
  readonly session: { readonly principal: string; readonly id: string; readonly named: boolean }
  readonly server: string
  readonly tool: string
  /** Of the call's params, what says who made it (`_meta`), for the process that is asked next. */
  readonly params: JsonObject
  readonly createdAt: number
  readonly ttlMs: number | null
}

export type TaskRecords = {
  readonly put: (record: TaskRecord) => Promise<void>
  readonly get: (id: string) => Promise<TaskRecord | undefined>
}
