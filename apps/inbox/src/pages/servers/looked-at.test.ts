import type { PinView } from "@byleave/api"
import { expect, it } from "vitest"
import { leftToLookAt, lookedAt } from "./looked-at.ts"

const definition = { title: null, description: null, icon: null, annotations: null, inputSchema: null }

function pin(tool: string, fingerprint: string): PinView {
  return {
    ...{ server: "files", tool, of: "tool", state: "new", depth: "full", accepted: null, quarantined: null },
    proposed: { definition, whole: { name: tool }, fingerprint, seenAt: 1, rejected: null },
    differences: [],
    flags: [],
  }
}

it("counts what was not opened yet", () => {
  const looked = lookedAt(new Set(), pin("a", "f1"))
  expect(leftToLookAt([pin("a", "f1"), pin("b", "f1")], looked)).toBe(1)
})

it("wants a definition that changed again looked at again", () => {
  const looked = lookedAt(new Set(), pin("a", "f1"))
  expect(leftToLookAt([pin("a", "f2")], looked)).toBe(1)
})
