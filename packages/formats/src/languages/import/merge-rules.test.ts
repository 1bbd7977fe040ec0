import { comparePolicies, emptyPolicy, type Policy } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { loadConfig } from "../../load-config.ts"
import { editConfig } from "../../text/edit-config.ts"
import { answerBy, anyCall } from "../fixtures/random-rules.ts"
import { randomTexts } from "../fixtures/random-texts.ts"
import { ruleLanguages } from "../languages.ts"
import { byleaveJson } from "../programs/byleave-json.ts"
import { strictness } from "../strictness.ts"
import { mergeRules, type Preference } from "./merge-rules.ts"

const base = `version: 1
# Servers that we run ourselves.
servers:
  files: { command: files-server }
policy:
  rules:
    # Nobody deletes.
    - deny: "files(drop)"
    - allow: "files(*)" # for now
`

function policyOf(text: string): Policy {
  const loaded = loadConfig(text, { name: "byleave.yaml", folder: "/etc", env: new Map(), hasher: nodeHasher })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config.policy
}

function imported(id: string, text: string, prefer: Preference = "stricter") {
  const read = ruleLanguages
    .find((language) => language.id === id)
    ?.read(text, { name: "rules", servers: ["files", "web"], configured: ["files"] })
  if (read?.ok !== true) throw new Error(JSON.stringify(read))
  const { edits, conflicts } = mergeRules(policyOf(base), read, prefer)
  const edited = editConfig(base, edits)
  if (!edited.ok) throw new Error(edited.refusal.message)
  return { text: edited.text, conflicts, read }
}

