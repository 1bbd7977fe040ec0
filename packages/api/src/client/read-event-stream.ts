import type { EventView } from "../views/event-view.ts"

/** The events of one SSE response, in order; comments and what is no event of ours are passed over. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<EventView> {
  let rest = ""
  const decoder = new TextDecoder()
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(bytes, { stream: true })
    const blocks = rest.split("\n\n")
    rest = blocks.pop() ?? ""
    for (const block of blocks) {
      const event = eventOf(block)
      if (event !== null) yield event
    }
  }
}

function eventOf(block: string): EventView | null {
  const data = block
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
    .join("\n")
  if (data === "") return null
  const event: unknown = JSON.parse(data)
  return isEvent(event) ? event : null
}

function isEvent(event: unknown): event is EventView {
  if (typeof event !== "object" || event === null) return false
  const { seq, type, subject, at } = event as Partial<EventView>
  return (
    Number.isSafeInteger(seq) && typeof type === "string" && typeof subject === "string" && Number.isSafeInteger(at)
  )
}
