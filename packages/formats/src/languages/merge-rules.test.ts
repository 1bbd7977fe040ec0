import { comparePolicies, emptyPolicy, type Policy } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { loadConfig } from "../load-config.ts"
import { editConfig } from "../text/edit-config.ts"
import { answerBy, anyCall } from "./fixtures/random-rules.ts"
import { randomTexts } from "./fixtures/random-texts.ts"
import { ruleLanguages } from "./languages.ts"
import { mergeRules, type Preference } from "./merge-rules.ts"
import { strictness } from "./strictness.ts"

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

  it("takes all of Byleave's own JSON over that a file can hold", () => {
    const policy = {
      ...emptyPolicy,
      limits: { ...emptyPolicy.limits, autoAllowedPerMinute: 3 },
      classify: policyOf(`${base}  classify:\n    - read: "web(get)"\n`).classify,
    }
    const own = ruleLanguages.find(({ id }) => id === "byleave")?.write(policy, { known: new Map() }).text ?? ""
    expect(policyOf(imported("byleave", own).text)).toMatchObject({
      limits: { autoAllowedPerMinute: 3 },
      classify: [{ access: "read" }],
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
