import fc from "fast-check"
import { expect, it } from "vitest"
import type { Call } from "../../call/call.ts"
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

it("no call has the digest of a tool's whose arguments are written like it", () => {
  const { args } = fc.letrec<{ args: JsonObject }>((tie) => ({
    args: fc.oneof(
      { maxDepth: 3 },
      fc.constant<JsonObject>({ x: 1 }),
      fc.record<JsonObject>({ kind: fc.constantFrom("tool", "resource"), args: tie("args"), extra: tie("args") }),
    ),
  }))
  const kinds = fc.constantFrom("tool" as const, "resource" as const)
  fc.assert(
    fc.property(kinds, args, args, (kind, inner, extra) => {
      const written = { kind: "tool", args: { kind, args: inner, extra } } as const
      expect(digestOf(written)).not.toBe(digestOf({ kind, args: inner, extraParams: extra }))
    }),
  )
})
