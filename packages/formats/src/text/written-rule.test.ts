// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are references
import { type Condition, parseTargetPattern, type Rule } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { loadConfig } from "../load-config.ts"
import { readRuleText } from "./read-rule-text.ts"
import { ruleLines } from "./written-rule.ts"

const env = new Map([
  ["A", "/elsewhere"],
  ["HOME", "/root"],
])

const linesOf = (condition: Condition): string => {
  const parsed = parseTargetPattern("files(read_file)")
  if (!parsed.ok) throw new Error(parsed.problem)
  const rule: Rule = { id: "r", effect: "deny", target: parsed.pattern, when: [condition], origin: { where: "here" } }
  return ruleLines(rule) ?? ""
}

const loaded = (lines: string): Rule | undefined => {
  const text = `version: 1\npolicy:\n  rules:\n${lines.replaceAll(/^/gm, "    ")}\n`
  const result = loadConfig(text, { name: "x", folder: "/cfg", env, home: "/root", hasher: nodeHasher })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.config.policy.rules[0]
}

const whenOf = (rule: Rule | null | undefined) =>
  rule === null || rule === undefined || rule.effect === "hide" ? undefined : rule.when

describe("a rule about a folder whose name looks like a variable", () => {
  const name = fc
    .array(fc.constantFrom(...`$ { } \${ $\${ \${A} \${HOME} A :- env: .. ~ " \\ # é`.split(" "), " "), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.join(""))
    .filter((segment) => segment !== "." && segment !== "..")
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join("/")}`)
  const text = fc.oneof(name, path)
  const condition: fc.Arbitrary<Condition> = fc.oneof(
    path.map((folder) => ({ key: "path", op: "under" as const, folder })),
    fc
      .array(path, { minLength: 1, maxLength: 3 })
      .map((folders) => ({ key: "path", op: "directlyIn" as const, folders })),
    path.map((file) => ({ key: "path", op: "file" as const, path: file })),
    text.map((value) => ({ key: "path", op: "equals" as const, value })),
    text.map((value) => ({ key: "path", op: "oneOf" as const, values: [value] })),
    text.map((pattern) => ({ key: "path", op: "glob" as const, pattern })),
    fc.constant({ key: "url", op: "host" as const, patterns: ["*.example.com"] }),
  )

  it("loads to the same rule, and is displayed as the same, whatever the environment", () => {
    fc.assert(
      fc.property(condition, (one) => {
        const lines = linesOf(one)
        expect(whenOf(loaded(lines))).toEqual([one])
        const read = readRuleText(lines, nodeHasher)
        expect(whenOf(read)).toEqual([one])
        expect(read && ruleLines(read)).toBe(lines)
      }),
    )
  })

  it("is written so that the name stays", () => {
    expect(linesOf({ key: "path", op: "under", folder: "/srv/${HOME}" })).toContain('{ under: "/srv/$${HOME}" }')
  })
})
