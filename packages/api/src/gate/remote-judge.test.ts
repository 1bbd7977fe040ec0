import type { Decision } from "@byleave/core"
import { describe, expect, it } from "vitest"
import type { GateTransport } from "./gate-transport.ts"
import { judgeInBatches } from "./remote-judge.ts"

type Sent = {
  readonly from: { readonly agent: string; readonly session: { readonly id: string } }
  readonly targets: []
}

const caller = (principal: string, id: string) => ({
  principal: { id: principal },
  session: { principal, id, named: true },
})
const target = (name: string) => ({ server: "files", kind: "tool", name }) as const

/** A service that answers each question by the session it was asked for. */
function open(answer: (sent: Sent) => readonly unknown[]) {
  const asked: Sent[] = []
  const transport: GateTransport = {
    post: async (_path, body) => {
      const sent = JSON.parse(body) as Sent
      asked.push(sent)
      return { status: 200, text: JSON.stringify({ decisions: answer(sent) }) }
    },
    get: async () => ({ status: 404, text: "" }),
  }
  return { judge: judgeInBatches(transport, undefined), asked }
}

describe("what is judged elsewhere", () => {
  it("I1: is an error where the service judged less than it was asked about", async () => {
    const { judge } = open(() => [{ effect: "allow" }])
    const [first, second] = ["one", "two"].map((name) => judge(target(name), undefined, caller("agent", "s1")))
    expect(await first).toEqual({ effect: "allow" })
    await expect(second).rejects.toThrow("fewer things")
    await expect(open(() => []).judge(target("one"), {}, caller("agent", "s1"))).rejects.toThrow("fewer things")
  })

  it("I2: is judged for the session that asked, though others ask in the same moment", async () => {
    const { judge, asked } = open(({ from, targets }) => targets.map(() => ({ effect: from.session.id })))
    const of = (principal: string, id: string): Promise<Decision> =>
      judge(target("one"), undefined, caller(principal, id))
    const decisions = await Promise.all([of("agent", "s1"), of("agent", "s2"), of("other", "s1"), of("agent", "s1")])
    expect(decisions.map(({ effect }) => effect)).toEqual(["s1", "s2", "s1", "s1"])
    expect(asked.map(({ from, targets }) => [from.agent, from.session.id, targets.length])).toEqual([
      ["agent", "s1", 2],
      ["agent", "s2", 1],
      ["other", "s1", 1],
    ])
  })
})
