/** The texts that the page is tried with, in a terminal: they move no cursor, clear nothing and write no clipboard. */
import { fileURLToPath } from "node:url"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { expect, it } from "vitest"
import { makePlace } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { atTerminal, hasTerminals } from "./at-terminal.ts"
import { hidingName, hostileTexts } from "./programs/hostile-texts.ts"

const program = fileURLToPath(new URL("./programs/hostile-server.ts", import.meta.url))

const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g

it("R139: pending and audit show hostile names, words and arguments as marked text", async () => {
  const { place, agent, calls } = await openHostile()
  try {
    const data = ["--data", place.data]
    for (const words of [["pending"], ["pending", "--full"], ["audit", "list"], ["sessions", "list"]]) {
      const { code, stdout, stderr } = await place.command(...words, ...data)
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" })
      expect(stdout.match(harmful)).toBeNull()
    }
    const { stdout } = await place.command("pending", "--full", ...data)
    expect(stdout).toContain("⟨U+001B⟩")
    expect(stdout).toContain("⟨U+202E⟩")
    await agent.close()
    await calls
  } finally {
    await place.dispose()
  }
}, 120_000)

it("R139: marks what a name hides once, also in sentences about a call that has ended", async () => {
  const { place, agent, calls, people } = await openHostile()
  try {
    const call = agent.callTool({ name: hidingName, arguments: {} }).catch(() => null)
    const idOf = async () => {
      const waiting = await people.listApprovals({ query: { status: "pending" } })
      return waiting.ok ? (waiting.value.items.find(({ tool }) => tool.tool === hidingName)?.id ?? "") : ""
    }
    await expect.poll(idOf, { timeout: 30_000 }).not.toBe("")
    const id = await idOf()
    const data = ["--data", place.data]
    await place.command("deny", id, ...data)
    const ended = await place.command("pending", id, ...data)
    expect(ended.stderr).toContain("hostile(tool_⟨U+202E⟩eman)")
    const { stdout } = await place.command("audit", "list", "--id", id, ...data)
    expect(stdout).toContain('no rule matches "hostile(tool_⟨U+202E⟩eman)"')
    await agent.close()
    await Promise.all([call, calls])
  } finally {
    await place.dispose()
  }
}, 120_000)

it.skipIf(!hasTerminals)(
  "R139: watch shows each of them on a real terminal and writes nothing there but its own screens (skipped: needs Linux and util-linux script)",
  async () => {
    const { place, agent, calls } = await openHostile()
    try {
      // Each is read whole before the next is looked at.
      const down = hostileTexts.map(() => [/ {4}value: /, "j"] as const)
      const { code, shown } = await atTerminal(["watch", "--data", place.data], [...down, [/ {4}value: /, "q"]])
      expect(code).toBe(0)
      for (const at of hostileTexts.keys()) expect(shown).toMatch(new RegExp(`tool_${at}\\b`))
      expect(shown).toContain("⟨U+001B⟩]52;c;")
      expect(withoutScreens(shown).match(harmful)).toBeNull()
      await agent.close()
      await calls
    } finally {
      await place.dispose()
    }
  },
  120_000,
)

/** Without what watch itself writes: the other screen and back, the cursor hidden and shown, home, and the rest of a line or screen cleared. */
function withoutScreens(shown: string): string {
  return shown.replaceAll(/\u001b\[(?:\?1049[hl]|\?25[hl]|H|K|J)|\r+(?=\n)/g, "")
}

/** A service before a server whose every word is hostile, with a call of each of its tools waiting. */
async function openHostile() {
  const place = makePlace(`version: 1
servers:
  hostile:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(program)}]
agents: { anonymous: true }
reviewers: { presence: none }
`)
  await place.command("init", "--presence", "none", "--data", place.data)
  const { url } = await place.serve()
  const agent = new Client({ name: hostileTexts[1] ?? "", version: "1" })
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/hostile`)))
  const calls = hostileTexts.map((value, at) =>
    agent.callTool({ name: `tool_${at}`, arguments: { value, [value]: [value] } }).catch(() => null),
  )
  const people = await place.reviewer(url)
  await expect
    .poll(
      async () => {
        const waiting = await people.listApprovals({ query: { status: "pending" } })
        return waiting.ok ? waiting.value.items.length : -1
      },
      { timeout: 30_000 },
    )
    .toBe(hostileTexts.length)
  return { place, agent, people, calls: Promise.all(calls) }
}
