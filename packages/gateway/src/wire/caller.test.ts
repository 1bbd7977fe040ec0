import { expect, it } from "vitest"
import { shareOf } from "./caller.ts"

it.each([
  { name: "sessions of one agent", principal: "laptop", shares: 1 },
  { name: "agent runs", principal: "run", shares: 2 },
  { name: "conversations", principal: "chat", shares: 2 },
])("$name have $shares shares of a server's time", ({ principal, shares }) => {
  const of = (id: string) => shareOf({ principal: { id: principal }, session: { principal, id, named: true } })
  expect(new Set([of("one"), of("two")]).size).toBe(shares)
})
