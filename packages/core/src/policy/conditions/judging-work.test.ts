import { describe, expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { numberFrom } from "../../call/json/raw-number.ts"
import { compilePolicy } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import { indexGrants } from "../decide/index-grants.ts"
import { ask, rule } from "../fixtures/questions.ts"
import { type Condition, emptyPolicy, type Rule } from "../rules/rule.ts"
import { compileConditions } from "./condition.ts"
import { mostWork } from "./judging-work.ts"
import { createPathLookup } from "./path-lookup.ts"

const harmless: Condition = { key: "*", op: "sensitive", value: false }
const context = { bases: ["/ws"], realPaths: () => (path: string) => [path] }
const noGrants = indexGrants([])

function decided(rules: readonly Rule[], args: JsonObject) {
  return decide(compilePolicy({ ...emptyPolicy, rules }, context), noGrants, ask({ args }))
}

/** The work that these rules took together, and what they came to. */
function judged(rules: ReadonlyArray<readonly Condition[]>, args: JsonObject) {
  const lookup = createPathLookup(context)
  const judgements = rules.map((when) => compileConditions(when, "allow", context)(args, lookup))
  return { judgements, spent: mostWork - lookup.workLeft }
}

/** Words that are hard to read, and different ones: `#` is another text in each. */
const words = [
  "A%61\\b?y#z",
  "a%2f%2f#/./c?y%23z",
  "a%252f%252f\\#/?y%2523z",
  "http://u@h%2e:0443/%2e%2e%2f#/a?b",
  "ws://%31%32%37.1/%2e/#?b",
  "file:%2f%2fx/%2e/C|/#?b",
  "file:/#",
  "/ws/#/..%2f",
  "/ws/#",
  "/\uff4b\uff45\uff59s/#",
  "key#",
  "keynoteOfDay#",
  "a:b:#:c",
  "@/a=/#=/b",
  "{[/#/]}",
  "\ufdfa#",
  "--#a b=c",
  "#",
]

function full(word: string, characters: number): string {
  let text = ""
  for (let at = 0; text.length < characters; at += 1) text += `${word.replaceAll("#", `${at}q`)} `
  return text
}

describe("a call full of words that are hard to read", () => {
  const folders = Array.from({ length: 20 }, (_, at) => `/ws/${at}`)
  const rules = folders.map((folder): readonly Condition[] => [
    { key: "path", op: "under", folder: "/ws" },
    harmless,
    { key: "to", op: "under", folder },
  ])
  const argsWith = (text: string): JsonObject => ({ path: "/ws/a", to: "/elsewhere", command: text })

  it.each(words)("I1: %j takes no more than there is, and twice as many of them hardly longer", (word) => {
    const text = full(word, 131_072)
    expect(judged(rules, argsWith(text)).spent).toBeLessThanOrEqual(mostWork)
    expect(growthOf((half) => judged(rules, argsWith(half)), text)).toBeLessThan(1.6)
  })

  it.each(words)("I1: %j is looked through once, however many rules ask", (word) => {
    const args = argsWith(full(word, 1_000))
    const [one, all] = [judged(rules.slice(0, 1), args).spent, judged(rules, args).spent]
    expect(one).toBeGreaterThan(0)
    expect(all - one).toBeLessThan(one)
  })

  it("I2: an allow does not hold for it, a deny asks, and says why", () => {
    const args = argsWith(full(words[0] ?? "", 131_072))
    expect(decided([rule("allow", "files(*)", { when: [harmless] })], args).effect).toBe("ask")
    const denied = decided([rule("deny", "files(*)", { when: [{ ...harmless, value: true }] })], args)
    expect(denied).toMatchObject({
      effect: "ask",
      remember: "never",
      because: { kind: "unjudged", why: "an argument takes too much work to judge" },
    })
  })

  it("leaves enough to hold others of its arguments against a deny", () => {
    const args = { ...argsWith(full(words[0] ?? "", 131_072)), paths: ["/ws/a", "/ws/b", "/secret/c"] }
    const secret: Condition = { key: "paths", op: "under", folder: "/secret" }
    const rules = [rule("ask", "files(*)", { when: [harmless] }), rule("deny", "files(*)", { when: [secret] })]
    expect(decided(rules, args).effect).toBe("deny")
  })
})

const many = (value: string) => Array.from({ length: 50_000 }, (_, at) => `${value}${at}`)

it.each<{ name: string; effect?: "deny"; when: Condition; args: JsonObject }>([
  {
    name: "a list of paths",
    when: { key: "paths", op: "under", folder: "/ws" },
    args: { paths: many("./a/../b") },
  },
  {
    name: "a list in a list",
    when: { key: "paths", op: "under", folder: "/ws" },
    args: { paths: [many("/ws/a")] },
  },
  {
    name: "a list of objects",
    when: { key: "items.path", op: "under", folder: "/ws" },
    args: { items: many("/ws/").map((path) => ({ path })) },
  },
  {
    name: "a list of paths in one of several folders",
    when: { key: "paths", op: "directlyIn", folders: ["/ws", "/srv"] },
    args: { paths: many("/ws/") },
  },
  {
    name: "a list and many values",
    when: { key: "words", op: "oneOf", values: many("w").slice(0, 500) },
    args: { words: Array.from({ length: 2_000 }, () => "w499") },
  },
  {
    name: "a list and a list",
    effect: "deny",
    when: { key: "words", op: "oneOf", values: [["a"], ...many("w").slice(0, 500)] },
    args: { words: many("x") },
  },
  {
    name: "a list of addresses",
    when: { key: "urls", op: "host", patterns: ["*.a.example"] },
    args: { urls: many("https://x.a.example/") },
  },
  {
    name: "a long text and a glob",
    when: { key: "text", op: "glob", pattern: "*aaaaaaaaa?b*c*" },
    args: { text: "a".repeat(1_000_000) },
  },
  {
    name: "a longer text and a glob that is looked for at once",
    when: { key: "text", op: "glob", pattern: "*b*" },
    args: { text: "a".repeat(4_000_000) },
  },
  {
    name: "a list and a long glob",
    effect: "deny",
    when: { key: "texts", op: "glob", pattern: `*${"a".repeat(200)}?b*` },
    args: { texts: Array.from({ length: 100 }, () => "a".repeat(4_096)) },
  },
  {
    name: "a list of addresses and a long glob",
    effect: "deny",
    when: { key: "urls", op: "host", patterns: [`*${"[a.]".repeat(120)}b*`] },
    args: { urls: Array.from({ length: 1_000 }, () => `https://${`${"a".repeat(60)}.`.repeat(4)}a/`) },
  },
  {
    name: "lists and a glob of usual length",
    effect: "deny",
    when: { key: "texts", op: "glob", pattern: `*${"a".repeat(58)}?b*` },
    args: { texts: [many("x").slice(0, 10), Array.from({ length: 100 }, () => "a".repeat(4_096))] },
  },
  {
    name: "a long address",
    when: { key: "url", op: "host", patterns: ["a.example"] },
    args: { url: `https://${"a".repeat(4_000_000)}/` },
  },
  {
    name: "a long number",
    when: { key: "count", op: "atMost", value: 5 },
    args: { count: numberFrom(`0.${"1".repeat(4_000_000)}`) },
  },
  {
    name: "many members",
    when: { key: "*", op: "only", names: ["items.a"] },
    args: { items: Array.from({ length: 200_000 }, () => ({ a: 1 })) },
  },
  {
    name: "many values below a long name",
    when: harmless,
    args: { ["a_B".repeat(2_000)]: many("v") },
  },
  { name: "many names", when: harmless, args: Object.fromEntries(many("aB_").map((name) => [name, 1])) },
])("I1, I2: $name: only as far as there is work for it", ({ effect, when, args }) => {
  const lookup = createPathLookup(context)
  expect(compileConditions([when], effect ?? "allow", context)(args, lookup)).toMatchObject({
    unjudged: expect.stringContaining("takes too much work to judge"),
  })
  expect(lookup.workLeft).toBeGreaterThanOrEqual(0)
})

it.each<{ name: string; when: Condition; args: JsonObject }>([
  { name: "a path", when: { key: "path", op: "under", folder: "/ws" }, args: { path: `/ws/${"a/".repeat(2_000)}` } },
  { name: "a glob", when: { key: "text", op: "glob", pattern: "*b*?" }, args: { text: `b${"a".repeat(4_000)}` } },
  {
    name: "a glob of 64 characters that is hard to match",
    when: { key: "text", op: "glob", pattern: `*${"a".repeat(60)}?b*` },
    args: { text: `${"a".repeat(4_095)}b` },
  },
  {
    name: "a long glob of literal texts",
    when: { key: "text", op: "glob", pattern: `*${"a".repeat(400)}*${"a".repeat(400)}b*` },
    args: { text: `${"a".repeat(4_095)}b` },
  },
  { name: "a value", when: { key: "text", op: "equals", value: "a" }, args: { text: "a" } },
  { name: "a host", when: { key: "url", op: "host", patterns: ["a.example"] }, args: { url: "https://a.example/b" } },
  { name: "a number", when: { key: "count", op: "atMost", value: 5 }, args: { count: 5 } },
])("I1: $name that is no longer than usual is judged where no work is left", ({ when, args }) => {
  expect(compileConditions([when], "allow", {})(args, { ...createPathLookup({}), workLeft: 0 })).toBe("holds")
})

it("I1: a glob that takes many looks at each of many texts draws on the same work, whichever rule it is of", () => {
  const when = (n: number): readonly Condition[] => [{ key: "text", op: "glob", pattern: `*${"a".repeat(900)}?${n}*` }]
  const { judgements, spent } = judged(
    Array.from({ length: 20 }, (_, n) => when(n)),
    { text: "a".repeat(4_096) },
  )
  expect(spent).toBeLessThanOrEqual(mostWork)
  expect(judgements[0]).toBe("fails")
  expect(judgements.at(-1)).toMatchObject({ unjudged: expect.stringContaining("takes too much work to judge") })
})

it("I1: ordinary globs over a list take what its values and their characters cost, and no more", () => {
  const paths = Array.from({ length: 500 }, (_, n) => `/home/ana/projects/byleave/src/part-${n}/file-${n}.ts`)
  const spent = (pattern: string) => judged([[{ key: "paths", op: "glob", pattern }]], { paths }).spent
  expect(spent("/home/*/src/part-?*/file-[0-9]*.ts")).toBe(spent("/home/*"))
})
