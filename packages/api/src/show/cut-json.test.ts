import { readJson } from "@byleave/core"
import fc from "fast-check"
import { expect, it } from "vitest"
import { growthOf } from "../../../../test/growth-of.ts"
import { readCutJson } from "./cut-json.ts"
import { holdsSecret } from "./masking.ts"

it.each([
  ['{"a":1,"b":[1,2,{"c":"de', { a: 1, b: [1, 2, { c: "de" }] }],
  ['{"a":1,"b":12', { a: 1 }],
  ['{"a":[1,2],"b":tr', { a: [1, 2] }],
  ['{"a":[1,2]', { a: [1, 2] }],
  ['{"a":"x","pass', { a: "x" }],
  ['{"a":"x","password":', { a: "x" }],
  ['{"a":"x\\', { a: "x" }],
  ['{"a":"x\\u00e', { a: "x" }],
  ['{"a":"x\\\\u00e', { a: "x\\u00e" }],
  ['{"a":"x\ud83d', { a: "x\ufffd" }],
  ["{", {}],
  ["[FILE] a.md", undefined],
  ['{"a":1,"A":2,"b":"', undefined],
  ["words", undefined],
])("reads %j as far as it goes", (text, value) => {
  expect(readCutJson(text)).toEqual(value)
})

it("reads any object, wherever it is cut", () => {
  const anyObject = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 })
  fc.assert(
    fc.property(anyObject, fc.nat(), (object, at) => {
      const text = JSON.stringify(object)
      if (!readJson(text).ok) return
      expect(readCutJson(text.slice(0, 1 + (at % text.length)))).toBeTypeOf("object")
    }),
  )
})

it.each(["[", '{"a":', "[1,", '"'])("takes time in proportion to a hostile text of %j", (part) => {
  expect(growthOf(readCutJson, part.repeat(200_000 / part.length))).toBeLessThan(3)
})

it.each([
  { text: '{"password":"correct horse battery"}', is: true },
  { text: `{"password":"correct horse battery","pad":"${"x".repeat(50)}`, is: true },
  { text: '{"a":1,"a":2,"password":"correct horse battery"}', is: true },
  { text: "password=hunter2hunter2", is: true },
  { text: '{"path":"a.md","pad":"xx', is: false },
  { text: "[FILE] a.md\n[DIR] src", is: false },
  { text: "", is: false },
])("a result holds a secret: $text: $is", ({ text, is }) => {
  expect(holdsSecret(text)).toBe(is)
})
