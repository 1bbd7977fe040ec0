import { readFileSync, writeFileSync } from "node:fs"
import { afterEach, expect, it } from "vitest"
import { makePlace, type Place } from "../service/fixtures/service-process.ts"
import { remoteHost } from "./remote-host.ts"

const places: Place[] = []
afterEach(async () => {
  for (const place of places.splice(0)) await place.dispose()
})

const own = "version: 1\nreviewers: { presence: none }\n"
const token = (last: string) => `Bearer 0123456789abcdef0123456789abcde${last}`
const entry = { url: "http://127.0.0.1:9/mcp", headers: { Plan: "basic" } }

async function served() {
  const place = makePlace(own)
  places.push(place)
  await place.command("init", "--presence", "none", "--data", place.data)
  const { url } = await place.serve()
  const client = await place.reviewer(url)
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const host = remoteHost(client, place.config, { now: Date.now, pause, env: new Map(), home: undefined })
  return { client, host, config: place.config }
}

const notOurs = expect.stringContaining("Another change of byleave.yaml waits for approval")

it.each([
  { name: "the same credential", last: "f", says: null },
  { name: "another credential of the same length", last: "0", says: expect.stringContaining("another entry for web") },
])(
  "setup says yes to a server with the credential that stands in the entry it showed: $name",
  async ({ last, says }) => {
    const { host, config, client } = await served()
    const [shown, written] = [token("f"), token(last)].map((secret) => ({
      ...entry,
      headers: { Authorization: secret },
    }))
    if (shown === undefined) throw new Error("there is no entry")
    writeFileSync(config, `${readFileSync(config, "utf8")}servers:\n  web: ${JSON.stringify(written)}\n`)
    expect(await host.acceptServers([{ name: "web", entry: shown }])).toEqual(says)
    const servers = await client.listServers()
    expect(servers.ok && servers.value.items.some(({ id }) => id === "web")).toBe(says === null)
  },
)

it.each([
  {
    name: "the entry that was shown",
    written: '{ url: "http://127.0.0.1:9/mcp", headers: { Plan: basic } }',
    says: null,
  },
  { name: "another path", written: '{ url: "http://127.0.0.1:9/other", headers: { Plan: basic } }', says: notOurs },
  { name: "another header", written: '{ url: "http://127.0.0.1:9/mcp", headers: { Plan: all } }', says: notOurs },
  { name: "no header", written: '{ url: "http://127.0.0.1:9/mcp" }', says: notOurs },
])("setup says yes to a server with exactly the entry it showed: $name", async ({ written, says }) => {
  const { host, config, client } = await served()
  writeFileSync(config, `${readFileSync(config, "utf8")}servers:\n  web: ${written}\n`)
  expect(await host.acceptServers([{ name: "web", entry }])).toEqual(says)
  const servers = await client.listServers()
  expect(servers.ok && servers.value.items.some(({ id }) => id === "web")).toBe(says === null)
})
