import { z } from "zod"
import { epochMs, jsonValue } from "../json.ts"
import { toolWords } from "./approval-view.ts"
import { access, accessSource, effect, pinState } from "./shared-schemas.ts"

export const healthView = z.object({
  state: z.enum(["idle", "connecting", "connected", "failing", "stopped"]),
  era: z.enum(["legacy", "modern"]).nullable(),
  lastConnectedAt: epochMs.nullable(),
  lastError: z.string().nullable(),
  retryAt: epochMs.nullable(),
  links: z.int(),
})
export type HealthView = z.infer<typeof healthView>

const serverToolView = z.object({
  name: z.string(),
  access,
  accessFrom: accessSource,
  pin: pinState,
  definition: toolWords.nullable(),
  /** What policy would do with a call now, before its arguments are known, and why. */
  effect,
  why: z.string(),
})

/**
 * An upstream server. Its command or address is shown without credentials. One whose transport is `program` is run by another program, such
 * as `byleave wrap` inside a client: its target is the credential of that program, and it can be neither stopped nor started here.
 */
export const serverView = z
  .object({
    id: z.string(),
    transport: z.enum(["stdio", "http", "sse", "program"]),
    target: z.string(),
    /** Whether the configuration gives it an environment or headers, which are never shown. */
    hasCredentials: z.boolean(),
    trust: z.enum(["none", "annotations"]),
    health: healthView,
    /** Stopped by a person: nothing connects to it until it is started again. */
    stopped: z.boolean(),
    tools: z.array(serverToolView).readonly(),
  })
  .meta({ id: "Server" })
export type ServerView = z.infer<typeof serverView>

const definitionDifference = z.object({
  path: z.string(),
  kind: z.enum(["added", "removed", "changed"]),
  before: jsonValue.exactOptional(),
  after: jsonValue.exactOptional(),
  matters: z.enum(["words", "shape", "hints"]),
})

/** What is accepted of one tool's definition, and what its server says now when that differs. */
export const pinView = z
  .object({
    server: z.string(),
    tool: z.string(),
    accepted: z
      .object({ definition: toolWords, fingerprint: z.string(), at: epochMs, by: z.string().nullable() })
      .nullable(),
    proposed: z.object({ definition: toolWords, fingerprint: z.string(), seenAt: epochMs }).nullable(),
    /** From what is accepted to what is proposed. */
    differences: z.array(definitionDifference).readonly(),
  })
  .meta({ id: "Pin" })
export type PinView = z.infer<typeof pinView>
