import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { models } from "../fixtures/models.ts"
import { ownLeave } from "../fixtures/own-leave.ts"
import {
  answerBy,
  anyCall,
  anyKnown,
  anyOwnNamedCall,
  anyOwnNamedKnown,
  anyOwnNamedPolicy,
  anyPlainPolicy,
} from "../fixtures/random-rules.ts"
import { ruleLanguages } from "../languages.ts"
import { strictness } from "../strictness.ts"
import { plainPolicy } from "./plain-policy.ts"

const others = ruleLanguages.filter(({ id }) => id !== "byleave")

describe.each(others)("rules written for $name", ({ id, write }) => {
  const model = models.get(id)

  it("let nothing run that Byleave would not, over 10,000 calls judged by an independent model (R130, R185)", () => {
    let judged = 0
    fc.assert(
      fc.property(
        anyPlainPolicy,
        anyKnown,
        fc.array(anyCall, { minLength: 40, maxLength: 40 }),
        (policy, known, calls) => {
          const { text } = write(policy, { known })
          const theirs = model?.(text)
          const ours = answerBy(policy)
          // Servers that the text does not name are none of its business; the report says so.
          const named = new Map(plainPolicy(policy, known).servers.map((server) => [server.id, server.known]))
          for (const call of calls) {
            judged += 1
            // A tool that nobody knows, and that the program takes for another one by rewriting its name, cannot be seen coming.
            const isKnown = !call.tool.includes(".") || named.get(call.server)?.includes(call.tool) === true
            if (!named.has(call.server) || !isKnown || theirs?.(call.server, call.tool) !== "allow") continue
            expect({ call, effect: ours(call), text }).toMatchObject({ effect: "allow" })
          }
        },
      ),
      { numRuns: 250 },
    )
    expect(judged).toBe(10_000)
  })

  it("give no leave for what is the program's own, whatever servers and tools are called (R130, R185)", () => {
    const ownOf = ownLeave.get(id)
    if (model === undefined || ownOf === undefined) throw new Error(`${id} has no model.`)
    fc.assert(
      fc.property(
        anyOwnNamedPolicy,
        anyOwnNamedKnown,
        fc.array(anyOwnNamedCall, { minLength: 20, maxLength: 20 }),
        (policy, known, calls) => {
          const { text, losses } = write(policy, { known })
          expect({ text, own: ownOf(text) }).toMatchObject({ own: [] })
          const named = new Set(plainPolicy(policy, known).servers.map((server) => server.id))
          const [theirs, ours] = [model(text), answerBy(policy)]
          for (const call of calls.filter(({ server }) => named.has(server))) {
            const [theirAnswer, ourAnswer] = [theirs(call.server, call.tool), ours(call)]
            if (theirAnswer === "allow") expect({ call, ourAnswer, text }).toMatchObject({ ourAnswer: "allow" })
            if (strictness[theirAnswer] >= strictness[ourAnswer]) continue
            expect(losses.map(({ kind }) => kind)).toContain("weaker")
          }
        },
      ),
      { numRuns: 250 },
    )
  })

  it("are weaker than Byleave's only where the report says so", () => {
    fc.assert(
      fc.property(anyPlainPolicy, anyKnown, fc.array(anyCall, { maxLength: 5 }), (policy, known, calls) => {
        const { text, losses } = write(policy, { known })
        const theirs = model?.(text)
        const ours = answerBy(policy)
        for (const call of calls) {
          const answer = theirs?.(call.server, call.tool) ?? "ask"
          if (call.tool.includes(".")) continue
          if (strictness[answer] >= strictness[ours(call)]) continue
          expect(losses.some(({ kind }) => kind === "weaker")).toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })
})
