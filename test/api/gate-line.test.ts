import { gatePaths } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { policyOf, rule } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { openService, type TestService } from "./open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const host = "127.0.0.1:7337"
const from = { agent: "agent", session: { id: "s", named: true } }
const submission = { submission: "one", from, server: "mine", tool: "read_file", args: { path: "/ä" }, told: [] }
const allowing = policyOf([rule("allow", "mine(read_*)")])

async function open(policy = allowing) {
  const service = await openOne({ policy })
  const made = await service.credentials.addToken({ id: "wrap", kind: "gate", namesSessions: true }, null)
  if (!("secret" in made)) throw new Error(made.detail)
  return { ...service, authorization: `Bearer ${made.secret}` }
}

/** A line that stands, and what is heard on it. */
async function standing(policy = allowing) {
  const service = await open(policy)
  const stands = await service.server.line({ host, origin: null, authorization: service.authorization })
  if (stands instanceof Response) throw new Error(await stands.text())
  const heard: string[] = []
  const ended = Promise.withResolvers<void>()
  const waiting = new Map<string, (line: string) => void>()
  const write = (text: string): void => {
    for (const line of text.split("\n")) {
      if (line === "") continue
      heard.push(line)
      const start = line.split(" ", 2).join(" ")
      waiting.get(start)?.(line)
    }
  }
  const end = (): void => {
    ended.resolve()
    setImmediate(() => gone())
  }
  const { take, gone } = stands.open({ write, end, later: setImmediate, unread: () => 0, breakOff: end })
  const encoder = new TextEncoder()
  /** The first line that starts so. */
  const hears = (start: string): Promise<string> =>
    new Promise((resolve) => {
      const found = heard.find((line) => line.startsWith(`${start} `))
      if (found === undefined) waiting.set(start, resolve)
      else resolve(found)
    })
  const say = (text: string): void => take(encoder.encode(text))
  return { ...service, say, take, gone, hears, heard, ended: ended.promise }
}

const submit = (number: number, body: object = submission) => `${number} ${gatePaths.submit} ${JSON.stringify(body)}\n`
const runIn = (line: string): string => /"run":"([^"]+)"/.exec(line)?.[1] ?? ""

async function outcomes({ store }: TestService): Promise<readonly string[]> {
  return (await store.records({ limit: 10 })).map(({ type }) => type)
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (await holds()) return
    await new Promise(setImmediate)
  }
  throw new Error("It never came to hold.")
}

describe("a connection that stands", () => {
  it.each([
    { name: "another host", asking: { host: "evil.example" }, status: 403 },
    { name: "a page of another origin", asking: { origin: "http://evil.example" }, status: 403 },
    { name: "no credential", asking: { authorization: "" }, status: 401 },
    { name: "a credential of nobody's", asking: { authorization: `Bearer byl_gate_${"x".repeat(43)}` }, status: 401 },
  ])("does not stand for $name", async ({ asking, status }) => {
    const { server, authorization } = await open()
    const answer = await server.line({ host, origin: null, authorization, ...asking })
    expect(answer).toMatchObject({ status })
  })

  it("carries an allowed call: its word to run, then its outcome", async () => {
    const line = await standing()
    line.say(submit(1))
    const run = runIn(await line.hears("1 ."))
    expect(await outcomes(line)).toContain("call.allowed")
    line.say(`2 ${gatePaths.settle(run)} {"kind":"succeeded","result":{"text":"a\\nb"}}\n`)
    expect(await line.hears("2 200")).toBe("2 200 {}")
    expect(await line.hears("1 200")).toBe("1 200 {}")
    await until(async () => (await outcomes(line)).includes("run.succeeded"))
  })

  it("takes lines in pieces, wherever they are cut", async () => {
    const line = await standing()
    const bytes = new TextEncoder().encode(submit(1))
    for (let at = 0; at < bytes.length; at++) line.take(bytes.subarray(at, at + 1))
    expect(await line.hears("1 .")).toContain('"type":"run"')
  })

  it("is looked at for every line: a revoked credential opens nothing more", async () => {
    const line = await standing()
    await line.credentials.revokeToken("wrap", null)
    line.say(submit(1))
    expect(await line.hears("1 401")).toContain("wrong-credential")
    expect(await outcomes(line)).not.toContain("call.allowed")
  })

  it("leads to no door but the gate's, and to none of another's", async () => {
    const line = await standing()
    line.say('1 /api/approvals {}\n2 /api/gate/runs/nobodys {"kind":"unknown","detail":""}\n')
    line.say('3 /api/gate/runs/%zz {}\n4 /api/gate/submit {}\n5 /api/gate/submit {"a":1,"a":2}\n')
    for (const start of ["1 404", "2 404", "3 404", "4 400", "5 400"]) await line.hears(start)
  })

  it.each([
    { name: "is no request", bytes: new TextEncoder().encode("GET / HTTP/1.1\n") },
    { name: "is no UTF-8", bytes: new Uint8Array([...new TextEncoder().encode(`2 ${gatePaths.submit} "`), 0xff, 10]) },
    { name: "never ends", bytes: new Uint8Array(1024 * 1024 + 1).fill(32) },
  ])("ends at a line that $name, and nobody can tell what became of what ran", async ({ bytes }) => {
    const line = await standing()
    line.say(submit(1))
    const run = runIn(await line.hears("1 ."))
    line.take(bytes)
    await line.ended
    await until(async () => (await outcomes(line)).includes("run.unknown"))
    line.say(`3 ${gatePaths.settle(run)} {"kind":"succeeded","result":{}}\n`)
    await new Promise(setImmediate)
    expect(line.heard.filter((heard) => heard.startsWith("3 "))).toEqual([])
  })

  it("lost while a call waits, leaves it waiting for the next who asks", async () => {
    const line = await standing(policyOf([]))
    line.say(submit(1))
    expect(await line.hears("1 .")).toContain('"held"')
    line.gone()
    await until(async () => {
      const [approval] = await line.store.approvals({ statuses: ["pending"], limit: 1 })
      return approval?.caller === null
    })
  })
})
