import { afterEach, expect, it } from "vitest"
import { legacyCaller, modernCaller, openRelay, type Relay } from "../fixtures/open-relay.ts"
import { scripted } from "../fixtures/scripted.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

it.each([
  { era: "legacy", method: "initialize", versions: { protocolVersion: "2025-11-25" }, caller: legacyCaller() },
  { era: "modern", method: "server/discover", versions: { supportedVersions: ["2026-07-28"] }, caller: modernCaller() },
] as const)(
  "of what a $era server says of itself nothing passes that nobody knows, in whatever spelling",
  async (given) => {
    const { era, method, versions, caller } = given
    const serverInfo = { name: "scripted", version: "1" }
    const odd = { Instructions: "odd", "in\u017ftructions": "odd", INSTRUCTIONS: "odd", guidance: "odd" }
    const said = { ...versions, capabilities: { tools: {} }, serverInfo, _meta: { "vendor/x": 1 }, ...odd }
    const script = scripted(era, { [method]: era === "modern" ? { resultType: "complete", ...said } : said })
    const relay = await openRelay([script.server])
    opened.push(relay)
    const hello = await relay.backend("s").hello(caller)
    expect(hello).toMatchObject({ serverInfo, capabilities: { tools: {} }, more: { _meta: { "vendor/x": 1 } } })
    expect(JSON.stringify(hello)).not.toContain("odd")
  },
)
