/** One program cannot stop everybody: what its credential asks for and tells is bounded, and others are answered meanwhile. */
import { gatePaths, mostJudged } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { opening } from "../../opening.ts"
import { openService } from "../open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const host = "127.0.0.1:7337"
const from = { agent: "agent", session: { id: "s", named: true } }

async function open() {
  const service = await openOne({})
  const made = await service.credentials.addToken({ id: "prog", kind: "gate", namesSessions: true }, null)
  if (!("secret" in made)) throw new Error(made.detail)
  const authorization = `Bearer ${made.secret}`
  const post = async (path: string, body: object) => {
    const headers = { host, authorization, "content-type": "application/json" }
    const request = new Request(`http://${host}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    const response = await service.server.fetch(request)
    return { status: response.status, text: await response.text() }
  }
  return { ...service, authorization, post }
}

const named = (count: number, name: string) =>
  Array.from({ length: count }, () => ({ kind: "resource", server: "mine", name }))

describe("names to judge", () => {
  it.each([
    { name: "as many as it may", targets: named(mostJudged.names, "file:///a"), status: 200 },
    { name: "more", targets: named(mostJudged.names + 1, "file:///a"), status: 400 },
    { name: "too long together", targets: named(26, "x".repeat(10_000)), status: 400 },
  ])("are bounded in one request: $name", async ({ targets, status }) => {
    const { post } = await open()
    expect(await post(gatePaths.judge, { from, targets })).toMatchObject({ status })
  })

  it("are judged in turns, so that others are answered before they are done", async () => {
    const { post } = await open()
    let turns = 0
    let isOver = false
    const other = (): void => {
      turns += 1
      if (!isOver) setImmediate(other)
    }
    const long = named(400, `http:%2f%2f${"%252e%252e%2f".repeat(40)}`)
    const judging = Array.from({ length: 4 }, () => post(gatePaths.judge, { from, targets: long }))
    setImmediate(other)
    expect((await Promise.all(judging)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    isOver = true
    expect(turns).toBeGreaterThan(0)
  })
})

describe("small requests about a call, which may be large", () => {
  const submission = { from, server: "mine", tool: "act", args: { text: "x" }, told: [] }

  it.each([
    { name: "reading it", path: (id: string) => gatePaths.approval(id), body: () => null },
    { name: "withdrawing it", path: () => gatePaths.cancel, body: (approval: string) => ({ from, approval }) },
    { name: "resuming it", path: () => gatePaths.resume, body: (approval: string) => ({ from, approval }) },
    {
      name: "coming back to it with other arguments",
      path: () => gatePaths.submit,
      body: (attach: string, n: number) => ({ ...submission, submission: `again ${n}`, args: {}, attach }),
    },
  ])("are answered in turns: $name", async ({ path, body }) => {
    const { post, store, server, authorization } = await open()
    void post(gatePaths.submit, { ...submission, submission: "first" }).catch(() => {})
    await expect.poll(async () => (await store.approvals({ statuses: ["pending"], limit: 1 })).length).toBe(1)
    const [held] = await store.approvals({ statuses: ["pending"], limit: 1 })
    const id = held?.id ?? ""
    let others = 0
    let isOver = false
    const other = (): void => {
      others += 1
      if (!isOver) setImmediate(other)
    }
    setImmediate(other)
    const seen: number[] = []
    const get = () => server.fetch(new Request(`http://${host}${path(id)}`, { headers: { host, authorization } }))
    const ask = async (n: number): Promise<void> => {
      const sent = body(id, n)
      await (sent === null ? get() : post(path(id), sent))
      seen.push(others)
    }
    await Promise.all([ask(1), ask(2), ask(3)])
    isOver = true
    const [first = 0, second = 0, third = 0] = seen
    expect(second - first).toBeGreaterThan(3)
    expect(third - second).toBeGreaterThan(3)
  })
})

describe("definitions that a program tells", () => {
  const tool = (values: number) => ({ name: "t", inputSchema: { default: Array.from({ length: values }, () => []) } })

  it.each([
    { name: "as many values as a call may have", tools: [tool(49_990)], status: 200 },
    { name: "one with more", tools: [tool(50_000)], status: 400 },
    { name: "too many together", tools: Array.from({ length: 5 }, () => tool(49_000)), status: 400 },
  ])("have bounded values: $name", async ({ tools, status }) => {
    const { post } = await open()
    expect(await post(gatePaths.tools, { server: "mine", tools })).toMatchObject({ status })
  })
})

it("a credential has as many lines as it may, and is told so", async () => {
  const { server, authorization } = await open()
  const line = async () => server.line({ host, origin: null, authorization })
  const connection = { write: () => {}, end: () => {}, later: setImmediate, unread: () => 0, breakOff: () => {} }
  const readers = []
  for (let at = 0; at < 256; at++) {
    const stands = await line()
    if (stands instanceof Response) throw new Error(await stands.text())
    readers.push(stands.open(connection))
  }
  const refused = await line()
  expect(refused).toMatchObject({ status: 429 })
  expect(refused instanceof Response && (await refused.text())).toMatch(/256 connections open.*Close some first/)
  for (const reader of readers) reader.gone()
  expect(await line()).not.toBeInstanceOf(Response)
})
