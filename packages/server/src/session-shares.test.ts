import { expect, it } from "vitest"
import type { SessionFact } from "./session-facts.ts"
import { inFairShares, withinList } from "./session-shares.ts"

function fact(principal: string, id: string, lastSeenAt: number, called = false): SessionFact {
  const firstCall = called ? { server: "files", tool: "read" } : null
  const session = { principal, id, named: false }
  return { session, client: null, folder: null, firstCall, startedAt: lastSeenAt, lastSeenAt }
}

const many = (principal: string, count: number): readonly SessionFact[] =>
  Array.from({ length: count }, (_, at) => fact(principal, `${principal} ${at}`, 1_000 + at))

const nobody = (): boolean => false
const idsOf = (facts: readonly SessionFact[]): readonly string[] => facts.map(({ session }) => session.id)

it("I1: shows 20 of one agent, and 100 of a token whose program names many agents; others' are all there", () => {
  const opened = [...many("evil", 300), ...Array.from({ length: 50 }, (_, at) => many(`wrap:a${at}`, 10)).flat()]
  const shown = inFairShares([...opened, fact("good", "g1", 1), fact("good:files", "g2", 2)], nobody)
  const ofEvil = shown.filter(({ session }) => session.principal === "evil")
  expect(idsOf(ofEvil)).toEqual(Array.from({ length: 20 }, (_, at) => `evil ${299 - at}`))
  expect(shown.filter(({ session }) => session.principal.startsWith("wrap:"))).toHaveLength(100)
  expect(idsOf(shown)).toEqual(expect.arrayContaining(["g1", "g2"]))
})

it("I2: shows a session that called something, or whose client is there, before newer ones that were only opened", () => {
  const [called, there] = [fact("evil", "called", 1, true), fact("evil", "there", 2)]
  const shown = inFairShares([...many("evil", 300), called, there], ({ id }) => id === "there")
  expect(idsOf(shown).slice(0, 2)).toEqual(["there", "called"])
})

it("I3: a list has an end, of one token and in all, and begins with what matters", () => {
  const listed = (principal: string, id: number) => ({ session: { principal, id: `${id}`, named: true } })
  const of = (principal: string, count: number) => Array.from({ length: count }, (_, id) => listed(principal, id))
  const flood = [...of("ci:a", 150), ...of("ci:b", 150), listed("ana", 1)]
  const shown = withinList(flood, ({ session }) => session.principal === "ci:b")
  expect(shown).toHaveLength(201)
  expect(shown.filter(({ session }) => session.principal === "ci:b")).toHaveLength(150)
  expect(shown.at(-1)).toEqual(listed("ana", 1))
  const many = Array.from({ length: 1_200 }, (_, id) => listed(`token${id}`, id))
  expect(withinList(many, ({ session }) => session.principal === "token1199")).toHaveLength(1_000)
  expect(withinList(many, ({ session }) => session.principal === "token1199")[0]).toEqual(listed("token1199", 1_199))
})
