import { readStoredJson } from "@byleave/core"
import { createParser } from "eventsource-parser"
import type { EventView } from "../views/event-view.ts"
import type { RunEventView } from "../views/run-view.ts"

/** The events of one SSE response, in order; comments and what is no event of ours are passed over. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<EventView> {
  for await (const event of readData(body)) if (isEvent(event)) yield event
}

/** The news of one run, as one SSE response tells them. Types that are not known yet are passed on: readers pass over them. */
export async function* readRunEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEventView> {
  for await (const event of readData(body)) if (isRunEvent(event)) yield event
}

async function* readData(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let read: unknown[] = []
  const parser = createParser({ onEvent: ({ data }) => void read.push(data === "" ? null : readStoredJson(data)) })
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

function isRunEvent(event: unknown): event is RunEventView {
  return typeof event === "object" && event !== null && "type" in event && typeof event.type === "string"
}
