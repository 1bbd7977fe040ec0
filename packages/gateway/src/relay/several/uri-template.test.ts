import { longestName } from "@byleave/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import { fillTemplate, mayExpandTo } from "./uri-template.ts"

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
  /** With this value of `v`, and the others. */
  const fill = (template: string, value: string) => fillTemplate(template, "v", lookup)?.(value)

  it.each([
    ["f:///{path}", "f:///secret%2Fa%20b"],
    ["f:///{+path}", "f:///secret/a%20b"],
    ["f://{/x,path}", "f:///1/secret%2Fa%20b"],
    ["f:{?x,empty}{&path:3}", "f:?x=1&empty=&path=sec"],
    ["f:{#path}{.x}{;x*}", "f:#secret/a%20b.1;x=1"],
    ["f:///{x}/{other}/{x}/{v}", "f:///1/"],
    ["f:///{x,other,v}", "f:///1"],
    ["f:///{=x}", "f:///"],
    ["f:///{x", "f:///{x"],
    ["f:///{v}/{x}{+v}.{v:3}/z", "f:///a%2Fb%2Fc/1a/b/c.a%2Fb/z"],
    ["f:{?v,x}{&v*}/{other}{v}", "f:?v=a%2Fb%2Fc&x=1&v=a%2Fb%2Fc/"],
  ])("%s leads to %s", (template, address) => {
    expect(fill(template, "a/b/c")).toBe(address)
  })

  it("I2: leads nowhere where the address is longer than one may be", () => {
    expect(fill("{v}{v}", "1".repeat(longestName / 2))?.length).toBe(longestName)
    expect(fill("{v}{v}", "1".repeat(longestName / 2 + 1))).toBeNull()
    expect(fill("{v}a", "1".repeat(longestName))).toBeNull()
    expect(fillTemplate("{a}{a}{v}", "v", () => "1".repeat(longestName))).toBeNull()
    expect(fill("{v}", "\ud800")).toBe("%EF%BF%BD")
  })

  it("leads nowhere where it is longer or richer than people write", () => {
    expect(fill(`f:${"a".repeat(1_995)}{v}`, "b")).toHaveLength(1_998)
    expect(fill(`f:${"a".repeat(1_996)}{v}`, "b")).toBeUndefined()
    expect(fill("{v}".repeat(100), "b")).toHaveLength(100)
    expect(fill("{v}".repeat(101), "b")).toBeUndefined()
  })

  it.each(["v:1", "v:1*", "v:0", "v:9999", "+v:1", "v"])(
    "I3: takes work by its own length with {%s,…}, not by the value's",
    (form) => {
      const template = `{${Array.from({ length: Math.floor(1_990 / (form.length + 1)) }, () => form).join(",")}}`
      expect(growthOf((value: string) => fill(template, value), "x".repeat(200_000))).toBeLessThan(1.5)
    },
  )

  it("I3: is read once, however many values it is filled with", () => {
    let looked = 0
    const addressWith = fillTemplate("{a}{v}{a:1}", "v", () => `${looked++}`)
    expect(["x", "y", "z"].map((value) => addressWith?.(value))).toEqual(["0x1", "0y1", "0z1"])
    expect(looked).toBe(2)
  })

  it("has whole characters in the beginning of a value", () => {
    const first = (most: number, value: string) => fill(`{v:${most}}`, value)
    expect(first(1, "😀😀")).toBe(encodeURIComponent("😀"))
    expect(first(2, "a😀b")).toBe(encodeURIComponent("a😀"))
    expect(first(3, "a😀b")).toBe(encodeURIComponent("a😀b"))
    expect(first(1, "\ud83d")).toBe("%EF%BF%BD")
  })
})
