import { expect, it } from "vitest"
import { readRunEvents } from "./read-event-stream.ts"

it("keeps numbers of arguments as they were written", async () => {
  const part = '{"type":"tool-call","toolCall":"c","name":"t__pay","args":{"account":12345678901234567890}}'
  const body = new Response(`data: {"type":"part","leg":1,"part":${part}}\n\n`).body
  if (body === null) throw new Error("There is no body.")
  const events = await Array.fromAsync(readRunEvents(body))
  expect(JSON.stringify(events)).toContain('{"account":12345678901234567890}')
})
