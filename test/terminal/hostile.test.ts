/** The texts that the page is tried with, in a terminal: they move no cursor, clear nothing and write no clipboard. */
import { fileURLToPath } from "node:url"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { expect, it } from "vitest"
import { makePlace } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { hostileTexts } from "./programs/hostile-texts.ts"

const program = fileURLToPath(new URL("./programs/hostile-server.ts", import.meta.url))

it("R139: pending and audit show hostile names, words and arguments as marked text", async () => {
  const place = makePlace(`version: 1
servers:
  hostile:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(program)}]
agents: { anonymous: true }
reviewers: { presence: none }
`)
  try {
    const data = ["--data", place.data]
    await place.run("init", "--presence", "none", ...data).ended
    const { url } = await place.serve()
    const agent = new Client({ name: hostileTexts[1] ?? "", version: "1" })
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/hostile`)))
    const calls = hostileTexts.map((value, at) =>
      agent.callTool({ name: `tool_${at}`, arguments: { value, [value]: [value] } }).catch(() => null),
    )
    const people = await place.reviewer(url)
    await expect
      .poll(async () => {
        const waiting = await people.listApprovals({ query: { status: "pending" } })
        return waiting.ok ? waiting.value.items.length : -1
      })
      .toBe(hostileTexts.length)
    for (const words of [["pending"], ["audit", "list"], ["sessions", "list"]]) {
      const { code, stdout, stderr } = await place.run(...words, ...data).ended
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" })
      expect(
        stdout.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g),
      ).toBeNull()
    }
    const { stdout } = await place.run("pending", ...data).ended
    expect(stdout).toContain("⟨U+001B⟩")
    expect(stdout).toContain("⟨U+202E⟩")
    await agent.close()
    await Promise.all(calls)
  } finally {
    await place.dispose()
  }
}, 120_000)
