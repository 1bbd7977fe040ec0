import type { RunOutcome } from "@byleave/core"
import { expect, it } from "vitest"
import type { GateTransport } from "./gate-transport.ts"
import { mostBodyBytes } from "./gate-wire.ts"
import { tellOutcome } from "./tell-outcome.ts"

/** A service that takes so many bytes. */
function taking(bytes: number) {
  const bodies: string[] = []
  const transport: GateTransport = {
    post: async (_path, body) => {
      bodies.push(body)
      return { status: new TextEncoder().encode(body).byteLength > bytes ? 413 : 200, text: "{}" }
    },
    get: async () => ({ status: 404, text: "{}" }),
  }
  return { transport, bodies }
}

const large = "ä".repeat(mostBodyBytes / 2)

it.each<{ name: string; ran: RunOutcome; bytes: number; posts: number }>([
  { name: "more than any service takes", ran: { kind: "succeeded", result: large }, bytes: mostBodyBytes, posts: 1 },
  { name: "more than this one takes", ran: { kind: "failed", error: "a".repeat(2_000) }, bytes: 1_000, posts: 2 },
])("I1: of an outcome that is $name, it is told how the run ended", async ({ ran, bytes, posts }) => {
  const { transport, bodies } = taking(bytes)
  let isTooLarge = false
  const onTooLarge = (): void => {
    isTooLarge = true
  }
  expect(await tellOutcome(transport, "r1", ran, { onTooLarge })).toMatchObject({ status: 200 })
  expect(JSON.parse(bodies.at(-1) ?? "")).toMatchObject({ kind: ran.kind })
  expect([bodies.length, isTooLarge]).toEqual([posts, true])
})

it("an outcome that fits is told as it is", async () => {
  const ran: RunOutcome = { kind: "succeeded", result: "a".repeat(mostBodyBytes / 2) }
  const { transport, bodies } = taking(mostBodyBytes)
  await tellOutcome(transport, "r1", ran)
  expect(bodies).toEqual([JSON.stringify(ran)])
})
