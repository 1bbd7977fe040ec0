import { expect, it } from "vitest"
import { isPolicyChange, policyChangeRisks } from "./policy-change-risks.ts"
import { risksOf } from "./risks.ts"

it("what a change of the configuration widens is what to look at, servers included; what it tightens is not", () => {
  const args = { widens: ["Adds allow: a; b."], servers: ["Starts files otherwise."], tightens: ["Adds deny: c."] }
  expect(policyChangeRisks(args)).toEqual([
    { kind: "widens-policy", key: "", sentence: "Adds allow: a; b." },
    { kind: "widens-policy", key: "", sentence: "Starts files otherwise." },
  ])
})

it("says how many more there are, and takes nothing that is no sentence", () => {
  const widens = Array.from({ length: 23 }, (_, at) => `Change ${at}.`)
  const told = policyChangeRisks({ widens, servers: [1, null] })
  expect(told).toHaveLength(21)
  expect(told.at(-1)?.sentence).toBe("The same applies to 3 more changes.")
  expect(policyChangeRisks({})).toEqual([])
})

it("only Byleave's own call is read so, and only shell signs are left out of its other risks", () => {
  expect(isPolicyChange({ server: "byleave", tool: "change_policy" })).toBe(true)
  expect(isPolicyChange({ server: "files", tool: "change_policy" })).toBe(false)
  const args = { widens: ["Adds allow: a; b."], note: "a;\u202eb" }
  const kindsOf = (server: string) =>
    risksOf({ tool: { server, tool: "change_policy" }, args, definition: null }).map(({ kind }) => kind)
  expect(kindsOf("byleave")).toEqual(["widens-policy", "hidden-characters"])
  expect(kindsOf("files")).toEqual(["shell-metacharacters", "hidden-characters"])
})
