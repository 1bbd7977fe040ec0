import fc from "fast-check"
import { expect, it } from "vitest"
import type { Call } from "../../call/call.ts"
import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { nodeHasher } from "../../node/index.ts"
import { callDigestOf } from "./judge-call.ts"

type Digested = {
  readonly kind: NonNullable<Call["kind"]>
  readonly args: JsonObject
  readonly extraParams?: JsonObject
}

const digestOf = ({ args, ...call }: Digested): string => callDigestOf({ options: { hasher: nodeHasher } }, call, args)

it("arguments that read like another call with its extra params are not that call", () => {
  const args = { path: "a" }
  const extra = { task: {} }
  expect(digestOf({ kind: "tool", args: { kind: "tool", args, extra } })).not.toBe(
    digestOf({ kind: "tool", args, extraParams: extra }),
  )
  expect(digestOf({ kind: "tool", args: { kind: "resource", args } })).not.toBe(digestOf({ kind: "resource", args }))
})

it("no two calls share a digest", () => {
  const { args } = fc.letrec<{ args: JsonObject }>((tie) => ({
    args: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonObject>({}, { x: 1 }),
      fc.record<JsonObject>(
        { kind: fc.constantFrom("tool", "resource"), args: tie("args"), extra: tie("args") },
        { requiredKeys: [] },
      ),
    ),
  }))
  const call = fc.record({ kind: fc.constantFrom("tool" as const, "resource" as const), args, extraParams: args })
  fc.assert(
    fc.property(call, call, (one, other) => {
      expect(digestOf(one) === digestOf(other)).toBe(canonicalJson(one) === canonicalJson(other))
    }),
  )
})
