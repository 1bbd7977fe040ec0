import { createParser } from "eventsource-parser"
import type { EventView } from "../views/event-view.ts"

/** The events of one SSE response, in order; comments and what is no event of ours are passed over. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<EventView> {
  const decoder = new TextDecoder()
  let read: EventView[] = []
  const parser = createParser({
    onEvent: ({ data }) => {
      const event: unknown = data === "" ? null : JSON.parse(data)
      if (isEvent(event)) read.push(event)
    },
  })
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield* read
    read = []
  }
}

function isEvent(event: unknown): event is EventView {
  if (typeof event !== "object" || event === null) return false
  const { seq, type, subject, at } = event as Partial<EventView>
  return (
    Number.isSafeInteger(seq) && typeof type === "string" && typeof subject === "string" && Number.isSafeInteger(at)
  )
}
