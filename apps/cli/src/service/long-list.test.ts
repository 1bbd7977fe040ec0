/** A server that lists far too much, beside one that does not: through a real service and its commands. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterEach, expect, it } from "vitest"
import { callTool } from "./fixtures/call-tool.ts"
import { makePlace, type Place } from "./fixtures/service-process.ts"

const long = fileURLToPath(
  new URL("../../../../packages/gateway/src/relay/fixtures/long-list-server.ts", import.meta.url),
)
const places: Place[] = []
afterEach(async () => {
  for (const made of places.splice(0)) await made.dispose()
})

const serverOf = (...args: readonly (string | number)[]): string =>
  `{ command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([long, ...args.map(String)])} }`
const text = `version: 1
servers:
  long: ${serverOf(100, 2, 15_000_000)}
  small: ${serverOf(1, 2, 10)}
policy: { rules: [{ allow: "small(*)" }] }
reviewers: { presence: none }
agents: { anonymous: true }
`

it("a list of 100 pages of 15 MB is read once to its limit: nobody waits for it, and people are told", async () => {
  const made = makePlace(text)
  places.push(made)
  expect(await made.command("init", "--presence", "none", "--data", made.data)).toMatchObject({ code: 0 })
  const service = await made.serve()
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  expect(await callTool(`${service.url}/mcp/small`, "asked", {})).toContain('"text":"1"')
  await expect.poll(() => service.output().stderr, { timeout: 15_000 }).toContain(cut)
  const client = await made.reviewer(service.url)
  const servers = await client.listServers()
  expect(servers).toMatchObject({
    value: {
      items: [
        { id: "long", toolsCut: cut, tools: [{ name: "asked" }] },
        { id: "small", toolsCut: null },
      ],
    },
  })
  const doctor = await made.command("doctor", "--data", made.data)
  expect(doctor.stdout).toContain(cut)
  if (process.platform === "linux") expect(mostMemory(service.child.pid)).toBeLessThan(700_000)
})

const cut =
  "The server lists more than 8 MiB of tool definitions. Only the first tool is offered; calls to the others are refused."

/** In kilobytes. */
function mostMemory(pid = 0): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
}
