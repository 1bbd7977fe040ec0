import { allModes, autonomyOf } from "@byleave/core"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { SwitchRows } from "./autonomy-switches.tsx"
import { toggled } from "./kind-ticks.tsx"

const drawn = (mode: (typeof allModes)[number], barred?: string) =>
  renderToStaticMarkup(createElement(SwitchRows, { mode, barred, isBusy: false, onChoose: () => {} }))
const states = (markup: string) =>
  [...markup.matchAll(/aria-checked="(true|false)"[^>]*>\s*<span><strong>(\w+)/g)].map(([, on, name]) => [name, on])

it.each(allModes)("R66: shows all, tools, paths and URLs as they are in the mode %s", (mode) => {
  const kinds = autonomyOf(mode)
  const is = (on: boolean) => String(on)
  expect(states(drawn(mode))).toEqual([
    ["All", is(kinds.length === 3)],
    ["Tools", is(kinds.includes("tools"))],
    ["Paths", is(kinds.includes("paths"))],
    ["URLs", is(kinds.includes("urls"))],
  ])
})

it("is disabled with the reason where policy forbids it", () => {
  expect(drawn("ask", "Your policy forbids this mode.")).toMatch(/<fieldset[^>]*disabled.*forbids this mode/s)
})

it("switches one kind and leaves the others", () => {
  expect(toggled(["tools"], "urls")).toEqual(["tools", "urls"])
  expect(toggled(["tools", "urls"], "tools")).toEqual(["urls"])
})
