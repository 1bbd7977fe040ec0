import fc from "fast-check"
import { expect, it } from "vitest"
import { sessionKey, toolKey } from "./call.ts"

const name = fc.oneof(fc.string(), fc.constantFrom("agent", "s-1", 'a","b', "\n", "", "a\nb", "é", "\ud800"))

it("a session's key is the JSON of its two names, so no two sessions share one", () => {
  fc.assert(
    fc.property(name, name, (principal, id) => {
      expect(sessionKey({ principal, id })).toBe(JSON.stringify([principal, id]))
    }),
  )
})

it("no two tools share a key", () => {
  fc.assert(
    fc.property(name, name, name, name, (server, tool, otherServer, otherTool) => {
      const same = server === otherServer && tool === otherTool
      expect(toolKey({ server, tool }) === toolKey({ server: otherServer, tool: otherTool })).toBe(same)
    }),
  )
})
