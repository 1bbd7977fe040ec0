import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterEach, expect, it } from "vitest"
import { answerCall } from "../../../../../test/api/answer-call.ts"
import { legacyAgent } from "../../../../../test/api/legacy-agent.ts"
import { makePlace, type Place } from "../../service/fixtures/service-process.ts"

const memory = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"))
const config = `version: 1
servers:
  memory:
    command: node
    args: [${JSON.stringify(memory)}]
    env: { MEMORY_FILE_PATH: /dev/null }
agents: { anonymous: true }
reviewers: { presence: none }
`
const places: Place[] = []
afterEach(async () => {
  for (const place of places.splice(0)) await place.dispose()
})

it("R37, R150, R213: observe mode ends with a report; an accepted rule lets the next call run with nobody there", async () => {
  const place = makePlace(config)
  places.push(place)
  const at = ["--data", place.data]
  await place.command("init", "--presence", "none", ...at)
  const { url } = await place.serve()
  const client = await place.reviewer(url)
  const nothing = await place.command("policy", "observed", ...at)
  expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing ran in observe mode") })

  const agent = await legacyAgent(`${url}/mcp/memory`)
  const first = agent.call("open_nodes", { names: ["x"] })
  const waiting = async () => {
    const list = await client.listApprovals({ query: { status: "pending" } })
    return list.ok ? list.value.items : []
  }
  await expect.poll(waiting).toHaveLength(1)
  const [held] = await waiting()
  await answerCall(client, held?.id ?? "", { kind: "deny" })
  await first
  const session = held?.session.id ?? ""
  const observe = await place.command("sessions", "mode", session, "--to", "observe", ...at)
  expect(observe).toMatchObject({ code: 0, stdout: expect.stringContaining("byleave policy observed") })
  for (let times = 0; times < 3; times++) expect(await agent.call("read_graph", {})).toContain("entities")
  const ended = await place.command("sessions", "mode", session, "--to", "ask", ...at)
  expect(ended.stdout).toContain("`byleave policy observed` reports what would have needed approval")

  const shown = await place.command("policy", "observed", ...at)
  expect(shown).toMatchObject({ code: 0, stderr: "" })
  expect(shown.stdout).toContain("3 calls ran in observe mode that would have needed approval.")
  expect(shown.stdout).toMatch(/By tool:\n +3 {2}memory\(read_graph\)\n/)
  expect(shown.stdout).toContain(
    "The rule below would have spared 3 of 3 questions.\nNobody was asked about these calls",
  )
  const report = JSON.parse((await place.command("policy", "observed", "--since", "1h", "--json", ...at)).stdout)
  expect(report).toMatchObject({ wouldAsk: 3, stillAsk: 3, spared: 3, rules: [{ calls: 3, sessions: 1 }] })
  expect(readFileSync(place.config, "utf8")).toBe(config)

  const unknown = await place.command("policy", "observed", "--accept", "nothing", ...at)
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("List them with `byleave policy observed`"),
  })
  const wrong = await place.command("policy", "observed", "--since", "soon", ...at)
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a duration") })

  const accepted = await place.command("policy", "observed", "--accept", report.rules[0].id, ...at)
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining("Added: Allow memory(read_graph)") })
  expect(readFileSync(place.config, "utf8")).toContain("memory(read_graph)")
  expect(await agent.call("read_graph", {})).toContain("entities")
  const after = await place.command("policy", "observed", ...at)
  expect(after.stdout).toContain("Rules and permissions now answer all of them.")
}, 60_000)
