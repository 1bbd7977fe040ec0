/**
 * How many servers, and definitions of them, one program's credential may have known here: people look through all of them, and every one that
 * is new is remembered until somebody answers it.
 *
 * I1. No credential has more than its share, also when it tells of many servers at once, or of one again and again under other names.
 * I2. A program that tells other things of a server each time takes up a small part of everybody's time and of the record: its tellings go one after
 *     the other, others have a turn in between, and each rests as its changes need. Nobody else's telling waits for that rest.
 * I3. A credential takes up a small part of everybody's time with all its programs together: what is long to compare or changes something rests
 *     for a multiple of the time that the last such telling took. A short telling that changes nothing, as the first of a server, waits for no other's.
 */
import { createRest, isLongTelling, type Pace, type Rest, type TellingRest, type ToolDefinition } from "@byleave/core"
import { definitionSize } from "./gate/definition-size.ts"
import { createProgramTurns, tooMuchWaits } from "./gate/program-turns.ts"
import { createSharedRoom, type OneProgram, type SharedRoom } from "./guard/shared-room.ts"
import { createTellingLanes } from "./telling-lanes.ts"

/** `bytes`: memory of all definitions together, roughly. */
export const programShare = { servers: 200, definitions: 10_000, bytes: 32_000_000 } as const

/** As many as it may have servers, and their definitions twice. */
const mostWaiting = { pieces: 256, bytes: 64_000_000 }

/** Where a credential has more known, also a small telling takes time. */
const muchKnown = 5_000_000

/** How many bytes each definition has that is known, by server and tool. */
export type KnownDefinitions = ReadonlyMap<string, ReadonlyMap<string, number>>

export type ProgramTelling = {
  readonly server: string
  readonly tools: readonly ToolDefinition[]
  /** How much of it is not as it was told before; asked when it is its turn. */
  readonly changes: () => number
  readonly makeKnown: () => Promise<void>
}

export type RefusedTelling = { readonly code: "too-many" | "too-busy"; readonly detail: string }

export type ProgramShares = {
  /** Makes a telling known, or says why not. Tellings of one credential go one after the other. */
  readonly within: (who: OneProgram, telling: ProgramTelling) => Promise<RefusedTelling | null>
}

export type SharesPorts = {
  /** Of the servers that were last told by this credential. */
  readonly knownOf: (credential: string) => Promise<KnownDefinitions>
  readonly pace: Pace
  /** Resolved after all other ready work has had its turn. */
  readonly nextTurn: () => Promise<unknown>
}

/** `hasMuch`: it had more known than a little when it told last. */
type Credential = { readonly room: SharedRoom; readonly rest: Rest; hasMuch: boolean }

/** Of the time that a credential's telling took, before its next. */
const restTimesInAll = 3

export function createProgramShares({ knownOf, pace, nextTurn }: SharesPorts): ProgramShares {
  // Of all tellings, and of those that rest for their credential: a short one need not stand behind these.
  const turns = createProgramTurns(mostWaiting, nextTurn)
  const costly = createProgramTurns(mostWaiting, nextTurn)
  const lanes = createTellingLanes(pace)
  const credentials = new Map<string, Credential>()
  const ownOf = (token: string): Credential => {
    const opened = () => ({ room: createSharedRoom(mostWaiting), rest: createRest(pace), hasMuch: false })
    const own = credentials.get(token) ?? opened()
    credentials.set(token, own)
    return own
  }
  const tell = async (token: string, own: TellingRest, telling: ProgramTelling): Promise<RefusedTelling | null> => {
    const began = pace.now()
    const sizes = sizesWith(await knownOf(token), telling)
    const refused = tooMuch(sizes)
    if (refused !== null) return { code: "too-many", detail: refused }
    const changes = telling.changes()
    try {
      await telling.makeKnown()
    } finally {
      const credential = ownOf(token)
      credential.hasMuch = sizes.bytes > muchKnown
      const characters = credential.hasMuch ? sizes.bytes : bytesOf(telling.tools)
      const told = { began, tools: telling.tools.length, characters, changes }
      own.after(told)
      if (changes > 0 || isLongTelling(told)) credential.rest.begin(restTimesInAll * (pace.now() - began))
    }
    return null
  }
  return {
    within: async ({ token, program }, telling) => {
      const bytes = bytesOf(telling.tools)
      const credential = ownOf(token)
      if (!credential.room.mayEnter(program, bytes)) return { code: "too-busy", detail: tooMuchWaits }
      credential.room.enter(program, bytes)
      try {
        return await lanes.inTurn({ token, program, server: telling.server }, (rest) => {
          const piece = { token, program, bytes }
          const told = () => turns.finish(piece, () => tell(token, rest, telling))
          if (isCheap(credential, telling, bytes)) return told()
          return costly.finish(piece, async () => {
            await credential.rest.over()
            return told()
          })
        })
      } finally {
        credential.room.leave(program, bytes)
      }
    },
  }
}

function isCheap({ hasMuch }: Credential, { tools, changes }: ProgramTelling, bytes: number): boolean {
  return !hasMuch && !isLongTelling({ tools: tools.length, characters: bytes }) && changes() === 0
}

function bytesOf(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => sum + definitionSize(tool).bytes, 0)
}

type Sizes = { readonly servers: number; readonly definitions: number; readonly bytes: number }

/** Of all that is known with what is told. */
function sizesWith(known: KnownDefinitions, { server, tools }: ProgramTelling): Sizes {
  const next = new Map(known.get(server))
  for (const tool of tools) next.set(tool.name, Math.max(next.get(tool.name) ?? 0, definitionSize(tool).bytes))
  let [definitions, bytes] = [0, 0]
  for (const sizes of new Map(known).set(server, next).values()) {
    definitions += sizes.size
    for (const size of sizes.values()) bytes += size
  }
  return { servers: known.has(server) ? 0 : known.size, definitions, bytes }
}

/** `servers`: that it has beside a new one. */
function tooMuch(sizes: Sizes): string | null {
  const { servers, definitions, bytes } = programShare
  if (sizes.servers >= servers) {
    return `This credential has ${servers} servers here, which is as many as it may. Use another credential for more of them.`
  }
  if (sizes.definitions > definitions) {
    return `This credential's servers have more than ${definitions} tools together, which is more than it may. Use another credential for some of them.`
  }
  if (sizes.bytes <= bytes) return null
  return `The tools of this credential's servers take up more than ${bytes / 1_000_000} MB together, which is more than it may. Shorten them, or use another credential for some of the servers.`
}
