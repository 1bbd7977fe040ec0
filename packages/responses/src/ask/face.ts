import { type AgentRun, asObject, type JsonObject, listAt, memberAt, objectAt, textAt } from "@byleave/core"
import type { LegSettings, OfferedTool, RunsOptions } from "@byleave/runs"
import { jsonSchema, type ModelMessage, type ToolSet, tool } from "ai"
import { readLegs } from "../leg/stored-leg.ts"

/** The data that this package keeps with a run, in its setup. */
export type ResponsesFace = {
  readonly kind: "responses"
  /** False: neither retrieved nor followed up by id. */
  readonly store: boolean
  /** The leg that listed a server's tools, by label; 0: the input did. */
  readonly listed: ReadonlyArray<readonly [label: string, leg: number]>
  /** The requests, each valid from its leg on; a leg that only answers approvals continues with the request before. */
  readonly requests: readonly KeptRequest[]
  /** Outputs of functions that came with answers to approvals, for the leg that begins once all are answered. */
  readonly outputs?: { readonly leg: number; readonly messages: readonly ModelMessage[] }
  /** Legs whose responses were deleted. */
  readonly deleted: readonly number[]
}

export type KeptRequest = {
  readonly leg: number
  readonly model: string
  /** The part of the request that the response repeats. */
  readonly echo: JsonObject
  readonly servers: readonly NamedServer[]
  readonly settings: FaceSettings
}

/** A server of the configuration under the label that the request has for it. */
export type NamedServer = {
  readonly label: string
  readonly server: string
  /** The tools that may be used; null: all. */
  readonly allowed: ToolFilter | null
  readonly asks: AskFilter
}

export type ToolFilter = { readonly names?: readonly string[]; readonly readOnly?: boolean }

/** Which calls the caller wants to be asked about. Tools in neither list go by `otherwise`. */
export type AskFilter = {
  readonly always?: ToolFilter
  readonly never?: ToolFilter
  readonly otherwise: boolean
}

export type CallerFunction = {
  readonly name: string
  readonly description?: string
  readonly parameters: JsonObject
}

export type FaceSettings = {
  readonly temperature?: number
  readonly topP?: number
  readonly maxOutputTokens?: number
  readonly toolChoice?: "none" | "required" | { readonly function: string }
}

export function faceOf(run: Pick<AgentRun, "setup">): ResponsesFace | null {
  const { face } = run.setup
  // Only this package writes this kind.
  return face?.kind === "responses" ? (face as unknown as ResponsesFace) : null
}

/** The request that applies to a leg; undefined if none is that old. */
export function requestAt({ requests }: ResponsesFace, leg: number): KeptRequest | undefined {
  return requests.findLast((request) => request.leg <= leg)
}

/** Functions that the caller carries out. */
export function functionsIn({ echo }: KeptRequest): readonly CallerFunction[] {
  return (listAt(echo, "tools") ?? []).flatMap((entry) => {
    const given = asObject(entry)
    const name = textAt(given, "name")
    if (name === undefined || textAt(given, "type") !== "function") return []
    const description = textAt(given, "description")
    const parameters = objectAt(given, "parameters") ?? { type: "object", properties: {} }
    return [{ name, ...(description === undefined ? {} : { description }), parameters }]
  })
}

export function asSetupFace(face: ResponsesFace): JsonObject {
  return face as unknown as JsonObject
}

/** The hooks with which runs treat the runs that this package starts; other runs are left as they are. */
export const responsesHooks: Required<
  Pick<RunsOptions, "faceTools" | "offers" | "askFirst" | "modelSettings" | "broughtInput">
> = {
  broughtInput: async (run, gate) => {
    const face = faceOf(run)
    const request = currentOf(run)
    if (face === null || request === undefined) return []
    if (face.outputs?.leg === run.legs + 1) return face.outputs.messages
    const functions = new Set(functionsIn(request).map(({ name }) => name))
    const leg = functions.size === 0 ? undefined : (await readLegs(gate, run.id)).get(run.legs)
    return leg?.calls().some(({ tool: name }) => functions.has(name)) === true ? "missing" : []
  },
  faceTools: (run) => functionTools(currentOf(run)),
  offers: (run, offered) => {
    const request = currentOf(run)
    if (request === undefined) return true
    const named = serverOf(request, offered)
    return named !== undefined && isAllowed(named, offered)
  },
  askFirst: (run, offered) => {
    const request = currentOf(run)
    const named = request === undefined ? undefined : serverOf(request, offered)
    return named !== undefined && wantsToBeAsked(named.asks, offered)
  },
  modelSettings: (run) => settingsOf(currentOf(run)),
}

function currentOf(run: AgentRun): KeptRequest | undefined {
  return faceOf(run)?.requests.at(-1)
}

function serverOf({ servers }: KeptRequest, { ref }: OfferedTool): NamedServer | undefined {
  return servers.find(({ server }) => server === ref.server)
}

export function isAllowed({ allowed }: NamedServer, offered: OfferedTool): boolean {
  return allowed === null || matches(allowed, offered)
}

function wantsToBeAsked({ always, never, otherwise }: AskFilter, offered: OfferedTool): boolean {
  if (always !== undefined && matches(always, offered)) return true
  if (never !== undefined && matches(never, offered)) return false
  return otherwise
}

/** A filter without any condition matches nothing. */
function matches({ names, readOnly }: ToolFilter, offered: OfferedTool): boolean {
  if (names === undefined && readOnly === undefined) return false
  if (names !== undefined && !names.includes(offered.ref.tool)) return false
  return readOnly === undefined || readOnly === isReadOnly(offered)
}

export function isReadOnly({ listed }: OfferedTool): boolean {
  return memberAt(objectAt(listed?.definition, "annotations"), "readOnlyHint") === true
}

function functionTools(request: KeptRequest | undefined): ToolSet {
  const functions = request === undefined ? [] : functionsIn(request)
  return Object.fromEntries(
    functions.map(({ name, description, parameters }) => [
      name,
      tool({ ...(description === undefined ? {} : { description }), inputSchema: jsonSchema(parameters) }),
    ]),
  )
}

function settingsOf(request: KeptRequest | undefined): LegSettings {
  if (request === undefined) return {}
  const { toolChoice, ...rest } = request.settings
  if (toolChoice === undefined) return rest
  return {
    ...rest,
    toolChoice: typeof toolChoice === "string" ? toolChoice : { type: "tool", toolName: toolChoice.function },
  }
}
