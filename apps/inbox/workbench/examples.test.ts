import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { matching } from "./example.ts"
import { exampleGroups } from "./groups.ts"
import { addressOf, readViewState } from "./view-state.ts"

const folder = fileURLToPath(new URL("./", import.meta.url))
const parts = join(folder, "../../../packages/ui/src")
const examples = exampleGroups.flatMap(({ title: group, examples: inIt }) => inIt.map((each) => ({ ...each, group })))

/** Exported by packages/ui and drawn by no example, each with a reason. */
const notDrawn: Readonly<Record<string, string>> = {
  FoldsContext: "draws nothing: it counts what a card has folded away",
  CardNameContext: "draws nothing: it tells cards on one page apart",
}

describe("an example of the workbench", () => {
  const errors: unknown[][] = []

  beforeEach(() => {
    errors.length = 0
    vi.spyOn(console, "error").mockImplementation((...said) => void errors.push(said))
    // A menu looks for the page's main part as it is drawn, and the quick reasons for those given before.
    vi.stubGlobal("document", { querySelector: () => null })
    vi.stubGlobal("localStorage", { getItem: () => null })
  })

  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it.each(examples)("draws $group: $title", ({ Draw, coversPage }) => {
    const html = renderToStaticMarkup(createElement(Draw))
    expect(errors).toEqual([])
    // A dialog is put over a page, which there is none of here.
    if (coversPage !== true) expect(html).not.toBe("")
  })

  it("has an anchor of its own", () => {
    const ids = examples.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(ids.filter((id) => !/^[a-z][a-z-]*$/.test(id))).toEqual([])
  })
})

describe("the workbench", () => {
  const groups = readdirSync(join(folder, "groups")).map((file) => readFileSync(join(folder, "groups", file), "utf8"))
  const source = [...groups, readFileSync(join(folder, "card-of.tsx"), "utf8")].join("\n")
  const isDrawn = (name: string) => new RegExp(`<${name}[\\s/>]`).test(source)

  it("shows every component that packages/ui exports, and every dialog in it", () => {
    const index = readFileSync(join(parts, "index.ts"), "utf8").replaceAll(/export type \{[^}]*\}/g, "")
    const exported = [...index.matchAll(/export \{([^}]*)\}/g)].flatMap(([, names = ""]) => names.split(","))
    const dialogs = readdirSync(parts, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("dialog.tsx") || file.endsWith("palette.tsx"))
      .flatMap((file) => [...readFileSync(join(parts, file), "utf8").matchAll(/^export function ([A-Z]\w*)/gm)])
      .map(([, name = ""]) => name)
    const components = [...exported.map((name) => name.trim()).filter((name) => /^[A-Z]/.test(name)), ...dialogs]
    expect(components.length).toBeGreaterThan(35)
    expect(components.filter((name) => !isDrawn(name) && notDrawn[name] === undefined)).toEqual([])
    expect(Object.keys(notDrawn).filter((name) => isDrawn(name) || !components.includes(name))).toEqual([])
  })

  it("keeps theme, width, filter and example in its address", () => {
    const state = { theme: "dark", width: "768", filter: "a & b", at: "card-failed" } as const
    const { search, hash } = new URL(addressOf(state), "http://localhost/workbench/")
    expect(readViewState({ search, hash })).toEqual(state)
    expect(readViewState({ search: "?theme=x&width=3", hash: "" })).toEqual({
      theme: "both",
      width: "full",
      filter: "",
      at: "",
    })
  })

  it("filters by the words of titles", () => {
    const found = matching(exampleGroups, "card FAILED").flatMap(({ examples: inIt }) => inIt.map(({ id }) => id))
    expect(found).toEqual(["card-failed"])
    expect(matching(exampleGroups, "no such words")).toEqual([])
  })
})
