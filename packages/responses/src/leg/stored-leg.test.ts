import type { JournalLine } from "@byleave/core"
import { expect, it } from "vitest"
import { readLegs } from "./stored-leg.ts"

it("messages of a leg are read when they are asked for, each leg's with those before it", async () => {
  const said = (content: string) => JSON.stringify({ messages: [{ role: "user", content }] })
  const lines = [
    { name: "input 1", text: said("one") },
    { name: "leg 1", text: JSON.stringify({ messages: [{ role: "assistant", content: "yes" }] }) },
    { name: "input 2", text: "This is no JSON." },
  ].map((line, before): JournalLine => ({ run: "r", seq: before + 1, at: 1, ...line }))
  const gate = { journal: async (_: string, after: number) => lines.filter(({ seq }) => seq > after) }
  const legs = await readLegs(gate, "r")
  expect(legs.get(1)?.input()).toEqual([{ role: "user", content: "one" }])
  expect(
    legs
      .get(1)
      ?.messages()
      .map(({ role }) => role),
  ).toEqual(["user", "assistant"])
  expect(() => legs.get(2)?.input()).toThrow(SyntaxError)
  expect(() => legs.get(2)?.messages()).toThrow(SyntaxError)
})
