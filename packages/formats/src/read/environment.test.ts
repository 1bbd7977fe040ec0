// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are references
import fc from "fast-check"
import { expect, it } from "vitest"
import { expandEnvironment, hasReference, withoutReferences } from "./environment.ts"

const env = new Map([
  ["NAME", "value"],
  ["EMPTY", ""],
  ["NESTED", "${NAME}"],
])

it.each([
  { written: "a ${NAME} b", text: "a value b", values: ["value"] },
  { written: "${env:NAME}", text: "value", values: ["value"] },
  { written: "${EMPTY}", text: "", values: [""] },
  { written: "${OTHER:-instead}", text: "instead", values: [] },
  { written: "${NAME:-instead}", text: "value", values: ["value"] },
  { written: "$${NAME}", text: "${NAME}", values: [] },
  { written: "$NAME $5 {NAME}", text: "$NAME $5 {NAME}", values: [] },
  { written: "${NESTED}", text: "${NAME}", values: ["${NAME}"] },
])("$written becomes $text", ({ written, text, values }) => {
  const expansion = expandEnvironment(written, env)
  expect(expansion).toMatchObject({ text, missing: [], unreadable: [] })
  expect(expansion.filled.map(({ value }) => value)).toEqual(values)
  expect(hasReference(written)).toBe(/(?<!\$)\$\{/.test(written))
})

it("names every missing variable and every reference nobody can fill in", () => {
  const expansion = expandEnvironment("${A} ${B} ${input:x} ${", env)
  expect(expansion).toMatchObject({ missing: ["A", "B"], unreadable: ["${input:x}", "${"] })
})

it("leaves text without references alone, and asks for no other variable", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const asked: string[] = []
      const expansion = expandEnvironment(text, (name) => void asked.push(name))
      return text.includes("${") || (expansion.text === text && asked.length === 0)
    }),
  )
})

it("gives back any text that was written without references", () => {
  const text = fc.string({ unit: fc.constantFrom("$", "{", "}", "${", "NAME", ":-", "x") })
  fc.assert(
    fc.property(text, (one) => {
      const expansion = expandEnvironment(withoutReferences(one), env)
      expect(expansion).toEqual({ text: one, filled: [], missing: [], unreadable: [] })
    }),
  )
})
