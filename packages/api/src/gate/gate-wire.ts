/**
 * The messages between a gate elsewhere and its service.
 *
 * I1. No program submits, or tells the tools of, the server that is Byleave itself, however it writes the name, nor of one that reads the same.
 * I2. A body says nothing that is not known here: no second principal can be put in beside the agent.
 */
import {
  type Approval,
  type Decision,
  type JsonObject,
  type JsonValue,
  type Outcome,
  ownNameLikeness,
  type ToolDefinition,
} from "@byleave/core"
import { z } from "zod"

/** The service takes no larger body from a program. */
export const mostBodyBytes = 8 * 1024 * 1024

/** The service judges no more names in one request, nor longer ones together: judging takes time for each character. */
export const mostJudged = { names: 1_000, characters: 250_000 } as const

const name = z.string().min(1).max(1_000)
const targetKind = z.enum(["tool", "resource", "prompt", "sampling", "elicitation", "roots", "method"])
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be a JSON object",
)
const jsonValue = z.custom<JsonValue>((value) => value !== undefined)

/** The name of Byleave's own server is reserved: no other program may submit calls under it. */
const serverName = name.refine((server) => ownNameLikeness(server) !== "same", "is reserved by Byleave")

/** The caller below the credential: the agent's name there, and its session. The principal is made from both by the service. */
const remoteCaller = z.strictObject({
  agent: name,
  session: z.strictObject({ id: name, named: z.boolean() }),
})

/** Which program the server is, if its host knows: a program other than the accepted one waits to be accepted. */
const program = z.string().min(1).max(10_000)

/** Absent: one that everybody shares, by which no agent says anything of itself. */
const connection = z.strictObject({ isOwn: z.boolean(), hasRoots: z.boolean() })

const toolDefinition = z.custom<ToolDefinition>((value) => jsonObject.safeParse(value).success)

export const submitBody = z.strictObject({
  submission: name,
  from: remoteCaller,
  kind: targetKind.optional(),
  server: serverName,
  tool: name,
  args: jsonObject,
  extraParams: jsonObject.optional(),
  droppedParams: z.array(z.string().max(1_000)).max(100).optional(),
  connection: connection.optional(),
  /** Comes back to this approval instead of being judged anew. */
  attach: name.optional(),
  /** As of `SubmitOptions`. */
  leavesAnswered: z.boolean().optional(),
  /** The ids that processes of the service gave this server's tools when they were told them. */
  told: z.array(name).max(64),
  /** The tool as the caller's connection lists it, where that is not as it was told. */
  definition: toolDefinition.optional(),
  program: program.optional(),
})
export type SubmitBody = z.infer<typeof submitBody>

/** Says that a call which the service had told this program to run still runs, or has ended, here: the service that said so is gone. */
export const resumeBody = z.strictObject({ from: remoteCaller, approval: name })
export type ResumeBody = z.infer<typeof resumeBody>

const target = z.strictObject({ kind: targetKind, server: name, name: z.string().max(10_000) })

export const judgeBody = z.strictObject({
  from: remoteCaller,
  targets: z
    .array(target)
    .max(mostJudged.names)
    .refine(
      (targets) => targets.reduce((sum, target) => sum + target.name.length, 0) <= mostJudged.characters,
      `have names of more than ${mostJudged.characters} characters together`,
    ),
  args: jsonObject.optional(),
  connection: connection.optional(),
  program: program.optional(),
})
/** As of a submission: how the caller's connection lists the tool. */
const asListed = { told: z.array(name).max(64).optional(), definition: toolDefinition.optional() }

export const mayStillRunBody = z.strictObject({
  from: remoteCaller,
  target,
  args: jsonObject,
  approval: name.nullable(),
  /** As of the line that let it run. */
  grant: name.optional(),
  connection: connection.optional(),
  program: program.optional(),
  ...asListed,
})
/** The service has the arguments of what was approved. */
export const mayStillSendBody = z.strictObject({ from: remoteCaller, target, program: program.optional(), ...asListed })
export const toolsBody = z.strictObject({
  server: serverName,
  tools: z.array(z.custom<ToolDefinition>((value) => jsonObject.safeParse(value).success)).max(10_000),
  program: program.optional(),
})
export const instructionsBody = z.strictObject({ server: serverName, instructions: z.string().optional() })
export const cancelBody = z.strictObject({
  from: remoteCaller,
  approval: name,
  detail: z.string().max(1_000).optional(),
})
export const endBody = z.strictObject({ from: remoteCaller })
/** Which client a program stands before, as that says itself, and the folder they work in. People are shown it; it decides nothing. */
export const launchSwitches = ["--allow-all", "--allow-all-tools", "--allow-all-paths", "--allow-all-urls"] as const
export type LaunchSwitch = (typeof launchSwitches)[number]
const launchSwitch = z.enum(launchSwitches)

export const seenBody = z.strictObject({
  from: remoteCaller,
  client: z.string().max(1_000).nullable(),
  folder: z.string().max(10_000).nullable(),
  /** The switches that its program was started with, by which that asks less by itself. */
  switches: z.array(launchSwitch).max(4).exactOptional(),
})
/** A session that is over soon after this connection has ended, unless another says the same by then. */
export const attendBody = z.strictObject({ from: remoteCaller })
export type AttendBody = z.infer<typeof attendBody>
/** An answer given in the client; it counts only if the configuration says so. */
export const clientAnswerBody = z.strictObject({
  approval: name,
  kind: z.enum(["approve", "deny"]),
  digest: name,
})
export const settleBody = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("succeeded"), result: jsonValue }),
  z.strictObject({ kind: z.literal("failed"), error: jsonValue }),
  z.strictObject({ kind: z.literal("unknown"), detail: z.string() }),
])

/** One line of the answer to a submission, in the order things happen. Empty lines keep the connection alive. */
export type SubmitLine =
  /** Tell this process the server's tools, then submit again. Nothing was judged. */
  | { readonly type: "tell"; readonly instance: string }
  /** `decidesInClient`: an answer given in the client counts. */
  | { readonly type: "held"; readonly approval: Approval; readonly decidesInClient?: boolean }
  /** Run it now, with these arguments, and settle it under this id; one that is resumed is only settled under it. Null or absent: as sent. */
  | {
      readonly type: "run"
      readonly run: string
      readonly args: JsonObject | null
      readonly approval: string | null
      /** The params shown to the approver, if another call than this one first asked; null: there are none. */
      readonly extraParams?: JsonObject | null
      /** As of the run's context. */
      readonly holdsUntil?: number
      /** As of the run's context. */
      readonly grant?: string
    }
  | { readonly type: "cancelled" }
  /** Null: there is no such approval to come back to. */
  | { readonly type: "outcome"; readonly outcome: Outcome | null }

export type JudgeAnswer = { readonly decisions: readonly Decision[] }
/** `unknown`: nothing was judged, since this process knows none of the listings by which the tool was named; send its definition. */
export type MayStillRunAnswer = { readonly mayRun: boolean | "unknown" }
/** The id that this process of the service gives to the reported tools: while nobody reports others, they need not be reported again. */
export type ToolsAnswer = {
  readonly instance: string
  /** Another program than the accepted one: everything of this server is asked until a reviewer accepts it. */
  readonly isOtherProgram?: boolean
}
/** In the order the tools were given: true, as it is; a definition, that one instead; null, not at all. */
export type OfferedAnswer = { readonly offered: ReadonlyArray<true | ToolDefinition | null> }
export type InstructionsAnswer = { readonly instructions: string | null }
