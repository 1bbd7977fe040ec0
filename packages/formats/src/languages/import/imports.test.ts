import { emptyPolicy, formatTargetPattern, literalOf, type Policy, plainName } from "@byleave/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { plainPolicy } from "../export/plain-policy.ts"
import { importedPolicy } from "../fixtures/imported-policy.ts"
import { models } from "../fixtures/models.ts"
import { answerBy, anyCall, servers, tools } from "../fixtures/random-rules.ts"
import { randomTexts } from "../fixtures/random-texts.ts"
import { ruleLanguages } from "../languages.ts"
import { strictness } from "../strictness.ts"

/** Of forty calls each, for every language; at night ten thousand calls. */
const runs = process.env.BYLEAVE_NIGHTLY === undefined ? 80 : 250

const others = ruleLanguages.filter(({ id }) => id !== "byleave")
/** Either the servers tell names apart, or nobody knows any. */
const anyServers = fc.constantFrom<readonly string[]>([], [...servers])

function rulesIn({ rules }: Policy): readonly string[] {
  return rules.map(({ effect, target }) => `${effect}: ${formatTargetPattern(target)}`).sort()
}

/** A pattern where a server stands. */
const aboutAll = /[*\]]\w*(?:\(|:|__)|mcp__\w*\*|(?:^| )"?\*/
/** Reports of opencode name nearly every server: each exception is one. So do those of Qwen Code: what no rule names may run. */
const leastCompared = (id: string) => ({ opencode: 0, qwen: 30 })[id] ?? 100

/** Hidden or denied, it does not run. */
const rank = (effect: keyof typeof strictness) => Math.min(strictness[effect], strictness.deny)

const literalIds = ["claude-code", "cline", "cursor", "cursor-cli", "roo", "tool-lists", "vscode"]

describe.each(others)("rules read from $name", ({ id, read, write }) => {
  const texts = randomTexts.get(id) ?? fc.constant("")
  const isJoined = ["claude-code", "qwen", "opencode"].includes(id)

  it("are never wider than they were (R130)", () => {
    fc.assert(
      fc.property(texts, anyServers, fc.array(anyCall, { minLength: 40, maxLength: 40 }), (text, known, calls) => {
        const result = read(text, { name: "rules", servers: known })
        if (!result.ok) throw new Error(JSON.stringify(result.problems))
        const theirs = models.get(id)?.(text)
        const ours = answerBy(importedPolicy(result))
        for (const call of calls) {
          const was = theirs?.(call.server, call.tool) ?? "ask"
          expect({ call, text, was, is: ours(call), fits: rank(ours(call)) >= rank(was) }).toMatchObject({ fits: true })
        }
      }),
      { numRuns: runs },
    )
  })

  it("decide every call as before once they were written and read again, unless a report names its server or the default", () => {
    let compared = 0
    fc.assert(
      fc.property(texts, anyServers, (text, known) => {
        const catalogue = new Map(known.map((server) => [server, [...tools]]))
        const again = (from: string, before: Policy) => {
          const named = before.rules.flatMap(({ target }) => literalOf(target.server) ?? [])
          const all = [...new Set([...known, ...named])]
          const result = read(from, { name: "rules", servers: all, tools: catalogue, configured: known })
          if (!result.ok) throw new Error(JSON.stringify({ from, problems: result.problems }))
          return { policy: importedPolicy(result), losses: result.losses }
        }
        const first = again(text, emptyPolicy)
        const written = write(first.policy, { known: catalogue })
        const named = new Set(plainPolicy(first.policy, catalogue).servers.map((server) => server.id))
        const second = again(written.text, first.policy)
        const reported = [...written.losses, ...second.losses].map(({ path, written: rule }) => `${path} ${rule}`)
        const [before, after] = [answerBy(first.policy), answerBy(second.policy)]
        for (const server of servers) {
          // A report about a pattern of servers is about every server, one about the default about those that the text does not name.
          const names = [server, plainName(server), ...(named.has(server) ? [] : ["default", "everything else"])]
          if (reported.some((line) => aboutAll.test(line) || names.some((name) => line.includes(name)))) continue
          compared += tools.length
          for (const tool of tools) {
            const call = { server, tool, args: {}, principal: "ann" }
            const [was, is] = [rank(before(call)), rank(after(call))]
            expect({ call, was, is, text, written: written.text }).toMatchObject({ is: was })
          }
        }
      }),
      { numRuns: 150 },
    )
    // A language that cannot say every answer reports most servers; the others are compared.
    expect(compared).toBeGreaterThanOrEqual(leastCompared(id))
  })

  it("are the same after they were written and read again", () => {
    fc.assert(
      fc.property(texts, anyServers, (text, all) => {
        // Names that can be read in two ways become stricter each time; here each can be read in one way.
        fc.pre(!isJoined || !/a__b|files_x/.test(text))
        const known = isJoined ? all.filter((server) => server !== "a__b" && server !== "files_x") : all
        const catalogue = new Map(known.map((server) => [server, [...tools]]))
        const again = (from: string, before: Policy) => {
          // Servers that rules in force name are known.
          const named = before.rules.flatMap(({ target }) => literalOf(target.server) ?? [])
          const servers = [...new Set([...known, ...named])]
          const result = read(from, { name: "rules", servers, tools: catalogue, configured: known })
          if (!result.ok) throw new Error(JSON.stringify({ from, problems: result.problems }))
          return importedPolicy(result)
        }
        const written = (policy: Policy) => write(policy, { known: catalogue }).text
        const first = again(text, emptyPolicy)
        const second = again(written(first), first)
        // A server that nobody knew is known once an allow names it; a restriction of all that are written so is then one of it alone.
        const once = isJoined || id === "gemini" ? again(written(second), second) : second
        const twice = again(written(once), once)
        expect(written(twice)).toBe(written(once))
        expect(rulesIn(twice)).toEqual(rulesIn(once))
      }),
      { numRuns: Math.ceil(runs / 2) },
    )
  })
})

/** Languages that write no more about a server than the rules do. The others give every known server or tool an answer of its own. */
const literalOnes = others.filter(({ id }) => literalIds.includes(id))

describe.each(literalOnes)("rules read from $name, written and read again", ({ id, read, write }) => {
  it("are the rules that were read first, where no report names one of them", () => {
    let compared = 0
    fc.assert(
      fc.property(randomTexts.get(id) ?? fc.constant(""), (text) => {
        const again = (from: string) => {
          const result = read(from, { name: "rules", servers: [...servers], configured: [...servers] })
          if (!result.ok) throw new Error(JSON.stringify({ from, problems: result.problems }))
          return { policy: importedPolicy(result), losses: result.losses }
        }
        const first = again(text)
        const written = write(first.policy, { known: new Map() })
        const second = again(written.text)
        const own = [...written.losses, ...second.losses].filter(({ path, why }) => {
          return path !== "policy.default" && !why.includes("read-only")
        })
        if (own.length > 0) return
        compared += first.policy.rules.length
        const shown = (policy: Policy) => rulesIn(policy).map((rule) => rule.replace(/^hide/, "deny"))
        expect({ text, written: written.text, rules: shown(second.policy) }).toMatchObject({
          rules: shown(first.policy),
        })
      }),
      { numRuns: 150 },
    )
    expect(compared).toBeGreaterThan(5)
  })
})
