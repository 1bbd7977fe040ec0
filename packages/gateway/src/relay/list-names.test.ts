import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import {
  ask,
  modernCaller,
  nodeServer,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  rule,
} from "./fixtures/open-relay.ts"

const main = fileURLToPath(new URL("./fixtures/sly-server.ts", import.meta.url))
const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

describe("a listing", () => {
  it("I1, I3: of anything is without what policy hides, and for this caller alone", async () => {
    const hidden = ["sly(sample*)", "sly(prompt:secret*)", "sly(resource:secret:*)"]
    const policy = policyOf(hidden.map((text) => rule("hide", text)))
    const relay = await openRelay([nodeServer("sly", [main, "modern"])], { policy })
    opened.push(relay)
    for (const [method, member, shown, kept] of [
      ["tools/list", "tools", "late-log", "sample"],
      ["prompts/list", "prompts", "open prompt", "secret prompt"],
      ["resources/list", "resources", "open://a", "secret://a"],
      ["resources/templates/list", "resourceTemplates", "open://{x}", "secret://{x}"],
    ] as const) {
      const result = await resultOf(ask(relay.backend("sly"), modernCaller(), { method }))
      expect(JSON.stringify(result[member])).toContain(shown)
      expect(JSON.stringify(result[member])).not.toContain(kept)
      expect(result.cacheScope).toBe("private")
    }
  })
})
