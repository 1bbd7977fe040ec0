import { longestName } from "@byleave/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import { expandTemplate, mayExpandTo } from "./uri-template.ts"

describe("an address and a template", () => {
  it.each([
    { template: "a://1", uri: "a://1", fits: true },
    { template: "a://1", uri: "a://12", fits: false },
    { template: "a://{x}", uri: "a://", fits: true },
    { template: "a://{x}/b", uri: "a://1/2/b", fits: true },
    { template: "a://{x}/b", uri: "a:///", fits: false },
    { template: "a{x}aab{y}", uri: "aaaab", fits: true },
    { template: "a{x}b{y}b", uri: "ab", fits: false },
    { template: "{x}{y}", uri: "", fits: true },
    { template: `a{x}${"b".repeat(2_000)}`, uri: `a${"b".repeat(2_000)}`, fits: false },
  ])("$template and $uri: $fits", ({ template, uri, fits }) => {
    expect(mayExpandTo(template, uri)).toBe(fits)
  })

  it("fit as a pattern of its literal parts says", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 })
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.string({ unit: fc.constantFrom("a", "b") }),
        (parts, uri) => {
          expect(mayExpandTo(parts.join("{x}"), uri)).toBe(new RegExp(`^${parts.join(".*")}$`).test(uri))
        },
      ),
    )
  })

  it("I1: are compared in time that grows with their lengths, not with the product", () => {
    const compare = (text: string) => {
      const uri = `x:${text.repeat(4)}`
      const templates = Array.from({ length: 200 }, (_, at) => `x:{p${at}}${"a".repeat(20)}b${text}{q}`)
      return templates.filter((template) => mayExpandTo(template, uri)).length
    }
    expect(growthOf(compare, "a".repeat(1_900))).toBeLessThan(3)
  })
})

describe("a template with values", () => {
  const values = new Map([
    ["path", "secret/a b"],
    ["x", "1"],
    ["empty", ""],
  ])
  const lookup = (name: string) => values.get(name)

  it.each([
    ["f:///{path}", "f:///secret%2Fa%20b", true],
    ["f:///{+path}", "f:///secret/a%20b", true],
    ["f://{/x,path}", "f:///1/secret%2Fa%20b", true],
    ["f:{?x,empty}{&path:3}", "f:?x=1&empty=&path=sec", true],
    ["f:{#path}{.x}{;x*}", "f:#secret/a%20b.1;x=1", true],
    ["f:///{x}/{other}/{x}", "f:///1/", false],
    ["f:///{x,other}", "f:///1", false],
    ["f:///{=x}", "f:///", false],
    ["f:///{x", "f:///{x", true],
  ])("%s leads to %s, whole: %s", (template, address, isWhole) => {
    expect(expandTemplate(template, lookup)).toEqual({ address, isWhole })
  })

  it("I2: leads nowhere where the address is longer than one may be", () => {
    expect(expandTemplate("{x}".repeat(longestName), () => "1")?.address.length).toBe(longestName)
    expect(expandTemplate("{x}".repeat(longestName + 1), () => "1")).toBeNull()
    expect(expandTemplate("{x}{x}{x}", () => "1".repeat(longestName))).toBeNull()
    expect(expandTemplate("{x}", () => "\ud800")?.address).toBe("%EF%BF%BD")
  })

  it.each(["a:1", "a:1*", "a:0", "a:9999", "+a:1", "a"])(
    "I3: takes work by its own length with {%s,…}, not by the value's",
    (form) => {
      const template = `{${Array.from({ length: 2_000 }, () => form).join(",")}}`
      const expand = (value: string) => expandTemplate(template, () => value)
      expect(growthOf(expand, "x".repeat(200_000))).toBeLessThan(1.5)
    },
  )

  it("has whole characters in the beginning of a value", () => {
    const first = (most: number, value: string) => expandTemplate(`{x:${most}}`, () => value)?.address
    expect(first(1, "😀😀")).toBe(encodeURIComponent("😀"))
    expect(first(2, "a😀b")).toBe(encodeURIComponent("a😀"))
    expect(first(3, "a😀b")).toBe(encodeURIComponent("a😀b"))
    expect(first(1, "\ud83d")).toBe("%EF%BF%BD")
  })
})
