import { describe, expect, it } from "vitest"
import { budgetOf } from "../../packages/gateway/src/hold/budgets.ts"
import { defaultTimes } from "../../packages/gateway/src/hold/context.ts"
import { clients } from "./clients.ts"
import { byleaveYamlIn, plainSetupIn, readGuide, setupIn, ways } from "./guide.ts"

const guide = readGuide()

/** The rows of the table of times: client, version, gives up without and with progress, ticket. */
const rows = new Map(
  guide
    .split("\n")
    .filter((line) => /^\|.*\|.* s \|$/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map(([name = "", ...cells]) => [name, cells]),
)

describe.each(Object.values(clients))("the guide on $section", ({ section, version, namesItself }) => {
  it.each(ways)("R27: says what to write where, and how to start it: %s", (way) => {
    const { files, command } = setupIn(guide, section, way)
    const name = way === "wrap" ? "files" : "byleave"
    expect(files.map(({ text }) => text).join("")).toContain(name)
    expect(files[0]?.text).toContain(way === "wrap" ? '"@modelcontextprotocol/server-filesystem"' : "/mcp")
    for (const { path, text } of files) if (path.endsWith(".json")) expect(() => JSON.parse(text)).not.toThrow()
    expect(command.length).toBeGreaterThan(1)
  })

  it("is a client without Byleave before setup, on the same server", () => {
    const { files } = plainSetupIn(guide, section)
    const text = files.map((file) => file.text).join("")
    expect(text).not.toMatch(/byleave|wrap|trust|approve/)
    expect(text).toMatch(/npx.*\n?.*"@modelcontextprotocol\/server-filesystem"/)
  })

  it("tells its version, and the times the gateway keeps to", () => {
    const [told, silent = "", progress = "", ticket] = rows.get(section) ?? []
    expect(told).toBe(version)
    const budget = (hasToken: boolean) => budgetOf({ name: namesItself, version }, hasToken, defaultTimes.budgetMs)
    expect(ticket).toBe(`${budget(true) / 1000} s`)
    for (const [limit, hasToken] of [
      [silent, false],
      [progress, true],
    ] as const) {
      const seconds = Number(/^\d+/.exec(limit)?.[0] ?? 410)
      expect(budget(hasToken)).toBe((seconds - 10) * 1000)
    }
  })
})

it("the guide on anything else, and on clients that come back by themselves", () => {
  expect(rows.get("anything else")?.at(-1)).toBe(`${defaultTimes.budgetMs / 1000} s`)
  expect(guide).toContain(`gets its ticket after ${((defaultTimes.legs + 1) * defaultTimes.legMs) / 1000} s`)
})

it("the guide's byleave.yaml names its servers for the way that needs them alone", () => {
  expect(byleaveYamlIn(guide, "wrap")).not.toContain("servers:")
  expect(byleaveYamlIn(guide, "one address")).toContain("servers:")
})
