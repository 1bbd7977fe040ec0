import type { PinView } from "@byleave/api"
import { expect, it } from "vitest"
import { leftToLookAt, lookedAt } from "./looked-at.ts"

const definition = { title: null, description: null, icon: null, annotations: null, inputSchema: null }

function pin(tool: string, description: string, before: string | null = null): PinView {
  const accepted = { definition, whole: { name: tool, description: before }, fingerprint: "f0", at: 1, by: null }
  return {
    ...{ server: "files", tool, of: "tool", state: "new", depth: "full", quarantined: null },
    accepted: before === null ? null : accepted,
    proposed: { definition, whole: { name: tool, description }, fingerprint: "f1", seenAt: 1, rejected: null },
    differences: [],
    flags: [],
  }
}

it("counts what was not opened yet", () => {
  const looked = lookedAt(new Set(), pin("a", "one"))
  expect(leftToLookAt([pin("a", "one"), pin("b", "one")], looked)).toBe(1)
})

it("wants a definition that changed again looked at again, also where its fingerprint leaves out words", () => {
  const looked = lookedAt(new Set(), pin("a", "one"))
  expect(leftToLookAt([pin("a", "two")], looked)).toBe(1)
})

it("wants a definition looked at again that is compared with another one", () => {
  const looked = lookedAt(new Set(), pin("a", "one", "before"))
  expect(leftToLookAt([pin("a", "one", "otherwise")], looked)).toBe(1)
})
