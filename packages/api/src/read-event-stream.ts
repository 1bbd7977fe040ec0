import { type EventView, eventView } from "./views/event-view.ts"

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
  const parsed = eventView.safeParse(JSON.parse(data))
  return parsed.success ? parsed.data : null
}
