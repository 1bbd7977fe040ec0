import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { budgetOf } from "../../packages/gateway/src/hold/budgets.ts"
import { defaultTimes } from "../../packages/gateway/src/hold/context.ts"
import { clients } from "./clients.ts"
import { byleaveYamlIn, plainSetupIn, readGuide, setupIn, type Way, ways } from "./guide.ts"

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

/** The lines that hand asking to Byleave, as measured with the programs themselves, by section. Null: this client does not ask. */
const handsAsking: Readonly<Record<string, Readonly<Record<Way, readonly string[]>> | null>> = {
  "Claude Code": {
    wrap: ['"permissions": { "allow": ["mcp__files"] }'],
    "one address": ['"permissions": { "allow": ["mcp__byleave"] }'],
  },
  Codex: sameFor(['default_tools_approval_mode = "approve"', "required = true"]),
  "Copilot CLI": { wrap: ["--allow-tool files"], "one address": ["--allow-tool byleave"] },
  "Gemini CLI": sameFor(['"trust": true', "--yolo"]),
  "Qwen Code": sameFor(['"trust": true']),
  opencode: null,
  Goose: null,
}

function sameFor(lines: readonly string[]): Readonly<Record<Way, readonly string[]>> {
  return { wrap: lines, "one address": lines }
}

describe.each(Object.values(clients))("the guide on $section", ({ section, version, namesItself }) => {
  it.each(ways)("R27: says what to write where, and how to start it: %s", (way) => {
    const { files, command } = setupIn(guide, section, way)
    const name = way === "wrap" ? "files" : "byleave"
    expect(files.map(({ text }) => text).join("")).toContain(name)
    expect(files[0]?.text).toContain(way === "wrap" ? '"@modelcontextprotocol/server-filesystem"' : "/mcp")
    for (const { path, text } of files) if (path.endsWith(".json")) expect(() => JSON.parse(text)).not.toThrow()
    expect(command.length).toBeGreaterThan(1)
  })

  it.each(ways)("has the lines that hand asking to Byleave: %s", (way) => {
    const hands = handsAsking[section]
    expect(hands, "a client that is not in the table").toBeDefined()
    const { files, command } = setupIn(guide, section, way)
    const lines = [...files.flatMap(({ text }) => text.split("\n")), command.join(" ")]
    for (const wanted of hands?.[way] ?? [])
      expect(
        lines.filter((line) => line.includes(wanted) && !/^\s*(?:#|\/\/)/.test(line)),
        wanted,
      ).toHaveLength(1)
  })

  it.each(ways)("keeps rules that go by a server's name in the project whose server it is: %s", (way) => {
    const byName = setupIn(guide, section, way).files.filter(({ text }) => /enabledMcpjsonServers|"mcp__/.test(text))
    expect(byName.map(({ path }) => path).filter((path) => path.startsWith("~"))).toEqual([])
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

it("the guide tells what is special to a client where its user looks", () => {
  const page = (name: string) => readFileSync(new URL(`../../docs/guides/clients/${name}.md`, import.meta.url), "utf8")
  expect(page("codex")).toContain("does not pass `BYLEAVE_DATA` on")
  expect(page("copilot-cli")).toContain(`after ${((defaultTimes.legs + 1) * defaultTimes.legMs) / 1000} s (452 s were`)
})

it("the guide's byleave.yaml names its servers for the way that needs them alone", () => {
  expect(byleaveYamlIn(guide, "wrap")).not.toContain("servers:")
  expect(byleaveYamlIn(guide, "one address")).toContain("servers:")
})
