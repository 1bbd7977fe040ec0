import { rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Client } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { answerCall } from "../../../../test/api/answer-call.ts"
import { leavePlaces, openPlace, rulesOf, says } from "./fixtures/places.ts"

const open = "reviewers: { presence: none }\nagents: { anonymous: true }\n"
const config = (use: string) => `version: 1
servers:
  files: { command: node, args: ["--eval", "process.stdin.resume()"] }
policy:
  use: ${use}
${open}`
const team = (rules: string) => `version: 1\npolicy:\n  rules:\n${rules}`
const asksForMoves = '    - ask: "files(move_file)"\n'
const allowsMore = '    - ask: "files(move_file)"\n    - allow: "files(read_*)"\n'

afterEach(leavePlaces)

const place = (text: string, files: Readonly<Record<string, string>> = {}) => openPlace(text, { files })
const teamRules = (reviewer: Client) => rulesOf(reviewer, "team.yaml")

async function waiting(reviewer: Client) {
  const reply = await reviewer.listApprovals({ query: { status: "pending", server: "byleave", limit: 5 } })
  return reply.ok ? reply.value.items : []
}

describe("templates in force", () => {
  it("an own template is followed like the file: what tightens holds at once, what widens waits, what is broken changes nothing (R34)", async () => {
    const made = await place(config("[./team.yaml]"), { "team.yaml": team(asksForMoves) })
    const template = join(dirname(made.config), "team.yaml")
    const service = await made.serve()
    const reviewer = await made.reviewer(service.url)
    expect(await teamRules(reviewer)).toEqual([expect.stringContaining("files(move_file)")])
    const checked = await made.command("policy", "check", "--data", made.data, "--config", made.config, "--json")
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, comparedWith: service.url })

    writeFileSync(template, team(`${asksForMoves}    - deny: "files(delete_*)"\n`))
    await says(service, /In effect now: .*files\(delete_\*\)/)
    expect(await teamRules(reviewer)).toHaveLength(2)

    writeFileSync(template, team(allowsMore))
    await says(service, /Needs approval: .*files\(read_\*\)/)
    await expect.poll(async () => (await waiting(reviewer)).length).toBe(1)
    expect((await teamRules(reviewer)).join()).not.toContain("read_*")
    const [held] = await waiting(reviewer)
    if (held === undefined) throw new Error("nothing waits")
    await answerCall(reviewer, held.id, { kind: "approve" })
    await expect.poll(async () => (await teamRules(reviewer)).join()).toContain("read_*")

    writeFileSync(template, "version: 1\npolicy: [")
    await says(service, /team\.yaml:2:\d+/)
    await says(service, /previous configuration stays in effect/)
    expect((await teamRules(reviewer)).join()).toContain("read_*")
    rmSync(template)
    await says(service, /team\.yaml cannot be read/)
    expect((await teamRules(reviewer)).join()).toContain("files(move_file)")
  })

  it("a template that cannot be read or parsed is refused at start, with its file and line", async () => {
    const made = await place(config("[./team.yaml]"), { "team.yaml": team(asksForMoves) })
    writeFileSync(join(dirname(made.config), "team.yaml"), team('    - alow: "files(x)"\n'))
    const broken = await made.run("serve", "--data", made.data, "--config", made.config, "--port", "0").ended
    expect(broken.code).toBe(1)
    expect(broken.stderr).toMatch(/team\.yaml:4:\d+.*`alow` is not known/)
    rmSync(join(dirname(made.config), "team.yaml"))
    const missing = await made.run("serve", "--data", made.data, "--config", made.config, "--port", "0").ended
    expect(missing.code).toBe(1)
    expect(missing.stderr).toMatch(/byleave\.yaml:5:\d+.*team\.yaml cannot be read/)
  })

  it("explains a call by the template whose rule decides it", async () => {
    const made = await place(config("[read-only, { filesystem: files }]"))
    const explain = async (...args: readonly string[]) =>
      (await made.command("policy", "explain", "--config", made.config, "files", ...args)).stdout
    expect(await explain("read_text_file", "--args", '{"path":"a.md"}')).toContain("template read-only@1")
    expect(await explain("write_file", "--args", '{"path":"a.md"}')).toMatch(/denied[\s\S]*template read-only@1/i)
    expect(await explain("read_text_file", "--args", '{"path":"config/.env"}')).toMatch(/looks like a secret/)
  })
})
