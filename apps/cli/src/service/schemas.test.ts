/** Servers whose schemas mean ill, before a real service: an allow with conditions needs arguments that fit, and nobody waits to find out. */
import { fileURLToPath } from "node:url"
import { afterEach, expect, it } from "vitest"
import { callTool } from "./fixtures/call-tool.ts"
import { makePlace, type Place } from "./fixtures/service-process.ts"

const server = fileURLToPath(new URL("./fixtures/schema-server.ts", import.meta.url))
const places: Place[] = []
afterEach(async () => {
  for (const made of places.splice(0)) await made.dispose()
})

const text = { to: { type: "string" } }
/** Twice as much work with each further one: a million times in all, which takes seconds where nothing bounds it. */
const doubling = {
  type: "object",
  properties: text,
  allOf: [{ $ref: "#/$defs/d20" }],
  $defs: Object.fromEntries(
    Array.from({ length: 21 }, (_, at) => {
      const before = { $ref: `#/$defs/d${at - 1}` }
      return [`d${at}`, at === 0 ? { required: ["to"] } : { allOf: [before, before] }]
    }),
  ),
}
const schemas = {
  plain: { type: "object", properties: text },
  pattern: { type: "object", properties: { to: { type: "string", pattern: "^(a+)+$" } } },
  doubling,
}

it("a pattern with exponential ways and a schema that doubles its work are refused by what they say, at once", async () => {
  const servers = Object.entries(schemas).map(
    ([id, schema]) =>
      `  ${id}: { command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([server, JSON.stringify(schema)])} }\n`,
  )
  const made = makePlace(`version: 1
servers:
${servers.join("")}policy:
  default: deny
  rules:
    - allow: "*(send)"
      when: { to: { glob: "a*" } }
reviewers: { presence: none }
agents: { anonymous: true }
`)
  places.push(made)
  expect(await made.command("init", "--presence", "none", "--data", made.data)).toMatchObject({ code: 0 })
  const { url } = await made.serve()
  const send = (id: string, to: string) => callTool(`${url}/mcp/${id}`, "send", { to })
  expect(await send("plain", "a")).toContain('"text":"sent"')
  expect(await send("pattern", "aaaa")).toContain('"text":"sent"')
  expect(await send("pattern", `${"a".repeat(26)}!`)).toContain("The policy denied it")
  expect(await send("doubling", "a")).toContain("The policy denied it")
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})
