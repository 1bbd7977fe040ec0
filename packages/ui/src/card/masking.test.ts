import { exactArguments } from "@byleave/api/page"
import { readJson } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { argTree, secretsIn, valueTree } from "./arguments/arg-tree.ts"
import { hiddenWords } from "./arguments/cut-text.ts"
import { jsonLines } from "./arguments/json-lines.ts"
import { blockedBy } from "./blocked-by.ts"
import { resultBlock, resultParts } from "./outcome/result-blocks.ts"

describe("masked values", () => {
  it("stand masked with their length in exact JSON, and nothing of them shows", () => {
    const args = { token: "sk-0123456789abcdefghij", list: [{ password: "hunter2" }], path: "a" }
    const masked = new Set(secretsIn(argTree(args, [])).map(({ pointer }) => pointer))
    const pieces = jsonLines(args, masked).flatMap((line) => line.pieces)
    expect(pieces.filter(({ kind }) => kind === "masked")).toEqual([
      { kind: "masked", pointer: "/token", length: 23 },
      { kind: "masked", pointer: "/list/0/password", length: 7 },
    ])
    expect(JSON.stringify(pieces)).not.toMatch(/sk-|hunter/)
    expect(JSON.stringify(pieces)).toContain("path")
  })

  it("are masked as a whole where prose holds a secret behind its name, and Allow waits", () => {
    const args = { body: "Log in with password=hunter2, then push.", title: "How to deploy" }
    const secrets = secretsIn(argTree(args, []))
    const hidden = new Set(secrets.map(({ pointer }) => pointer))
    expect(JSON.stringify(jsonLines(args, hidden))).not.toContain("hunter2")
    expect([...hidden]).toEqual(["/body"])
    expect(blockedBy(hidden)).toContain("Reveal it before you allow the call.")
  })

  it("I1 of blocked-by: block Allow until the last one is revealed", () => {
    expect(blockedBy(new Set(["/a", "/b"]))).toContain("2 values")
    expect(blockedBy(new Set(["/a"]))).toContain("1 value")
    expect(blockedBy(new Set())).toBeNull()
  })

  it("say how long they are", () => {
    expect(hiddenWords(40)).toBe("hidden, 40 characters")
    expect(hiddenWords(1)).toBe("hidden, 1 character")
  })
})

describe("what a tool gave back", () => {
  it.each([
    { name: "a text that holds one", result: "the key is sk-0123456789abcdefghij", isSecret: true },
    { name: "JSON in a text that names one", result: '{"user":"ana","password":"hunter2"}', isSecret: true },
    { name: "a plain text", result: "{not JSON} but a sentence", isSecret: false },
    { name: "what the record left out already", result: '{"password":"‹secret, 7 characters›"}', isSecret: false },
  ])("is looked through for secrets: $name", ({ result, isSecret }) => {
    expect(resultParts({ content: [{ type: "text", text: result }] }).map(resultBlock)).toEqual([
      { kind: "text", text: result, isSecret },
    ])
  })

  it("is masked where it is JSON, whatever stands around it", () => {
    expect(secretsIn(valueTree([{ token: "abc" }, "ok"])).map(({ pointer }) => pointer)).toEqual(["/0/token"])
    expect(secretsIn(valueTree("sk-0123456789abcdefghij")).map(({ pointer }) => pointer)).toEqual([""])
  })
})

describe("exact numbers", () => {
  it("stand as they were written, in the table and in JSON", () => {
    const text = '{"id":12345678901234567890,"rate":1e400}'
    const args = exactArguments(JSON.parse('{"id":12345678901234567000,"rate":null}'), text)
    expect(args === null ? [] : argTree(args, []).map(({ kind }) => kind)).toEqual(["number", "number"])
    const shown = jsonLines(args ?? {}).flatMap(({ pieces }) =>
      pieces.map((piece) => ("text" in piece ? piece.text : "")),
    )
    expect(shown).toEqual(["{", '"id": 12345678901234567890,', '"rate": 1e400', "}"])
    expect(readJson(shown.join("")).ok).toBe(true)
  })
})

describe("risks", () => {
  it("stand at the argument they name, also where names hold dots and within lists", () => {
    const risk = (key: string) => ({ kind: "unknown-host" as const, key, sentence: key })
    const tree = argTree({ "a.b": { c: "x" }, list: [{ url: "y" }] }, [risk("a\\.b.c"), risk("list.url")])
    expect(tree[0]?.inner[0]?.risks.map(({ key }) => key)).toEqual(["a\\.b.c"])
    expect(tree[1]?.inner[0]?.inner[0]?.risks.map(({ key }) => key)).toEqual(["list.url"])
  })
})
