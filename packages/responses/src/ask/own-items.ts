import { approvedCalls } from "../leg/approved-calls.ts"
import { createOutputBuilder } from "../leg/output-builder.ts"
import { readLegs, type StoredLeg } from "../leg/stored-leg.ts"
import { labeller } from "../leg/tell-response.ts"
import { type OwnRun, ownRun, type ResponsesCaller, type ResponsesWorld, toolsOf } from "../responses-world.ts"
import { runOfItem } from "../wire/ids.ts"
import type { OutputItem } from "../wire/items.ts"
import { wireErrors } from "../wire/wire-error.ts"
import { requestAt } from "./face.ts"
import type { InputItem } from "./request-body.ts"

/** A run of the caller with everything it said. */
export type KnownRun = OwnRun & {
  readonly legs: ReadonlyMap<number, StoredLeg>
  readonly items: ReadonlyMap<string, OutputItem>
}

/** Reads each run of the caller once, however many items name it. */
export type OwnItems = {
  /** The run as it stands, without reading what it said. */
  readonly state: (id: string) => Promise<OwnRun | null>
  readonly run: (id: string) => Promise<KnownRun | null>
  /** Each reference as the item that it names. */
  readonly resolve: (items: readonly InputItem[]) => Promise<readonly InputItem[]>
}

export function createOwnItems(world: ResponsesWorld, caller: ResponsesCaller): OwnItems {
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
    const item = own?.face.store === true ? own.items.get(id) : undefined
    if (item === undefined) throw wireErrors.noItem(id)
    return asInput(item)
  }
  return {
    state: (id) => ownRun(world, id, caller),
    run,
    resolve: async (items) => {
      const resolved: InputItem[] = []
      for (const item of items) resolved.push(item.type === "item_reference" ? await resolveOne(item.id) : item)
      return resolved
    },
  }
}

async function readRun(world: ResponsesWorld, caller: ResponsesCaller, id: string): Promise<KnownRun | null> {
  const own = await ownRun(world, id, caller)
  if (own === null) return null
  const legs = await readLegs(world.gate, id)
  const { tools } = await toolsOf(world, own.run, own.run.setup.servers)
  const items = new Map<string, OutputItem>()
  for (const [leg, stored] of legs) {
    const at = { run: id, leg }
    const approved = await approvedCalls(world, own.run, at, legs)
    const output = createOutputBuilder(at, labeller(requestAt(own.face, leg), tools), approved)
    output.list(own.face.listed.flatMap(([label, at]) => (at === leg ? [{ server_label: label, tools: [] }] : [])))
    output.begin()
    for (const event of stored.events) output.add(event)
    output.cut()
    output.ask(stored.asked)
    for (const item of output.items()) items.set(item.id, item)
  }
  return { ...own, legs, items }
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
