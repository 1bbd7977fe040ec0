import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { readGuide } from "../../../../../test/agents/guide.ts"
import { clientSetups, exampleCommand, tokenLine, type Way } from "./client-setups.ts"
import { wholeText } from "./whole-text.ts"

const guide = readGuide()
const ways = ["wrap", "address"] as const satisfies readonly Way[]

function sectionOf(title: string): string {
  const start = guide.indexOf(`\n## ${title}\n`)
  expect(start, `the guide has a section ${title}`).toBeGreaterThan(0)
  const end = guide.indexOf("\n## ", start + 1)
  return guide.slice(start, end)
}

/** As a paragraph of the guide is broken is its own affair. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ")

describe.each(clientSetups)("the setup of $title", (setup) => {
  const section = sectionOf(setup.section)
  it.each(ways)("is the guide's, word for word: %s", (way) => {
    const name = way === "wrap" ? "files" : "byleave"
    const fill = { name, url: "http://127.0.0.1:7337/mcp", command: exampleCommand(setup) }
    for (const { file, text } of setup.steps[way]) {
      expect(section).toContain(`\n${text(fill)}\n\`\`\``)
      if (file !== null) expect(section).toContain(setup.id === "other" ? "" : `\`${file}\``)
    }
    expect(oneLine(section)).toContain(setup.asking)
  })

  it("never puts the token into a file", () => {
    for (const way of ways) {
      const fill = { name: "byleave", url: "http://127.0.0.1:7337/mcp", command: ["x"] }
      const whole = wholeText(setup, way, fill, "byl_agent_secret")
      expect(whole.split("byl_agent_secret")).toHaveLength(way === "wrap" ? 1 : 2)
      for (const { text } of setup.steps[way]) expect(text(fill)).not.toContain("secret")
    }
  })

  it("stays one entry, whatever people call a server and its command", () => {
    const fill = { name: `a"b: #c`, url: "http://127.0.0.1:7337/mcp/x", command: ["no", "it's", `"\\\n`, "1", "- a"] }
    for (const { file, text } of setup.steps.wrap) {
      const written = text(fill)
      if (file?.endsWith(".yaml")) {
        const read = parse(written) as { extensions: Record<string, { args: unknown }> }
        expect(read.extensions[fill.name]?.args).toEqual(["wrap", "--name", fill.name, "--", ...fill.command])
      } else if (file !== null && !file.endsWith(".toml")) expect(() => JSON.parse(written)).not.toThrow()
    }
  })
})

it("the line that hands over a token is the guide's", () => {
  expect(guide).toContain(tokenLine("byl_agent_…"))
})

it("all in one text says where each part goes", () => {
  const [claude] = clientSetups
  const fill = { name: "byleave", url: "http://127.0.0.1:7337/mcp", command: ["x"] }
  const whole = wholeText(claude, "address", fill, "byl_agent_secret")
  expect(whole).toMatch(
    /^# In the terminal where you start Claude Code\nexport BYLEAVE_TOKEN=byl_agent_secret\n\n# \.mcp\.json/,
  )
  expect(whole).toContain("# .claude/settings.local.json")
})
