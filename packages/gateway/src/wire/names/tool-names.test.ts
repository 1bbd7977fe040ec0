import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mayLeadTo, toolNames } from "./tool-names.ts"

describe("names of the aggregate", () => {
  it("are server__tool where that is safe and nobody else's", () => {
    expect(toolNames("files", ["read_file"], ["files", "web"]).nameOf("read_file")).toBe("files__read_file")
    const names = toolNames("web", ["get.page"], ["files", "web"])
    expect(names.nameOf("get.page")).toBe("web__get_page")
    expect(names.toolOf("web__get_page")).toBe("get.page")
    expect(names.toolOf("constructor")).toBeUndefined()
  })

  it.each([
    { name: "after unsafe characters", tools: ["x.y", "x y"] },
    { name: "after - became _", tools: ["get-env", "get_env"] },
    { name: "without case", tools: ["Get", "get"] },
  ])("I1: get a hash where two of a server collide $name", ({ tools }) => {
    const names = toolNames("a", tools, ["a"])
    const given = tools.map((tool) => names.nameOf(tool) ?? "")
    expect(new Set(given.map((name) => name.replaceAll("-", "_").toLowerCase())).size).toBe(2)
    for (const name of given) expect(name).toMatch(/_[0-9a-f]{8}$/)
  })

  it("I3: get a hash where they could be another server's, though that lists nothing", () => {
    const servers = ["a", "a__b", "A-", "c"]
    expect(toolNames("a", ["b__c"], servers).nameOf("b__c")).toMatch(/^a__b__c_[0-9a-f]{16}$/)
    expect(toolNames("a__b", ["c"], servers).nameOf("c")).toMatch(/^a__b__c_[0-9a-f]{16}$/)
    expect(toolNames("a", ["b_c"], servers).nameOf("b_c")).toBe("a__b_c")
    expect(toolNames("c", ["b__c"], servers).nameOf("b__c")).toBe("c__b__c")
  })

  it("I1, I2: lead back to their tool and no other server's, are short and safe, and do not depend on order, whatever is listed", () => {
    const part = fc.oneof(fc.string({ maxLength: 80 }), fc.constantFrom("a", "a-b", "a_b", "A_b", "b__c", "a__b"))
    const tools = fc.uniqueArray(part, { maxLength: 6 })
    const catalogues = fc.uniqueArray(fc.record({ server: part, tools }), {
      selector: ({ server }) => server,
      maxLength: 5,
    })
    fc.assert(
      fc.property(catalogues, (all) => {
        const servers = all.map(({ server }) => server)
        const seen = new Set<string>()
        for (const { server, tools } of all) {
          const names = toolNames(server, tools, servers)
          const reversed = toolNames(server, tools.toReversed(), servers.toReversed())
          for (const tool of tools) {
            const name = names.nameOf(tool) ?? ""
            expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
            expect(names.toolOf(name)).toBe(tool)
            expect(reversed.nameOf(tool)).toBe(name)
            expect(mayLeadTo(name, server)).toBe(true)
            expect(seen).not.toContain(name)
            seen.add(name)
          }
        }
      }),
    )
  })
})
