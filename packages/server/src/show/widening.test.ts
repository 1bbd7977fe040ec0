import { expect, it } from "vitest"
import { isPolicyChange, wideningIn, withoutShellSigns } from "./widening.ts"

it("what a change of the configuration widens is what to look at, servers included; what it tightens is not", () => {
  const args = { widens: ["Adds allow: a; b."], servers: ["Starts files otherwise."], tightens: ["Adds deny: c."] }
  expect(wideningIn(args)).toEqual([
    { kind: "widens-policy", key: "", sentence: "Adds allow: a; b." },
    { kind: "widens-policy", key: "", sentence: "Starts files otherwise." },
  ])
})

it("says how many more there are, and takes nothing that is no sentence", () => {
  const widens = Array.from({ length: 23 }, (_, at) => `Change ${at}.`)
  const told = wideningIn({ widens, servers: [1, null] })
  expect(told).toHaveLength(21)
  expect(told.at(-1)?.sentence).toBe("The same goes for 3 more changes.")
  expect(wideningIn({})).toEqual([])
})

it("only Byleave's own call is read so, and only shell signs are left out of its other risks", () => {
  expect(isPolicyChange({ tool: { server: "byleave", tool: "change_policy" } })).toBe(true)
  expect(isPolicyChange({ tool: { server: "files", tool: "change_policy" } })).toBe(false)
  const kinds = ["shell-metacharacters", "hidden-characters"] as const
  const risks = kinds.map((kind) => ({ kind, key: "", sentence: "" }))
  expect(withoutShellSigns(risks).map(({ kind }) => kind)).toEqual(["hidden-characters"])
})
