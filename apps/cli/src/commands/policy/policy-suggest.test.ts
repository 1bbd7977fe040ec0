import { mkdirSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
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
    const waiting = () => waitingOf(client)
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

it("R37: a suggestion that extends an accepted rule takes its place in the file", async () => {
  const files = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"))
  const place = makePlace("version: 1\n")
  places.push(place)
  const workspace = realpathSync(dirname(place.config))
  for (const folder of ["docs", "docs/api"]) mkdirSync(join(workspace, folder))
  place.write(`version: 1
servers:
  files:
    command: node
    args: [${JSON.stringify(files)}, ${JSON.stringify(workspace)}]
policy:
  rules:
    - deny: "files(move_file)" # done by hand
agents: { anonymous: true }
reviewers: { presence: none }
`)
  const at = ["--data", place.data]
  await place.command("init", "--presence", "none", ...at)
  const { url } = await place.serve()
  const client = await place.reviewer(url)
  const allowIn = async (folder: string) => {
    for (const name of ["a.md", "b.md", "c.md"]) {
      const agent = await legacyAgent(`${url}/mcp/files`)
      const held = agent.call("write_file", { path: join(workspace, folder, name), content: "x" })
      await expect.poll(async () => (await waitingOf(client)).length).toBe(1)
      await answerCall(client, (await waitingOf(client))[0] ?? "", { kind: "approve" })
      await held
    }
  }
  await allowIn("docs")
  expect(await place.command("policy", "suggest", "--accept", "all", ...at)).toMatchObject({ code: 0 })
  expect(readFileSync(place.config, "utf8").match(/allow:/g)).toHaveLength(1)
  await allowIn("docs/api")
  const listed = await place.command("policy", "suggest", ...at)
  expect(listed.stdout).toContain("Replaces 1 rule.")
  expect(await place.command("policy", "suggest", "--accept", "all", ...at)).toMatchObject({ code: 0 })
  const after = readFileSync(place.config, "utf8")
  expect(after.match(/allow:/g)).toHaveLength(1)
  expect(after).toContain(
    `directlyIn: [${JSON.stringify(join(workspace, "docs"))}, ${JSON.stringify(join(workspace, "docs/api"))}]`,
  )
  expect(after).toContain("# done by hand")
  const next = await legacyAgent(`${url}/mcp/files`)
  for (const folder of ["docs", "docs/api"])
    expect(await next.call("write_file", { path: join(workspace, folder, "d.md"), content: "x" })).toContain("Success")
}, 120_000)

async function waitingOf(client: Awaited<ReturnType<Place["reviewer"]>>): Promise<readonly string[]> {
  const list = await client.listApprovals({ query: { status: "pending" } })
  return list.ok ? list.value.items.map(({ id }) => id) : []
}
