import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { toolNames } from "./tool-names.ts"

const ref = (server: string, tool: string) => ({ server, tool })

describe("names of the aggregate", () => {
  it("are server__tool where that is safe and nobody else's", () => {
    const names = toolNames([ref("files", "read_file"), ref("web", "get.page")])
    expect(names.nameOf(ref("files", "read_file"))).toBe("files__read_file")
    expect(names.nameOf(ref("web", "get.page"))).toBe("web__get_page")
    expect(names.toolOf("web__get_page")).toEqual(ref("web", "get.page"))
    expect(names.toolOf("constructor")).toBeUndefined()
  })

  it.each([
    { name: "after unsafe characters", tools: [ref("a", "x.y"), ref("a", "x y")] },
    { name: "after - became _", tools: [ref("a", "get-env"), ref("a", "get_env")] },
    { name: "across servers", tools: [ref("a", "b__c"), ref("a__b", "c")] },
  ])("get a hash where they collide $name", ({ tools }) => {
    const names = toolNames(tools)
    const given = tools.map((tool) => names.nameOf(tool) ?? "")
    expect(new Set(given.map((name) => name.replaceAll("-", "_"))).size).toBe(2)
    for (const name of given) expect(name).toMatch(/_[0-9a-f]{8}$/)
  })

  it("lead back to their tool, are short and safe, and do not depend on order, whatever the catalogue", () => {
    const part = fc.oneof(fc.string({ maxLength: 80 }), fc.constantFrom("a", "a-b", "a_b", "A_b", "b__c"))
    const catalogue = fc.uniqueArray(fc.record({ server: part, tool: part }), {
      selector: ({ server, tool }) => JSON.stringify([server, tool]),
      maxLength: 12,
    })
    fc.assert(
      fc.property(catalogue, (tools) => {
        const names = toolNames(tools)
        const reversed = toolNames(tools.toReversed())
        for (const tool of tools) {
          const name = names.nameOf(tool) ?? ""
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
          expect(names.toolOf(name)).toEqual(tool)
          expect(reversed.nameOf(tool)).toBe(name)
        }
      }),
    )
  })
})
