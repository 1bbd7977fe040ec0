import {
  type Address,
  askService,
  type ClientOptions,
  type Input,
  readBody,
  type ServiceReply,
} from "../gate/ask-service.ts"
import { routeLines } from "../route-lines.ts"
import type { Client } from "./create-client.ts"
import { textStreams } from "./text-streams.ts"

/**
 * The client for pages: it brings no schemas, which are half as large as a page may be, and takes the service that served the page by its
 * word. Everywhere else `createClient` holds each answer to its schema.
 */
export function createPageClient(options: ClientOptions): Client {
  const table = Object.fromEntries(Object.entries(routeLines).map(([name, line]) => [name, addressOf(line)]))
  const calls = Object.entries(table).map(([name, route]) => [name, (input?: Input) => callJson(options, route, input)])
  return {
    ...Object.fromEntries(calls),
    ...textStreams(options, table as Parameters<typeof textStreams>[1]),
  } as Client
}

function addressOf(line: string): Address {
  const [method, path = "", kind, ...type] = line.split(" ")
  const answer = kind === "text" ? { kind, type: type.join(" ") } : { kind: kind === "json" ? kind : "nothing" }
  return { method, path, answer } as Address
}

async function callJson(options: ClientOptions, route: Address, input: Input = {}): Promise<ServiceReply<unknown>> {
  const reply = await askService(options, route, input)
  if (!reply.ok) return reply
  return { ok: true, value: route.answer.kind === "json" ? readBody(await reply.value.text()) : null }
}
