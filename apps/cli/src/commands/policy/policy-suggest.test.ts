import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import { answerCall } from "../../../../../test/api/answer-call.ts"
import { legacyAgent } from "../../../../../test/api/legacy-agent.ts"
import { atTerminal, hasTerminals } from "../../../../../test/terminal/at-terminal.ts"
import { makePlace, type Place } from "../../service/fixtures/service-process.ts"

const memory = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"))
const config = `version: 1
servers:
  memory:
    command: node
    args: [${JSON.stringify(memory)}]
    env: { MEMORY_FILE_PATH: /dev/null }
agents: { anonymous: true }
`
const pin = "corr3ct-horse"
const places: Place[] = []
afterEach(async () => {
  for (const place of places.splice(0)) await place.dispose()
})

describe.skipIf(!hasTerminals)("at a terminal (skipped: needs Linux and util-linux script)", () => {
  it("R37: an accepted suggestion decides the next call, and what allows more is accepted with the PIN alone", async () => {
    const place = makePlace(`${config}reviewers: { presence: none }\n`)
    places.push(place)
    const at = ["--data", place.data]
    const init = await atTerminal(
      ["init", ...at],
      ["characters\\): ", "Repeat the PIN: "].map((prompt) => [prompt, `${pin}\r`] as const),
    )
    expect(init, init.shown).toMatchObject({ code: 0 })
    const before = await place.serve()
    const client = await place.reviewer(before.url)
    const waiting = async (): Promise<readonly string[]> => {
      const list = await client.listApprovals({ query: { status: "pending" } })
      return list.ok ? list.value.items.map(({ id }) => id) : []
    }
    for (let session = 0; session < 3; session++) {
      const agent = await legacyAgent(`${before.url}/mcp/memory`)
      const held = agent.call("read_graph", {})
      await expect.poll(waiting).toHaveLength(1)
      const [id = ""] = await waiting()
      await answerCall(client, id, { kind: "approve" })
      await held
    }
    before.child.kill()
    await before.ended
    // From here on, the PIN is asked for.
    place.write(config)
    const { url } = await place.serve()
    const listed = JSON.parse((await place.command("policy", "suggest", "--json", ...at)).stdout)
    expect(listed).toMatchObject({
      items: [{ effect: "allow", tool: { server: "memory", tool: "read_graph" }, approved: 3, sessions: 3 }],
      week: { asked: 3, approved: 3, saved: 3 },
    })
    const { id, rule } = listed.items[0]

    const refused = await place.command("policy", "suggest", "--accept", id, ...at)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("No PIN was entered") })
    expect(readFileSync(place.config, "utf8")).toBe(config)

    const accepted = await atTerminal(["policy", "suggest", "--accept", id.slice(0, 6), ...at], [["PIN: ", `${pin}\r`]])
    expect(accepted, accepted.shown).toMatchObject({ code: 0, shown: expect.stringContaining("Added: Allow memory") })
    expect(readFileSync(place.config, "utf8")).toContain(rule.replaceAll("\n", "\n    "))
    const next = await legacyAgent(`${url}/mcp/memory`)
    expect(await next.call("read_graph", {})).toContain("entities")
    const after = JSON.parse((await place.command("policy", "suggest", "--json", ...at)).stdout)
    expect(after.items).toEqual([])
  }, 120_000)
})
