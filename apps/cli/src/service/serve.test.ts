import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Client } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { answerCall } from "../../../../test/api/answer-call.ts"
import { sessionDisplayed } from "../../../../test/api/as-displayed.ts"
import { leavePlaces, openPlace, rulesOf, says } from "./fixtures/places.ts"
import { startText } from "./start-report.ts"

const canary = "c4nary-5ecret-0f-the-configuration"
const base = `version: 1
servers:
  files:
    command: node
    args: ["--eval", "process.stdin.resume()"]
    env: { API_TOKEN: "\${CANARY}" }
policy:
  rules:
    - allow: "files(read_*)"
`
const open = "reviewers: { presence: none }\nagents: { anonymous: true }\n"

afterEach(leavePlaces)

const place = (text = base + open) => openPlace(text, { env: { CANARY: canary } })

describe("byleave serve", () => {
  it("answers on one port, is found by its data folder, and leaves nothing behind when it is asked to stop", async () => {
    const { serve, run, data, config } = await place()
    const service = await serve()
    const facts = JSON.parse(service.output().stdout.split("\n")[0] ?? "")
    expect(facts).toMatchObject({ event: "listening", config })
    expect(startText(facts, (_, text) => text)).toContain(`config    ${config}\n`)
    expect(await (await fetch(`${service.url}/healthz`)).json()).toEqual({ ok: true })
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    for (const name of [
      "service.json",
      "config-in-force.json",
      "challenge",
      "gate-token",
      "keys.json",
      "terminal.json",
      "byleave.db",
      "byleave.db-wal",
    ]) {
      expect(statSync(join(data, name)).mode & 0o777, name).toBe(0o600)
    }
    const doctor = await run("doctor", "--data", data, "--json").ended
    expect(JSON.parse(doctor.stdout)).toMatchObject({ running: true })
    service.child.kill("SIGTERM")
    expect(await service.ended).toMatchObject({ code: 0 })
    expect(existsSync(join(data, "service.json"))).toBe(false)
    expect(await run("open", "--data", data).ended).toMatchObject({ code: 3 })
  })

  it("is one per data folder: a second says who runs where, and a killed one leaves the folder free", async () => {
    const { serve, run, data, config } = await place()
    const first = await serve()
    const second = await run("serve", "--data", data, "--config", config, "--port", "0").ended
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(
      `Byleave (process ${first.child.pid}) at ${first.url} is already running on ${data}`,
    )
    first.child.kill("SIGKILL")
    await first.ended
    const third = await serve()
    expect((await fetch(`${third.url}/healthz`)).status).toBe(200)
  })

  it.each([
    { name: "beyond loopback without TLS", text: base, args: ["--host", "0.0.0.0"], says: "--tls-cert" },
    {
      name: "beyond loopback for agents without a token",
      text: base + open,
      args: ["--host", "0.0.0.0", "--behind-proxy"],
      says: "anyone on the network",
    },
    {
      name: "with a configuration that cannot be read",
      text: "version: 1\npolicy: [",
      args: [],
      says: /byleave\.yaml:2:\d+/,
    },
    {
      name: "with a server of Byleave's own name",
      text: `${base}`.replace("files:", "byleave:"),
      args: [],
      says: "Give this server another id",
    },
  ])("does not start $name", async ({ text, args, says: words }) => {
    const { run, data, config, write } = await place()
    write(text)
    const ended = await run("serve", "--data", data, "--config", config, "--port", "0", ...args).ended
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(words) })
  })

  it("R25: says after connecting how many tools need confirmation, what cannot be reached and which rules match nothing", async () => {
    const server = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/dist/index.js"))
    const text = `version: 1
servers:
  memory: { command: node, args: [${JSON.stringify(server)}], env: { MEMORY_FILE_PATH: /dev/null } }
  broken: { command: node, args: ["--eval", "process.exit(7)"] }
policy:
  rules:
    - allow: "memory(read_graph)"
    - hide: "memory(delete_*)"
    - deny: "memory(drop_everything)"
`
    const { serve } = await place(text + open)
    const service = await serve()
    await says(service, /memory: \d+ of \d+ tools need approval, 1 allowed, 3 hidden/)
    await says(service, /broken is unreachable/)
    await says(service, /drop_everything.* matches no tool/)
  })

  it("shows the configuration's secrets in no output, answer or file of the data folder", async () => {
    const { serve, reviewer, data, write } = await place()
    const service = await serve()
    write(`${base}    - deny: "files(move_file)"\n${open}`.replace("resume", "pause"))
    await says(service, "Needs approval")
    const client = await reviewer(service.url)
    const answers = await Promise.all([
      client.listServers(),
      client.listApprovals(),
      client.listAudit(),
      client.getPolicy(),
    ])
    service.child.kill("SIGTERM")
    const { stdout, stderr } = await service.ended
    expect(stdout + stderr + JSON.stringify(answers)).not.toContain(canary)
    for (const name of readdirSync(data)) expect(readFileSync(join(data, name)).includes(canary), name).toBe(false)
  })
})

