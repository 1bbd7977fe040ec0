import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"

const places: Place[] = []
afterEach(async () => {
  for (const place of places.splice(0)) await place.dispose()
})

const text =
  '{"mcpServers":{"files":{"command":"npx"},"web":{"url":"http://127.0.0.1:9/mcp","headers":{"X-Api-Key":"nobody-may-see"}}}}\n'

async function served(presence: "none" | "pin", ...args: readonly string[]) {
  const place = makePlace(`version: 1\nreviewers: { presence: ${presence} }\n`)
  places.push(place)
  const file = join(dirname(place.data), ".cursor", "mcp.json")
  mkdirSync(dirname(file))
  writeFileSync(file, text)
  await place.command("init", "--presence", "none", "--data", place.data)
  const { url } = await place.serve(...args)
  return { client: await place.reviewer(url), file }
}

it("agents are set up by whoever is there, for the difference that was shown, and put back", async () => {
  const { client, file } = await served("none")
  const look = await client.getSetup()
  if (!look.ok) throw new Error(look.problem.detail)
  expect(JSON.stringify(look.value)).not.toContain("nobody-may-see")
  expect(look.value).toMatchObject({ whyNot: null, files: [{ client: "cursor" }], undoable: [] })
  const change = look.value.files[0]?.servers.find(({ server }) => server === "web")?.change
  expect(change).toContain("Server web was added: http://127.0.0.1:9/mcp (with headers X-Api-Key, a secret of")
  const stale = await client.setUpAgents({ body: { version: "another" } })
  expect(stale).toMatchObject({ ok: false, problem: { code: "conflict" } })
  const done = await client.setUpAgents({ body: { version: look.value.version } })
  expect(done).toMatchObject({ ok: true, value: { undoable: [file] } })
  expect(readFileSync(file, "utf8")).toMatch(/"wrap".*\/mcp\/web.*Bearer byl_agent_/)
  // The server that moved waits for a yes, as any change of the configuration does.
  const waits = async () => {
    const policy = await client.getPolicyText()
    return policy.ok ? policy.value.waiting : null
  }
  await expect.poll(waits, { timeout: 15_000 }).not.toBeNull()
  const waiting = await client.getApproval({ params: { id: (await waits()) ?? "" } })
  expect(waiting).toMatchObject({ ok: true, value: { args: { servers: [change] } } })
  expect(await client.undoSetup({ body: { version: look.value.version } })).toMatchObject({
    ok: false,
    problem: { code: "conflict" },
  })
  // Nor does a yes count for a file that says something else since, though nothing is left to set up in it.
  const earlier = await client.getSetup()
  const written = readFileSync(file, "utf8")
  writeFileSync(file, written.replace("npx", "uvx"))
  expect(await client.undoSetup({ body: { version: earlier.ok ? earlier.value.version : "" } })).toMatchObject({
    ok: false,
    problem: { code: "conflict" },
  })
  writeFileSync(file, written)
  const shown = await client.getSetup()
  if (!shown.ok) throw new Error(shown.problem.detail)
  expect(await client.undoSetup({ body: { version: shown.value.version } })).toMatchObject({
    ok: true,
    value: { files: [{ how: "restored" }], servers: ["web"] },
  })
  expect(readFileSync(file, "utf8")).toBe(text)
})

it("without a PIN typed in, agents are only looked at", async () => {
  const { client, file } = await served("pin")
  const look = await client.getSetup()
  const version = look.ok ? look.value.version : ""
  for (const refused of [
    await client.setUpAgents({ body: { version } }),
    await client.undoSetup({ body: { version } }),
  ]) {
    expect(refused).toMatchObject({ ok: false, problem: { code: "presence-needed" } })
  }
  expect(readFileSync(file, "utf8")).toBe(text)
})

it("a service that others can reach sets nothing up, and tells nothing of the machine", async () => {
  const { client, file } = await served("none", "--behind-proxy")
  const look = await client.getSetup()
  expect(look).toMatchObject({ ok: true, value: { whyNot: expect.stringContaining("byleave setup"), files: [] } })
  const body = { version: "" }
  for (const refused of [await client.setUpAgents({ body }), await client.undoSetup({ body })]) {
    expect(refused).toMatchObject({ ok: false, problem: { code: "unavailable" } })
  }
  expect(readFileSync(file, "utf8")).toBe(text)
})
