import type { SessionView } from "@byleave/api"
import { expect, it } from "vitest"
import { withEnded } from "./with-ended.ts"

it("a session that is listed no more keeps what was known of it, of the last hundred", () => {
  const session = (key: string, label: string) => ({ key, label }) as SessionView
  const before = withEnded([session("a", "Release"), session("b", "Old")], new Map())
  const after = withEnded([session("b", "New")], before)
  expect([...after.values()].map(({ label }) => label)).toEqual(["Release", "New"])
  const many = Array.from({ length: 150 }, (_, at) => session(`${at}`, `${at}`))
  expect(withEnded([], withEnded(many, new Map())).size).toBe(100)
})
