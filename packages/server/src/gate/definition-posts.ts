/**
 * Programs elsewhere tell the service of their servers: tools and instructions.
 *
 * I1. No program says what the tools of a server are that the service reaches itself.
 * I2. No definition has more values than a call may have.
 * I3. No program tells of, or is told of, a server whose name is another credential's.
 */
import {
  gatePaths,
  type InstructionsAnswer,
  instructionsBody,
  type OfferedAnswer,
  type ToolsAnswer,
  toolsBody,
} from "@byleave/api"
import { defaultJsonValues, type ToolDefinition } from "@byleave/core"
import { withProgram } from "../program-definition.ts"
import { definitionSize } from "./definition-size.ts"
import { given, problem } from "./gate-answer.ts"
import { type GateRouteContext, isServedHere, ownKey } from "./gate-context.ts"
import { makeKnown, ownName, refuseAnothers } from "./make-known.ts"
import { mostValues, mostValuesOfServers, type PostRoute, readPost } from "./read-post.ts"

export function definitionPosts(doors: GateRouteContext): readonly (readonly [string, PostRoute])[] {
  const { gate, listings } = doors
  const bytes = doors.maxBodyBytes
  const taking = readPost({ bytes, values: mostValues })
  const takingListing = readPost({ bytes, values: mostValuesOfServers })
  const tools = takingListing(toolsBody, async ({ server, tools, program }, who) => {
    if (isServedHere(doors, server)) return problem("not-yours")
    const taken = await refuseAnothers(doors, who, server)
    if (taken !== null) return problem(taken.code, taken.detail)
    const tooLarge = tools.find(hasTooManyValues)
    if (tooLarge !== undefined) return problem("bad-body", tooManyValues)
    const listed = withProgram(tools, program)
    const told = once(() => listings.describe(listed))
    const refused = await makeKnown(doors, who, {
      ...{ server, tools: listed },
      changes: () => listings.changes(server, told()),
      makeKnown: async (mayTell) => {
        await gate.seeTools(server, told().tools, listings.elsewhere(server, told()), mayTell)
        listings.add(server, who.token, told())
      },
    })
    if (refused !== null) return problem(refused.code, refused.detail)
    doors.told.add(ownKey(who, server))
    const isOtherProgram = (await doors.isOtherProgram?.(server)) === true
    return given({ instance: told().id, isOtherProgram } satisfies ToolsAnswer)
  })
  const offered = takingListing(toolsBody, async ({ server, tools }, who) => {
    if (isServedHere(doors, server)) return problem("not-yours")
    const refused = await ownName(doors, who, server)
    if (refused !== null) return problem(refused.code, refused.detail)
    const byName = new Map((await gate.offeredTools(server, tools)).map((tool) => [tool.name, tool]))
    const instead = tools.map((tool) => {
      const told = byName.get(tool.name) ?? null
      return told === tool ? true : told
    })
    return given({ offered: instead } satisfies OfferedAnswer)
  })
  const instructions = taking(instructionsBody, async ({ server, instructions: said }, who) => {
    if (isServedHere(doors, server)) return problem("not-yours")
    const taken = await refuseAnothers(doors, who, server)
    if (taken !== null) return problem(taken.code, taken.detail)
    let told: string | undefined
    const refused = await makeKnown(doors, who, {
      server,
      // As its pin keeps them.
      tools: said === undefined ? [] : [{ name: "", instructions: said }],
      changes: () => 1,
      makeKnown: async (mayTell) => {
        told = await gate.seeInstructions(server, said, mayTell)
      },
    })
    if (refused !== null) return problem(refused.code, refused.detail)
    return given({ instructions: told ?? null } satisfies InstructionsAnswer)
  })
  return [
    [gatePaths.tools, tools],
    [gatePaths.offered, offered],
    [gatePaths.instructions, instructions],
  ]
}

const tooManyValues = `A tool's definition has more than ${defaultJsonValues} values, the most that it may. Shorten it.`

function hasTooManyValues(tool: ToolDefinition): boolean {
  return definitionSize(tool).values > defaultJsonValues
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
