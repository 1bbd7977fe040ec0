import { z } from "zod"
import { epochMs } from "../json.ts"

const presence = z.enum(["pin", "none"])

/** A bearer token of an agent, of an embedding program, or of one that runs agents. Its name is the principal's id; its secret is told once. */
export const tokenView = z
  .object({
    id: z.string(),
    kind: z.enum(["agent", "gate", "runner"]),
    owner: z.string().nullable(),
    namesSessions: z.boolean(),
    /** Its answers to calls of runs that it started count as a reviewer's, where policy lets them. Of runners only. */
    conveysDecisions: z.boolean(),
    createdAt: epochMs,
    createdBy: z.string().nullable(),
    /** To the hour. */
    lastUsedAt: epochMs.nullable(),
  })
  .meta({ id: "Token" })
export type TokenView = z.infer<typeof tokenView>

export const reviewerView = z
  .object({
    id: z.string(),
    name: z.string(),
    groups: z.array(z.string()).readonly(),
    hasPin: z.boolean(),
    createdAt: epochMs,
    createdBy: z.string().nullable(),
  })
  .meta({ id: "Reviewer" })
export type ReviewerView = z.infer<typeof reviewerView>

/** A key that signs for a reviewer: a browser, or a terminal's. */
export const deviceView = z
  .object({
    id: z.string(),
    reviewer: z.string(),
    name: z.string(),
    /** A browser keeps its key where nobody can copy it; a terminal's is a file. */
    kind: z.enum(["browser", "terminal"]),
    /** Registered with the PIN. */
    presence: z.boolean(),
    /** Of an extension: the origin it was registered from; null: a page of the service, or a terminal. */
    origin: z.string().nullable(),
    /** A person has not approved that origin yet: it may do nothing. */
    waits: z.boolean(),
    createdAt: epochMs,
    lastSeenAt: epochMs.nullable(),
  })
  .meta({ id: "Device" })
export type DeviceView = z.infer<typeof deviceView>

export const meView = z.object({
  reviewer: reviewerView,
  device: deviceView,
  /** `none`: every signed-in device counts as a person being there. */
  presence,
  /** Whether this device may approve now. */
  present: z.boolean(),
  /** The demo of `npm start`: its page tells of the demo agent. */
  isDemo: z.boolean(),
})
export type MeView = z.infer<typeof meView>

export const helloView = z.object({
  name: z.literal("byleave"),
  version: z.string(),
  presence,
  /** Proof that this is the service of the caller's data folder, reached at its own address; null if it is not, or if no proof was asked for. */
  proof: z.string().nullable(),
})
export type HelloView = z.infer<typeof helloView>
