import { z } from "zod"
import { epochMs, jsonObject, jsonValue } from "../json.ts"
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

const pinAnswer = z.object({ at: epochMs, by: z.string() })

const serverToolView = z.object({
  name: z.string(),
  access,
  accessFrom: accessSource,
  pin: pinState,
  definition: toolWords.nullable(),
  /** The policy's decision on a call now, before its arguments are known, and why. */
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
    /** Where relative paths in its arguments start; null: it is not known. */
    folder: z.string().nullable(),
    health: healthView,
    /** Stopped by a person: nothing connects to it until it is started again. */
    stopped: z.boolean(),
    /** In quarantine as a whole: everything of it is hidden and refused. */
    quarantined: pinAnswer.nullable(),
    tools: z.array(serverToolView).readonly(),
    /** The omissions from a tool list that is too long; null: none. */
    toolsCut: z.string().nullable(),
    /** Other people's opinion of it, for people alone: words of a local file that is signed with the configured key, or why there are none. Absent: nothing is said. */
    reputation: z
      .discriminatedUnion("state", [
        z.object({ state: z.literal("signed"), by: z.string(), says: z.string() }),
        z.object({ state: z.literal("unusable"), why: z.string() }),
      ])
      .exactOptional(),
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

const definitionFlag = z.object({
  kind: z.enum(["instruction", "credential", "hidden-characters", "not-looked-at"]),
  path: z.string(),
  found: z.string(),
  sentence: z.string(),
})

/** `whole`: everything the server sent, of which `fingerprint` is made at the depth of the pin. */
const pinnedDefinition = z.object({ definition: toolWords, whole: jsonObject, fingerprint: z.string() })

/** The accepted definition of one tool, or the accepted instructions of a server, and the server's current ones if they differ. */
export const pinView = z
  .object({
    server: z.string(),
    /** Empty where it is the server's own. */
    tool: z.string(),
    of: z.enum(["tool", "server"]),
    state: pinState,
    depth: z.enum(["full", "schema", "off"]),
    accepted: pinnedDefinition.extend({ at: epochMs, by: z.string().nullable() }).nullable(),
    proposed: pinnedDefinition.extend({ seenAt: epochMs, rejected: pinAnswer.nullable() }).nullable(),
    quarantined: pinAnswer.nullable(),
    /** From what is accepted to what is proposed. */
    differences: z.array(definitionDifference).readonly(),
    /** The warnings about the proposed definition. No decision rests on them. */
    flags: z.array(definitionFlag).readonly(),
  })
  .meta({ id: "Pin" })
export type PinView = z.infer<typeof pinView>
