import { emptyPolicy, type Policy } from "@byleave/core"
import { expect, it } from "vitest"
import { answerBy } from "../fixtures/random-rules.ts"
import { ruleLanguages } from "../languages.ts"
import { policyInForce } from "./policy-in-force.ts"

const open: Policy = {
  ...emptyPolicy,
  rules: ["files", "web"].map((server) => ({
    ...{ id: server, effect: "allow", origin: { where: "test" } },
    target: { server, kind: "tool", name: "*", whole: false },
  })),
}
const said = { by: "ana", at: 1 }
const pin = (server: string, tool: string, more: object) => {
  return { server, tool, of: tool === "" ? "server" : "tool", proposed: null, quarantined: null, ...more } as const
}
const grant = { id: "g", effect: "deny", breadth: { kind: "tool", server: "files", tool: "write" } } as const

it("I1: what is quarantined, rejected, not yet accepted or denied by a saved answer is not allowed by the rules around it", () => {
  const { policy } = policyInForce(open, {
    grants: [grant],
    pins: [
      pin("files", "delete", { quarantined: said }),
      pin("files", "move", { proposed: { rejected: said } }),
      pin("files", "list", { proposed: { rejected: null } }),
      pin("files", "read", {}),
      pin("web", "", { quarantined: said }),
    ],
  })
  const answer = (server: string, tool: string) => answerBy(policy)({ server, tool, args: {}, principal: "ann" })
  expect(["delete", "move", "list", "read", "write"].map((tool) => answer("files", tool))).toEqual([
    ...["hide", "deny", "ask", "allow", "deny"],
  ])
  expect(answer("web", "get")).toBe("hide")
  const known = new Map([["files", ["delete", "move", "list", "read", "write"]]])
  const text = ruleLanguages.find(({ id }) => id === "claude-code")?.write(policy, { known }).text ?? ""
  expect(JSON.parse(text).permissions).toMatchObject({
    ask: ["mcp__files__list"],
    deny: expect.arrayContaining(["mcp__files__delete", "mcp__files__move", "mcp__files__write", "mcp__web"]),
  })
})

it.each([
  { whose: { agent: "ann" }, effect: "deny" },
  { whose: { session: { principal: "ann", id: "ann" } }, effect: "deny" },
  { whose: { session: { principal: "ann", id: "s1" } }, effect: "allow" },
])("I1: a denial for $whose becomes $effect", ({ whose, effect }) => {
  const { policy } = policyInForce(open, { grants: [{ ...grant, ...whose, until: 5 }], pins: [] })
  expect(answerBy(policy)({ server: "files", tool: "write", args: {}, principal: "ann" })).toBe(effect)
})
