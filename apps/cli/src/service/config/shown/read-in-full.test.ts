import { afterEach, expect, it } from "vitest"
import { makePlace, type Place } from "../../fixtures/service-process.ts"

const config = `version: 1
servers:
  tools: { command: node, args: [none.js] }
agents: { anonymous: true }
reviewers: { presence: none }
`
const everything = "*".repeat(24)
const long = `npm test${" ".repeat(400)}*`

const places: Place[] = []
/** A service whose file is then edited, and the change that waits. */
async function edited(change: (text: string) => string) {
  const place = makePlace(config)
  places.push(place)
  await place.command("init", "--presence", "none", "--data", place.data)
  const { url } = await place.serve()
  const client = await place.reviewer(url)
  place.write(change(config))
  const waiting = async () => {
    const listed = await client.listApprovals({ query: { status: "pending" } })
    return listed.ok ? listed.value.items[0]?.id : undefined
  }
  await expect.poll(waiting, { timeout: 15_000 }).toBeDefined()
  const id = (await waiting()) ?? ""
  const command = (...args: readonly string[]) => place.command(...args, "--data", place.data)
  return { ...place, client, id, command }
}
afterEach(async () => {
  for (const made of places.splice(0)) await made.dispose()
})

const allowing = (when: string) => (text: string) =>
  `${text}policy:\n  rules:\n    - allow: "*(*)"\n      when: ${when}\n`
const plain = (text: string) => text.replaceAll(/[\s│]+/g, " ")

it("a pattern is read to its end in the terminal, whatever its argument is called and however long it is", async () => {
  const { command, id } = await edited(allowing(`{ token: { glob: "${everything}" }, cmd: { glob: "${long}" } }`))
  const { stdout } = await command("pending", id, "--full")
  expect(plain(stdout)).toContain(`when token matches "${everything}" and cmd matches "npm test *"`)
  expect(await command("approve", id)).toMatchObject({ code: 0 })
})

it("an exact value under a secret's name is revealed before a yes, and is in no record", async () => {
  const { command, client, id } = await edited(allowing(`{ token: { oneOf: [hunter22-x, hunter22-y] } }`))
  const before = await command("approve", id)
  expect(before).toMatchObject({ code: 1, stderr: expect.stringContaining("2 values are hidden") })
  expect(before.stdout + before.stderr).not.toContain("hunter22")
  expect((await command("pending", id, "--full")).stdout).not.toContain("hunter22")
  const after = await command("approve", id, "--reveal")
  expect(after).toMatchObject({ code: 0, stderr: expect.stringContaining("hunter22-x") })
  const calls = await client.listCalls({ query: {} })
  expect(JSON.stringify(calls)).not.toContain("hunter22")
})

it("no value of a server and no comment takes the changed rule from the text that is shown", async () => {
  const rule = `    - allow: "*(*)"\n      when: { path: { under: / } }\n`
  const { client, id } = await edited((text) => {
    const env = `env: { A_TOKEN: "*(*)", B_TOKEN: allow, C_TOKEN: under, D_TOKEN: rules }`
    const given = text.replace("[none.js] }", `[none.js], ${env} }`)
    return `${given}# ‹secret-1-of-24-characters›\npolicy:\n  rules:\n${rule}`
  })
  const shown = await client.currentContent({ params: { id } })
  expect(shown).toMatchObject({ ok: true, value: { kind: "configuration", after: expect.stringContaining(rule) } })
})