describe("rules put into the file in force", () => {
  it("keeps comments and order, and adds at the end", () => {
    const { text } = imported("cursor", '{"mcpAllowlist": ["web:get"]}')
    expect(text).toBe(`${base}    - allow: "web(get)"\n`)
  })

  it("lists contradictions, and the stricter rule decides", () => {
    const { text, conflicts } = imported("cursor", '{"mcpAllowlist": ["files:drop"]}')
    expect(conflicts).toEqual([
      {
        imported: 'allow: "files(drop)"',
        current: 'deny: "files(drop)"',
        outcome: "both stay; the stricter one decides: deny",
      },
    ])
    expect(answerBy(policyOf(text))({ server: "files", tool: "drop", args: {}, principal: "ann" })).toBe("deny")
  })

  it.each([
    { prefer: "imported", effect: "allow", outcome: "the imported rule replaces the one in force" },
    { prefer: "current", effect: "deny", outcome: "the rule in force stays, and the imported one is left out" },
  ] as const)("prefers what it is told: $prefer", ({ prefer, effect, outcome }) => {
    const { text, conflicts } = imported("cursor", '{"mcpAllowlist": ["files:drop"]}', prefer)
    expect(conflicts).toMatchObject([{ outcome }])
    expect(answerBy(policyOf(text))({ server: "files", tool: "drop", args: {}, principal: "ann" })).toBe(effect)
  })

  it("asks where the other program asks about the rest of a server that a rule in force lets run", () => {
    const codex =
      '[mcp_servers.files]\ndefault_tools_approval_mode = "prompt"\ntools.read_file.approval_mode = "approve"'
    const { text } = imported("codex", codex)
    expect(answerBy(policyOf(text))({ server: "files", tool: "other", args: {}, principal: "ann" })).toBe("ask")
  })

  it("takes a server's list of tools and a default over", () => {
    const { text } = imported(
      "openai",
      '{"tools": [{"type": "mcp", "server_label": "files", "allowed_tools": ["read_file"]}]}',
    )
    expect(text).toContain('files: { command: files-server, offer: ["read_file"] }')
    expect(imported("copilot", "--available-tools='web(get)'").text).toContain('default: "deny"')
  })

  describe("settings of Byleave's own JSON", () => {
    /** Imports a policy of the one file into another one. */
    const merged = (from: string, into: string, prefer: Preference = "stricter") => {
      const { text } = byleaveJson.write(policyOf(from), { known: new Map() })
      const read = byleaveJson.read(text, { name: "policy.json", servers: ["files"] })
      if (!read.ok) throw new Error(JSON.stringify(read.problems))
      const { edits, conflicts } = mergeRules(policyOf(into), read, prefer)
      const edited = editConfig(into, edits)
      if (!edited.ok) throw new Error(edited.refusal.message)
      return { text: edited.text, policy: policyOf(edited.text), conflicts }
    }
    const limits = (text: string) => `${base}limits: { ${text} }\n`
    const classify = (...entries: readonly string[]) =>
      `${base}  classify:\n${entries.map((entry) => `    - ${entry}\n`).join("")}`

    it.each<{ from: string; into: string; prefer: Preference; wanted: object; outcome?: string }>([
      {
        ...{ from: "autoAllowedPerMinute: 100000", into: "autoAllowedPerMinute: 2", prefer: "stricter" },
        ...{ wanted: { autoAllowedPerMinute: 2 }, outcome: "the limit in force stays" },
      },
      {
        ...{ from: "autoAllowedPerMinute: 2", into: "autoAllowedPerMinute: 100000", prefer: "stricter" },
        ...{ wanted: { autoAllowedPerMinute: 2 }, outcome: "the imported limit replaces the one in force" },
      },
      {
        ...{ from: "autoAllowedPerMinute: 3", into: "waitingPerSession: 9", prefer: "stricter" },
        ...{ wanted: { autoAllowedPerMinute: 3, waitingPerSession: 9 }, outcome: "the limit in force stays" },
      },
      {
        ...{ from: 'bulk: { writes: 5, within: "1m" }', into: 'bulk: { writes: 9, within: "2m" }', prefer: "stricter" },
        wanted: { bulk: { writes: 5, withinMs: 120_000 } },
        outcome: 'the stricter parts of both hold: {"writes":5,"within":"2m"}',
      },
      {
        ...{ from: "autoAllowedPerDay: 60", into: "autoAllowedPerSession: 50", prefer: "stricter" },
        wanted: { autoAllowedPerSession: 50, autoAllowedPerDay: 50 },
      },
      {
        ...{ from: "autoAllowedPerMinute: 100000", into: "autoAllowedPerMinute: 2", prefer: "imported" },
        ...{ wanted: { autoAllowedPerMinute: 100000 }, outcome: "the imported limit replaces the one in force" },
      },
      {
        ...{ from: "autoAllowedPerMinute: 1", into: "autoAllowedPerMinute: 2", prefer: "current" },
        ...{ wanted: { autoAllowedPerMinute: 2 }, outcome: "the limit in force stays" },
      },
      {
        ...{ from: "autoAllowedPerDay: 60", into: "autoAllowedPerSession: 50", prefer: "current" },
        wanted: { autoAllowedPerSession: 50 },
      },
    ])("limits { $from } into { $into }, preferring $prefer: $wanted", ({ from, into, prefer, wanted, outcome }) => {
      const { policy, conflicts } = merged(limits(from), limits(into), prefer)
      expect(policy.limits).toEqual({ ...emptyPolicy.limits, ...wanted })
      expect(conflicts.map((conflict) => conflict.outcome)).toEqual(outcome === undefined ? [] : [outcome])
    })

    it.each<{ prefer: Preference; taken: readonly string[] }>([
      { prefer: "stricter", taken: ["write"] },
      { prefer: "current", taken: ["write"] },
      { prefer: "imported", taken: ["read", "write"] },
    ])("takes no tool for one that reads unless told so: $prefer", ({ prefer, taken }) => {
      const from = classify('read: "files(drop)"', 'write: "files(get_x)"')
      const { policy, conflicts } = merged(from, base, prefer)
      expect(policy.classify.map(({ access }) => access)).toEqual(taken)
      expect(conflicts.map((conflict) => conflict.imported)).toEqual(
        taken.includes("read") ? [] : ['read: "files(drop)"'],
      )
    })

    it("takes no tool out of a restriction on reads by calling it one that writes", () => {
      const from = classify('write: "files(get_x)"')
      const into = `${base}    - ask: "files(get_*)"\n      access: read\n`
      expect(merged(from, into).policy.classify).toEqual([])
      expect(merged(from, into, "imported").policy.classify).toHaveLength(1)
    })

    it("keeps an imported restriction by access where its classification is not taken over", () => {
      const from = `${base}    - deny: "files(sync)"\n      access: read\n  classify:\n    - read: "files(sync)"\n`
      const added = merged(from, base).policy.rules.slice(policyOf(base).rules.length)
      expect(added).toMatchObject([{ effect: "deny", target: { name: "sync" } }])
      expect(added[0]).not.toHaveProperty("access")
    })

    it("changes nothing in the file that it was written from", () => {
      const rule = '    - ask: "files(get_*)"\n      access: read\n'
      const text = `${base}${rule}  classify:\n    - read: "files(a)"\n    - write: "files(get_*)"\nlimits: { autoAllowedPerDay: 9 }\n`
      for (const prefer of ["stricter", "imported", "current"] as const) {
        expect(merged(text, text, prefer)).toMatchObject({ text, conflicts: [] })
      }
    })

    it("refuses limits that no file may have", () => {
      const text = JSON.stringify({ format: "byleave-policy", version: 1, limits: { autoAllowedPerMinute: "many" } })
      expect(byleaveJson.read(text, { name: "policy.json", servers: [] })).toMatchObject({ ok: false })
    })
  })

  it("I1: says nothing more weakly than the file in force where that restricts, nor than what was read", () => {
    for (const [id, texts] of randomTexts) {
      fc.assert(
        fc.property(texts, fc.array(anyCall, { minLength: 5, maxLength: 5 }), (text, calls) => {
          const { text: merged, read } = imported(id, text)
          const [before, after] = [policyOf(base), policyOf(merged)]
          const [was, is] = [answerBy(before), answerBy(after)]
          const readAlone = answerBy({
            ...emptyPolicy,
            rules: read.rules.filter(({ effect }) => effect !== "allow"),
            default: "allow",
          })
          for (const call of calls) {
            if (was(call) === "deny") expect(strictness[is(call)]).toBeGreaterThanOrEqual(strictness.deny)
            expect(strictness[is(call)]).toBeGreaterThanOrEqual(strictness[readAlone(call)])
          }
          if (comparePolicies(before, after).widens.length === 0) {
            for (const call of calls) expect(strictness[is(call)]).toBeGreaterThanOrEqual(strictness[was(call)])
          }
        }),
        { numRuns: 15 },
      )
    }
  })
})
