import { describe, expect, it } from "vitest"
import { helpAt, suggestionsAt } from "./help-at.ts"
import type { SchemaPart } from "./schema-help.ts"

const mode = { enum: ["ask", "observe"], description: "A mode." }
const target = { type: "string", examples: ["files(read_*)"] }
const rule = (effect: string, more: object) => ({
  type: "object",
  required: [effect],
  additionalProperties: false,
  properties: {
    [effect]: { ...target, description: `To ${effect}.` },
    reason: { type: "string", description: "Why." },
    ...more,
  },
})
const schema: SchemaPart = {
  type: "object",
  required: ["version"],
  additionalProperties: false,
  properties: {
    servers: {
      type: "object",
      description: "Servers by id.",
      additionalProperties: {
        type: "object",
        description: "A server.",
        oneOf: [{ required: ["command"] }, { required: ["url"] }],
        properties: {
          command: { type: "string", description: "The program." },
          args: { type: "array", description: "Its arguments.", items: { type: ["string", "number"] } },
          pin: { enum: ["full", "off"], description: "Which changes wait." },
        },
      },
    },
    version: { const: 1, description: "Write 1." },
    policy: {
      type: "object",
      description: "The rules.",
      properties: {
        default: { enum: ["ask", "deny"], description: "Where no rule matches." },
        self: { type: "boolean", description: "Own calls." },
        rules: {
          type: "array",
          description: "All rules.",
          items: {
            description: "A rule.",
            anyOf: [
              rule("hide", {}),
              rule("ask", {
                wait: { description: "How long.", anyOf: [{ const: "never" }, { type: "string", examples: ["8h"] }] },
              }),
            ],
          },
        },
        forbid: { type: "array", description: "Forbidden modes.", items: mode },
      },
    },
  },
}

/** Takes the text with `|` at the caret. */
function suggested(marked: string) {
  const offset = marked.indexOf("|")
  const found = suggestionsAt(schema, marked.replace("|", ""), offset)
  return found === null ? null : [...found.keys.map(({ name }) => `${name}:`), ...found.values.map(({ text }) => text)]
}

const keysOfServer = ["command:", "args:", "pin:"]
const keysOfPolicy = ["default:", "self:", "rules:", "forbid:"]

