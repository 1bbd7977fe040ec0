import { type Address, askService, bodyOf, type ClientOptions } from "../gate/ask-service.ts"
import type { Client, TextRoute } from "./create-client.ts"
import { readEventStream, readRunEvents } from "./read-event-stream.ts"

/** Routes whose answers are not JSON, and which therefore have no generated function. */
export function textStreams(
  options: ClientOptions,
  table: Readonly<Record<TextRoute, Address>>,
): Pick<Client, "events" | "runEvents" | "stream"> {
  return {
    events: async ({ after, signal }) => {
      const query = after === undefined ? {} : { after }
      const reply = await askService(options, table.events, { query, ...(signal === undefined ? {} : { signal }) })
      return reply.ok ? { ok: true, value: readEventStream(bodyOf(reply.value)) } : reply
    },
    runEvents: async (input) => {
      const reply = await askService(options, table.runEvents, input)
      return reply.ok ? { ok: true, value: readRunEvents(bodyOf(reply.value)) } : reply
    },
    stream: async (name, input = {}) => {
      const reply = await askService(options, table[name], input)
      return reply.ok ? { ok: true, value: bodyOf(reply.value) } : reply
    },
  }
}