describe("an edit of the configuration", () => {
  it("tightens at once; what it widens waits for a person, also across a restart", async () => {
    const { serve, reviewer, write } = await place()
    const service = await serve()
    const client = await reviewer(service.url)
    write(`${base}    - deny: "files(move_file)"\n    - allow: "files(write_file)"\n${open}`)
    await says(service, /Needs approval: .*write_file/)
    expect((await rulesOf(client)).join("\n")).toContain("move_file")
    expect((await rulesOf(client)).join("\n")).not.toContain("write_file")
    service.child.kill("SIGKILL")
    await service.ended

    const again = await serve()
    await says(again, /Needs approval: .*write_file/)
    const later = await reviewer(again.url)
    expect((await rulesOf(later)).join("\n")).not.toContain("write_file")
    await expect.poll(() => approveChange(later), { timeout: 15_000 }).toBe(true)
    await expect.poll(async () => (await rulesOf(later)).join("\n")).toContain("write_file")
  })

  it("that cannot be read is reported with its place and changes nothing", async () => {
    const { serve, reviewer, write } = await place()
    const service = await serve()
    const before = await rulesOf(await reviewer(service.url))
    write(`${base}    - allow: "files(\n${open}`)
    await says(service, /byleave\.yaml:\d+:\d+ error/)
    await says(service, "The previous configuration stays in effect")
    expect(await rulesOf(await reviewer(service.url))).toEqual(before)
  })
})

it("an edit that waits is withdrawn by one that cannot be used; its session stays, and doctor tells what is held back", async () => {
  const { serve, reviewer, write, command, data } = await place()
  const service = await serve()
  const client = await reviewer(service.url)
  const waiting = async () => {
    const held = await client.listApprovals({ query: { status: "pending", server: "byleave" } })
    return held.ok ? held.value.items : []
  }
  const wait = async () => {
    await expect.poll(async () => (await waiting()).length, { timeout: 15_000 }).toBe(1)
    return (await waiting())[0]?.session ?? { principal: "", id: "" }
  }
  const wider = `${base}    - allow: "files(write_file)"\n${open}`
  write(wider)
  await wait()
  write(`${base}    - allow: "files(\n${open}`)
  await expect.poll(async () => (await waiting()).length, { timeout: 15_000 }).toBe(0)
  write(wider)
  const ended = await client.endSession({ body: await sessionDisplayed(client, await wait()) })
  expect(ended).toMatchObject({ ok: false, problem: { code: "conflict" } })
  const [held] = await waiting()
  expect((await answerCall(client, held?.id ?? "", { kind: "deny" })).ok).toBe(true)
  const doctor = await command("doctor", "--data", data)
  expect(doctor.stdout).toContain("Part of the file is not in effect")
  write(base + open)
  const again = async () => (await command("doctor", "--data", data)).stdout
  await expect.poll(again, { timeout: 15_000 }).not.toContain("Part of the file is not in effect")
})

/** Approves the newest waiting change of configuration; false while there is none. */
async function approveChange(client: Client): Promise<boolean> {
  const held = await client.listApprovals({ query: { status: "pending", server: "byleave" } })
  const first = held.ok ? held.value.items[0] : undefined
  if (first === undefined) return false
  return (await answerCall(client, first.id, { kind: "approve" })).ok
}