describe("suggestionsAt", () => {
  it.each([
    { at: "an empty text", text: "|", is: ["version:", "servers:", "policy:"] },
    { at: "a key being typed", text: "version: 1\npol|", is: ["servers:", "policy:"] },
    { at: "a blank line deeper than a key", text: "policy:\n  |\n", is: keysOfPolicy },
    { at: "a blank line beside keys", text: "policy:\n  |\n  self: true\n", is: ["default:", "rules:", "forbid:"] },
    { at: "a key after a map has ended", text: "policy:\n  self: true\n|\n", is: ["version:", "servers:"] },
    {
      at: "a key that is there",
      text: "policy:\n  def|ault: ask\n  self: true",
      is: ["default:", "rules:", "forbid:"],
    },
    { at: "a map whose keys the user chooses", text: "servers:\n  |", is: [] },
    { at: "a map under a chosen key", text: "servers:\n  a:\n    |\n  b:\n    pin: full\n", is: keysOfServer },
    { at: "a value", text: "policy:\n  default: |\n", is: ["ask", "deny"] },
    { at: "a value being typed, a comment behind it", text: "policy:\n  default: d| # no\n", is: ["ask", "deny"] },
    { at: "a value that is a switch", text: "policy:\n  self: |", is: ["true", "false"] },
    { at: "a value that is always the same", text: "version: |", is: ["1"] },
    { at: "an element", text: "policy:\n  rules:\n    - |\n", is: ["hide:", "ask:", "reason:", "wait:"] },
    {
      at: "an element at its key's column",
      text: "policy:\n  rules:\n  - |\n",
      is: ["hide:", "ask:", "reason:", "wait:"],
    },
    {
      at: "a later element",
      text: "policy:\n  rules:\n    - hide: a\n    - |\n",
      is: ["hide:", "ask:", "reason:", "wait:"],
    },
    { at: "one form of a rule", text: "policy:\n  rules:\n    - hide: a\n      |\n", is: ["reason:"] },
    { at: "another form of a rule", text: "policy:\n  rules:\n    - ask: a\n      |\n", is: ["reason:", "wait:"] },
    { at: "a word or an example", text: "policy:\n  rules:\n    - ask: a\n      wait: |", is: ["never", "8h"] },
    { at: "a key after a list", text: "policy:\n  rules:\n    - ask: a\n  |", is: ["default:", "self:", "forbid:"] },
    { at: "an element that is a word", text: "policy:\n  forbid:\n    - a|", is: ["ask", "observe"] },
    { at: "a list in brackets", text: "policy: { forbid: [ask, |] }", is: ["ask", "observe"] },
    { at: "a map in braces", text: "policy: { self: true, | }", is: ["default:", "rules:", "forbid:"] },
    { at: "a value in braces", text: "servers: { a: { pin: | } }", is: ["full", "off"] },
    {
      at: "braces that are not closed",
      text: "policy: { self: true, |\nversion: 1\n",
      is: ["default:", "rules:", "forbid:"],
    },
    { at: "a line below braces that are not closed", text: "servers: { a: {\npolicy:\n  |", is: keysOfPolicy },
    { at: "braces over lines", text: "servers: {\n  a: {\n    command: x,\n    |\n  }\n}\n", is: ["args:", "pin:"] },
    { at: "a key after quotes", text: "servers:\n  'a: b':\n    command: \"x # {\"\n    |", is: ["args:", "pin:"] },
    { at: "a key the schema does not know", text: "polcy:\n  |", is: [] },
    { at: "a comment", text: "policy: # |", is: null },
    { at: "quotes", text: 'policy:\n  default: "|"', is: null },
  ])("$at", ({ text, is }) => {
    expect(suggested(text)).toEqual(is)
  })

  it("skips the lines of a block text, however they look", () => {
    const text = "servers:\n  a:\n    command: >-\n      policy: {\n      'it\n\n    "
    expect(suggestionsAt(schema, text, text.length)?.keys.map(({ name }) => name)).toEqual(["args", "pin"])
    expect(suggestionsAt(schema, text, text.indexOf("policy") + 3)).toBeNull()
  })

  it("says what is replaced, how far it is indented, and whether the colon is there", () => {
    const text = "policy:\n  rul: []\n"
    expect(suggestionsAt(schema, text, 12)).toMatchObject({ from: 10, to: 13, typed: "ru", column: 2, hasColon: true })
    expect(suggestionsAt(schema, "policy:\n  rul", 13)).toMatchObject({
      from: 10,
      to: 13,
      hasColon: false,
      isFlow: false,
    })
  })

  it("knows which keys go on below, and what each is for", () => {
    const { keys = [] } = suggestionsAt(schema, "policy:\n  ", 10) ?? {}
    expect(keys.map(({ name, form }) => [name, form])).toEqual([
      ["default", "scalar"],
      ["self", "scalar"],
      ["rules", "list"],
      ["forbid", "list"],
    ])
    expect(keys[0]?.description).toBe("Where no rule matches.")
  })
})

describe("helpAt", () => {
  const text = "policy:\n  default: ask # why\n  rules:\n    - ask: files(x)\n      wait: 8h\n  forbid: [ask]\n"
  const said = (part: string, from = 0) => helpAt(schema, text, text.indexOf(part, from))

  it("tells what a key is for, with its values", () => {
    expect(said("policy")).toMatchObject({ name: "policy", description: "The rules.", from: 0, to: 6 })
    expect(said("default")).toMatchObject({ name: "default", description: "Where no rule matches." })
    expect(said("default")?.values.map((value) => value.text)).toEqual(["ask", "deny"])
  })

  it("tells of a value what its key is for", () => {
    expect(said("8h")).toMatchObject({ name: "wait", description: "How long." })
    expect(said("files(x)")).toMatchObject({ name: "ask", description: "To ask." })
    expect(said("ask]")).toMatchObject({ name: "forbid", description: "A mode." })
  })

  it("is silent on comments, blank places and keys it does not know", () => {
    expect(said("why")).toBeNull()
    expect(helpAt(schema, text, 8)).toBeNull()
    expect(helpAt(schema, "nothing: here", 2)).toBeNull()
    expect(helpAt(schema, "constructor: here", 2)).toBeNull()
  })
})
