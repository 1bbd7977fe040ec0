/**
 * The items of the caller's runs that a request refers to.
 *
 * I1. A run is read once, and its items are made once, however many of them are named.
 * I2. An item is named once. What all named items have together is no more than a run may have.
 */
import { approvedCalls } from "../leg/approved-calls.ts"
import { createOutputBuilder } from "../leg/output-builder.ts"
import { readLegs, type StoredLeg } from "../leg/stored-leg.ts"
import { labeller } from "../leg/tell-response.ts"
import { type OwnRun, ownRun, type ResponsesCaller, type ResponsesWorld, toolsOf } from "../responses-world.ts"
import { runOfItem } from "../wire/ids.ts"
import type { OutputItem } from "../wire/items.ts"
import { wireErrors } from "../wire/wire-error.ts"
import { requestAt } from "./face.ts"
import { mostNamedBytes } from "./named-runs.ts"
import type { InputItem } from "./request-body.ts"

/** A run of the caller with everything it said. */
export type KnownRun = OwnRun & {
  readonly legs: ReadonlyMap<number, StoredLeg>
  /** By id. Made when they are first asked for: most requests name none. */
  readonly items: () => Promise<ReadonlyMap<string, OutputItem>>
}

export type OwnItems = {
  /** The run as it stands, without reading what it said. */
  readonly state: (id: string) => Promise<OwnRun | null>
  readonly run: (id: string) => Promise<KnownRun | null>
  /** Each reference as the item that it names. */
  readonly resolve: (items: readonly InputItem[]) => Promise<readonly InputItem[]>
}

type ItemsWorld = Pick<ResponsesWorld, "gate" | "tools">

export function createOwnItems(world: ItemsWorld, caller: ResponsesCaller, most = mostNamedBytes): OwnItems {
  const known = new Map<string, Promise<KnownRun | null>>()
  const run = (id: string): Promise<KnownRun | null> => {
    const before = known.get(id)
    if (before !== undefined) return before
    const read = readRun(world, caller, id)
    known.set(id, read)
    return read
  }
  const resolveOne = async (id: string): Promise<InputItem> => {
    const from = runOfItem(id)
    const own = from === null ? null : await run(from)
    const item = own?.face.store === true ? (await own.items()).get(id) : undefined
    if (item === undefined) throw wireErrors.noItem(id)
    return asInput(item)
  }
  return {
    state: (id) => ownRun(world, id, caller),
    run,
    resolve: async (items) => {
      const named = new Set<string>()
      const resolved: InputItem[] = []
      let room = most
      for (const item of items) {
        if (item.type !== "item_reference") {
          resolved.push(item)
          continue
        }
        if (named.has(item.id)) throw wireErrors.namedTwice(item.id)
        named.add(item.id)
        const found = await resolveOne(item.id)
        room -= lengthOf(found)
        if (room < 0) throw wireErrors.tooMuchNamed(most)
        resolved.push(found)
      }
      return resolved
    },
  }
}

async function readRun(world: ItemsWorld, caller: ResponsesCaller, id: string): Promise<KnownRun | null> {
  const own = await ownRun(world, id, caller)
  if (own === null) return null
  const legs = await readLegs(world.gate, id)
  let items: Promise<ReadonlyMap<string, OutputItem>> | undefined
  return {
    ...own,
    legs,
    items: () => {
      items ??= itemsOf(world, own, legs)
      return items
    },
  }
}

async function itemsOf(world: ItemsWorld, own: OwnRun, legs: KnownRun["legs"]): Promise<Map<string, OutputItem>> {
  const { tools } = await toolsOf(world, own.run, own.run.setup.servers)
  const items = new Map<string, OutputItem>()
  for (const [leg, stored] of legs) {
    if (!stored.isLasting) continue
    const at = { run: own.run.id, leg }
    const approved = await approvedCalls(world, own.run, at, legs)
    const output = createOutputBuilder(at, labeller(requestAt(own.face, leg), tools), approved)
    output.list(own.face.listed.flatMap(([label, at]) => (at === leg ? [{ server_label: label, tools: [] }] : [])))
    output.begin()
    for (const event of stored.events()) output.add(event)
    output.cut()
    output.ask(stored.asked)
    for (const item of output.items()) items.set(item.id, item)
  }
  return items
}

/** Of its texts, which are all that can be long. */
function lengthOf(item: InputItem): number {
  switch (item.type) {
    case "message":
      return typeof item.content === "string" ? item.content.length : item.content.reduce(addText, 0)
    case "mcp_call":
      return (
        item.arguments.length + (item.output?.length ?? 0) + (typeof item.error === "string" ? item.error.length : 0)
      )
    case "function_call":
    case "mcp_approval_request":
      return item.arguments.length
    default:
      return 0
  }
}

function addText(sum: number, part: object): number {
  return sum + ("text" in part && typeof part.text === "string" ? part.text.length : 0)
}

function asInput(item: OutputItem): InputItem {
  switch (item.type) {
    case "message":
      return {
        type: "message",
        role: "assistant",
        content: item.content.map(({ text }) => ({ type: "output_text", text })),
      }
    case "reasoning":
      return { type: "reasoning", id: item.id }
    case "mcp_call": {
      const { error, ...rest } = item
      const said = error?.content.map(({ text }) => String(text)).join("\n")
      return { ...rest, ...(said === undefined ? {} : { error: said }) }
    }
    case "function_call":
    case "mcp_list_tools":
    case "mcp_approval_request":
      return item
  }
}
