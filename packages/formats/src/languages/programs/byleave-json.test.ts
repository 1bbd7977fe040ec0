import { defaultLimits, type Policy } from "@byleave/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyPolicy } from "../../../../core/src/policy/fixtures/random-policy.ts"
import { byleaveJson } from "./byleave-json.ts"

/** A policy as data may limit bulk writes to none; a file may not. */
function asFileAllows(policy: Policy): Policy {
  const { bulk, ...limits } = policy.limits
  if (bulk === undefined) return policy
  return { ...policy, limits: { ...limits, bulk: { ...bulk, writes: Math.max(1, bulk.writes) } } }
}

describe("Byleave's own JSON", () => {
  it("carries rules, default, limits and classification exactly, and names what it reports (R130)", () => {
    fc.assert(
      fc.property(anyPolicy.map(asFileAllows), (policy) => {
        const { text, losses } = byleaveJson.write(policy, { known: new Map() })
        const configured = policy.servers.map(({ id }) => id)
        const read = byleaveJson.read(text, { name: "policy.json", servers: [], configured })
        if (!read.ok) throw new Error(JSON.stringify({ problems: read.problems, text }))
        if (losses.length > 0) return
        const again = byleaveJson.write(
          {
            ...policy,
            rules: read.rules,
            default: read.default ?? "ask",
            classify: read.classify,
            limits: { ...defaultLimits, ...read.limits },
          },
          { known: new Map() },
        )
        expect(JSON.parse(again.text)).toEqual(JSON.parse(text))
        const offers = policy.servers.flatMap(({ id, offer }) => (offer ? [{ server: id, tools: offer }] : []))
        expect(read.offers).toEqual(offers)
        expect(read.losses.map(({ path }) => path)).toEqual(["settings", "servers"])
        expect(JSON.parse(text)).toMatchObject({ format: "byleave-policy", version: 1 })
      }),
      { numRuns: 200 },
    )
  })
})
