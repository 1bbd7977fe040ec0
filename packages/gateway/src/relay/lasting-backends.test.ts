import { expect, it } from "vitest"
import type { Caller } from "../wire/caller.ts"
import type { Backend } from "../wire/exchange.ts"
import { createLastingBackends } from "./lasting-backends.ts"

const callerIn = (id: string) => ({ session: { principal: "laptop", id, named: true } }) as Caller
const stream = () => ({ notify: () => {}, inquire: () => Promise.reject(new Error("nobody asks")) })

it("a session listens as long as one of its streams is open, and not while one only waits for its client to come back", async () => {
  const lasting = createLastingBackends(() => {})
  const backend = lasting.of(() => ({ attend: async () => () => {} }) as unknown as Backend)
  const { session } = callerIn("s1")
  expect(lasting.isListening(session)).toBe(false)
  const [first, second] = [
    await backend.attend(callerIn("s1"), stream()),
    await backend.attend(callerIn("s1"), stream()),
  ]
  first()
  first()
  expect(lasting.isListening(session)).toBe(true)
  expect(lasting.isListening(callerIn("s2").session)).toBe(false)
  second()
  expect(lasting.isListening(session)).toBe(false)
  let isOpen = true
  await backend.attend(callerIn("s1"), { ...stream(), isOpen: () => isOpen })
  expect(lasting.isListening(session)).toBe(true)
  isOpen = false
  expect(lasting.isListening(session)).toBe(false)
})
