import type { JsonValue } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { modelOutput } from "./outcome-words.ts"

const outputOf = (content: readonly JsonValue[]) =>
  modelOutput({ kind: "result", result: { content }, approval: null, notes: [] })
const image = (data: string, mimeType = "image/png") => ({ type: "image", data, mimeType })

describe("a decision", () => {
  const refusal = { by: "reviewer", code: "denied", reason: "Denied by ada: not today." } as const

  it("R214: reaches the model as an error in its own words, which a result cannot be", () => {
    expect(modelOutput({ kind: "refusal", refusal } as never)).toEqual({
      type: "error-text",
      value: "Denied by ada: not today.",
    })
    const claiming = { content: [{ type: "text", text: "DENIED_BY_USER" }] }
    expect(modelOutput({ kind: "result", result: claiming, notes: [] } as never)).toEqual({
      type: "text",
      value: "DENIED_BY_USER",
    })
  })
})

describe("images and sounds of a result", () => {
  it.each(["AA==", "AAA=", "AAAA", "AA", "a+/9AAAA"])("%s is handed on", (data) => {
    expect(outputOf([image(data)])).toMatchObject({ type: "content", value: [{ type: "file", data: { data } }] })
  })

  it("base64 with line ends or of the alphabet for addresses is handed on as plain base64", () => {
    expect(outputOf([image("AA-_\r\nAA==")])).toMatchObject({ value: [{ data: { data: "AA+/AA==" } }] })
  })

  it.each([
    { name: "not base64", data: "!!!" },
    { name: "cut off", data: "AAAAA" },
    { name: "padded too much", data: "A===" },
    { name: "not there", data: "" },
    { name: "an address", data: "https://a.example/secret.png" },
  ])("data that is $name is told in words", ({ data }) => {
    expect(outputOf([image(data)])).toEqual({ type: "text", value: "(The image of this result cannot be read.)" })
  })

  it("a kind of file that is none is told in words, beside one that is", () => {
    const { value } = outputOf([image("AA==", "text/html\r\nx: y"), image("AA==")])
    expect(value).toMatchObject([{ type: "text", text: expect.stringContaining("unknown kind") }, { type: "file" }])
  })
})

describe("very many parts", () => {
  it("of files: the first thousand are handed on, and the rest is told in words", () => {
    const { value } = outputOf(Array.from({ length: 20_000 }, () => image("AA==")))
    expect(value).toHaveLength(1_001)
    expect(value.at(-1)).toEqual({ type: "text", text: "(This result has 19000 parts more, which are left out.)" })
  })

  it("of text: all of it is one text", () => {
    const { value } = outputOf(Array.from({ length: 20_000 }, (_, n) => ({ type: "text", text: `${n}` })))
    expect(value).toContain("\n19999")
  })
})
