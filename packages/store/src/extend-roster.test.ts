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

it.each([
  {
    name: "names another key beside our signature",
    forged: { ...signRoster(["a"], signer), keyId: "0000000000000000" },
  },
  { name: "another key has signed", forged: signRoster(["a"], ed25519Signer(newSigningKey())) },
])("does not sign over a roster that $name", ({ forged }) => {
  const extended = extendRoster(forged, "b", signer)
  expect(extended).toMatchObject({ writers: ["a", "b"], keyId: forged.keyId })
  expect(rosterIsSigned(extended, signer)).toBe(false)
  expect(rosterIsSigned(extendRoster(extended, "c", signer), signer)).toBe(false)
})
