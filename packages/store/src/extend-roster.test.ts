import { rosterIsSigned, signRoster } from "@byleave/core"
import { ed25519Signer, newSigningKey } from "@byleave/core/node"
import { expect, it } from "vitest"
import { extendRoster } from "./extend-roster.ts"

const signer = ed25519Signer(newSigningKey())

it("names the writers before and the new one, signed", () => {
  const first = extendRoster(undefined, "b", signer)
  const second = extendRoster(first, "a", signer)
  expect(second.writers).toEqual(["a", "b"])
  expect(rosterIsSigned(second, signer)).toBe(true)
})

it("does not sign over a roster from which somebody took a writer", () => {
  const forged = { ...signRoster(["a", "b"], signer), writers: ["b"] }
  const extended = extendRoster(forged, "c", signer)
  expect(extended.writers).toEqual(["b", "c"])
  expect(rosterIsSigned(extended, signer)).toBe(false)
})

it("signs with a new key what an old key signed", () => {
  const before = signRoster(["a"], ed25519Signer(newSigningKey()))
  const extended = extendRoster(before, "b", signer)
  expect(extended.writers).toEqual(["a", "b"])
  expect(rosterIsSigned(extended, signer)).toBe(true)
})
