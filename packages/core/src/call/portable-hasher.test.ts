import fc from "fast-check"
import { it } from "vitest"
import { nodeHasher } from "../node/hasher.ts"
import { portableHasher } from "./portable-hasher.ts"

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom("", "\ud800", "é".repeat(1_000)))

it("hashes every text as Node does", () => {
  fc.assert(fc.property(text, (input) => portableHasher.sha256(input) === nodeHasher.sha256(input)))
})

it("keys every hash as Node does", () => {
  fc.assert(
    fc.property(
      text,
      text,
      (key, input) => portableHasher.hmacSha256(key, input) === nodeHasher.hmacSha256(key, input),
    ),
  )
})
