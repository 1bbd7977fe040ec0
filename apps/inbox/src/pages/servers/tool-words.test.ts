import { describe, expect, it } from "vitest"
import { accessSource, type ServerTool, toolsSummary } from "./tool-words.ts"

function tool(effect: ServerTool["effect"]): ServerTool {
  return { name: "t", access: "write", accessFrom: "default", pin: "accepted", definition: null, effect, why: "" }
}

describe("toolsSummary", () => {
  it("R135: counts what runs unasked first", () => {
    expect(toolsSummary([tool("ask"), tool("allow"), tool("deny"), tool("ask")])).toBe(
      "4 tools: 1 allowed, 2 need approval, 1 denied",
    )
  })

  it("says that nothing is known yet", () => {
    expect(toolsSummary([])).toBe("No tools known yet")
  })
})

it("says that a name alone proves nothing of a server that is not trusted", () => {
  const read = { access: "read", accessFrom: "name" } as const
  expect(accessSource(read, "none")).toMatch(/rules do not rely on this/)
  expect(accessSource(read, "annotations")).toBe("judging by its name")
})
