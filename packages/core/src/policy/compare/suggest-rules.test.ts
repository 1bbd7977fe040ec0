import { describe, expect, it } from "vitest"
import { ruleText } from "../decide/sentences.ts"
import { rule, writes } from "../fixtures/questions.ts"
import { emptyPolicy, type Rule } from "../rules/rule.ts"
import { type AnsweredCall, type SuggestInput, suggestRules } from "./suggest-rules.ts"

let count = 0
const call = (args: AnsweredCall["args"], rest: Partial<AnsweredCall> = {}): AnsweredCall => ({
  id: `a${++count}`,
  tool: { server: "files", tool: "write_file" },
  principal: "ann",
  session: "s1",
  args,
  answer: "approve",
  remember: "allowed",
  ...rest,
})
const draft = (name: string) => ({ path: `/home/ann/drafts/${name}`, content: `the text of ${name}` })
const drafts = ["a.md", "b.md", "sub/c.md"].map(draft)

function suggested(answered: readonly AnsweredCall[], rules: readonly Rule[] = [], rest: Partial<SuggestInput> = {}) {
  const policy = { ...emptyPolicy, rules }
  return suggestRules({ answered, policy, grants: [], factsOf: () => writes, now: 1_000, ...rest })
}
const texts = (...input: Parameters<typeof suggested>) => suggested(...input).map(({ rule }) => ruleText(rule))
const reads = { ...writes, access: "read" } as const

describe("R37: suggestRules", () => {
  it("suggests a yes as narrow as what the calls have in common, for the agent that made them, with its evidence", () => {
    const answered = drafts.map((args) => call(args))
    expect(texts(answered)).toEqual(['allow: "files(write_file)" principal ann when path under /home/ann/drafts'])
    expect(suggested(answered)[0]).toMatchObject({ evidence: answered.map(({ id }) => id), approved: 3, denied: 0 })
  })

  it.each([
    { name: "a value", args: [{ mode: "x" }, { mode: "x" }, { mode: "x" }], when: 'mode equals "x"' },
    {
      name: "a host",
      args: [{ url: "https://a.example/1" }, { url: "https://a.example/2" }, { url: "https://a.example/3" }],
      when: "url host a.example",
    },
  ])("finds that they share $name", ({ args, when }) => {
    expect(texts(args.map((one) => call(one)))).toEqual([`allow: "files(write_file)" principal ann when ${when}`])
  })

  it("suggests a no, with conditions or without", () => {
    const denied = (args: AnsweredCall["args"]) => call(args, { answer: "deny" })
    expect(texts(drafts.map(denied))).toEqual([
      'deny: "files(write_file)" principal ann when path under /home/ann/drafts',
    ])
    expect(texts([{ n: 1 }, { n: 2 }, { n: 3 }].map(denied))).toEqual(['deny: "files(write_file)" principal ann'])
  })

  it("lets a tool that reads be allowed whatever it reads", () => {
    const answered = [{ id: "1" }, { id: "2" }, { id: "3" }].map((args) => call(args))
    expect(texts(answered)).toEqual([])
    expect(texts(answered, [], { factsOf: () => reads })).toEqual(['allow: "files(write_file)" principal ann'])
  })

  it.each<{ readonly name: string; readonly answered: readonly AnsweredCall[]; readonly rules?: readonly Rule[] }>([
    { name: "fewer than three answers", answered: drafts.slice(1).map((args) => call(args)) },
    {
      name: "answers that differ",
      answered: [...drafts.map((args) => call(args)), call(draft("d.md"), { answer: "deny" })],
    },
    {
      name: "arguments that people corrected",
      answered: [...drafts.map((args) => call(args)), call(draft("d.md"), { answer: "edited" })],
    },
    { name: "answers to several agents", answered: drafts.map((args, at) => call(args, { principal: `agent${at}` })) },
    {
      name: "what policy wants asked every time",
      answered: drafts.map((args) => call(args, { remember: "never" })),
    },
    {
      name: "a yes to what destroys",
      answered: drafts.map((args) => call(args, { tool: { server: "files", tool: "delete_file" } })),
    },
    {
      name: "a yes to commands that differ in the same folder",
      answered: ["ls", "make", "npm test"].map((command) => call({ command, cwd: "/home/ann/project" })),
    },
    {
      name: "all of somebody's files",
      answered: ["a/1", "b/2", "c/3"].map((path) => call({ path: `/home/ann/${path}` })),
    },
    { name: "arguments that are gone", answered: drafts.map(() => call(null)) },
    {
      name: "what is not asked any more",
      answered: drafts.map((args) => call(args)),
      rules: [rule("allow", "files")],
    },
    {
      name: "a yes that a rule which asks would overrule",
      answered: drafts.map((args) => call(args)),
      rules: [rule("ask", "files(write_*)")],
    },
  ])("suggests nothing from $name", ({ answered, rules = [] }) => {
    expect(texts(answered, rules)).toEqual([])
  })

  it("takes names with signs of patterns for what they are", () => {
    const odd = { tool: { server: "files", tool: "write[*]" }, principal: "ci-*" }
    const answered = drafts.map((args) => call(args, odd))
    expect(suggested(answered)[0]?.rule).toMatchObject({ principal: "ci-[*]" })
    expect(suggested([...answered])[0]?.evidence).toHaveLength(3)
  })
})
