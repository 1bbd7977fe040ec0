/** A program may let its calls run or wait for as long as it likes: what it asked with is not in memory meanwhile, and until then it is counted. */
import { setImmediate as nextTurn } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { gatePaths } from "@byleave/api"
import { createBodyBudget, type Policy } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { policyOf, rule } from "../../engine/open-engine.ts"
import { opening } from "../../opening.ts"
import { openService } from "../open-service.ts"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const host = "127.0.0.1:7337"
type Way = "line" | "http"
const ways = ["line", "http"] as const

/** A program of a service whose store is not in this memory. */
async function open(way: Way, policy: Policy, bodies = createBodyBudget()) {
  const service = await openOne({ policy, store: "sqlite", bodies })
  const made = await service.credentials.addToken({ id: "prog", kind: "gate", namesSessions: true }, null)
  if (!("secret" in made)) throw new Error(made.detail)
  const authorization = `Bearer ${made.secret}`
  const heard = new Map<number, string>()
  // What is held is told with its arguments, which are not to be kept here either.
  const hear = (number: number, text: string): void => {
    heard.set(number, (heard.get(number) ?? "") + Buffer.from(text.slice(0, 2_000)).toString())
  }
  const left = new AbortController()
  const requests: Request[] = []
  const post = (path: string, text: string): Promise<Response> => {
    const headers = { host, authorization, "content-type": "application/json" }
    const init = { method: "POST", headers, body: new Blob([text]).stream(), signal: left.signal, duplex: "half" }
    const request = new Request(`http://${host}${path}`, init as RequestInit)
    // Its signal follows ours as long as it is there.
    requests.push(request)
    return service.server.fetch(request)
  }
  const listen = async (number: number, answered: Promise<Response>): Promise<void> => {
    const { status, body } = await answered
    hear(number, `${status} `)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const piece = await reader?.read().catch(() => undefined)
      if (piece === undefined || piece.done) return
      hear(number, piece.value)
    }
  }
  const stands = await service.server.line({ host, origin: null, authorization })
  if (stands instanceof Response) throw new Error(await stands.text())
  const write = (text: string): void => {
    for (const line of text.split("\n")) hear(Number.parseInt(line, 10), line)
  }
  const line = stands.open({ write, end: () => {}, later: setImmediate, unread: () => 0, breakOff: () => {} })
  const encoder = new TextEncoder()
  const say = (number: number, path: string, body: object): void => {
    const text = JSON.stringify(body)
    if (way === "http") void listen(number, post(path, text))
    else line.take(encoder.encode(`${number} ${path} ${text}\n`))
  }
  const leave = (): void => {
    left.abort()
    line.gone()
  }
  return { ...service, bodies, say, heard: (number: number) => heard.get(number) ?? "", leave }
}

/** Its names are long enough to be cuts of the text that they come in. */
function submission(n: number, kilobytes: number, more: object = {}) {
  return {
    submission: `submission number ${n}`,
    from: { agent: "an agent with a long name", session: { id: `a session with a long name, ${n}`, named: true } },
    server: "a server with a long name",
    tool: "a tool with a long name",
    args: { text: `${n}`.padEnd(kilobytes * 1024, "x") },
    told: [],
    ...more,
  }
}

const calls = 12
const kilobytes = 900

async function kept(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    await nextTurn()
    collect()
  }
  return process.memoryUsage().heapUsed
}

describe.each(ways)("what a program asked with over %s", (way) => {
  it.each([
    { name: "that run", effect: "allow", word: '"type":"run"' },
    { name: "that wait for people", effect: "ask", word: '"type":"held"' },
  ] as const)("is not kept of calls $name, nor counted", async ({ effect, word }) => {
    const program = await open(way, policyOf([rule(effect, "*(*)")]))
    const { say, heard, bodies, leave } = program
    say(0, gatePaths.submit, submission(0, 1))
    await expect.poll(() => heard(0)).toContain(word)
    const before = await kept()
    for (let n = 1; n <= calls; n++) {
      say(n, gatePaths.submit, submission(n, kilobytes))
      await expect.poll(() => heard(n)).toContain(word)
    }
    expect(bodies.used()).toBe(0)
    expect((await kept()) - before).toBeLessThan((calls * kilobytes * 1024) / 3)
    leave()
  })

  it("is counted as far as it is the definition that a waiting call came with, until that is over; more is refused", async () => {
    const bodies = createBodyBudget(() => ({ perPrincipal: 500_000, inAll: 5_000_000 }))
    const { say, heard, leave } = await open(way, policyOf([]), bodies)
    const definition = (n: number) => ({ name: "t", description: `${n}`.padEnd(200_000, "x"), inputSchema: {} })
    for (const n of [1, 2]) {
      say(n, gatePaths.submit, submission(n, 1, { definition: definition(n) }))
      await expect.poll(() => heard(n)).toContain('"type":"held"')
    }
    expect(bodies.used()).toBeGreaterThan(350_000)
    say(3, gatePaths.submit, submission(3, 1, { definition: definition(3) }))
    await expect.poll(() => heard(3)).toMatch(/429.*Wait until one of them is answered/s)
    say(4, gatePaths.submit, submission(4, 1))
    await expect.poll(() => heard(4)).toContain('"type":"held"')
    say(5, gatePaths.leave("submission number 1"), {})
    await expect.poll(() => heard(1)).toContain("ticket")
    say(6, gatePaths.submit, submission(6, 1, { definition: definition(6) }))
    await expect.poll(() => heard(6)).toContain('"type":"held"')
    leave()
    await expect.poll(bodies.used).toBe(0)
  })
})

it("what a program lists of its tools is counted once however many of its calls wait, also when it lists others since", async () => {
  const bodies = createBodyBudget(() => ({ perPrincipal: 500_000, inAll: 5_000_000 }))
  const { say, heard, leave } = await open("line", policyOf([]), bodies)
  const server = "a server with a long name"
  const tell = async (n: number): Promise<string> => {
    const tool = { name: "a tool with a long name", description: `${n}`.padEnd(200_000, "x"), inputSchema: {} }
    say(n, gatePaths.tools, { server, tools: [tool] })
    await expect.poll(() => heard(n)).toContain("instance")
    return /"instance":"([^"]+)"/.exec(heard(n))?.[1] ?? ""
  }
  const hold = async (n: number, told: string): Promise<void> => {
    say(n, gatePaths.submit, submission(n, 1, { told: [told] }))
    await expect.poll(() => heard(n)).toContain('"type":"held"')
  }
  const [first, second, third] = [await tell(1), await tell(4), await tell(6)]
  await hold(2, first)
  const used = bodies.used()
  expect(used).toBeGreaterThan(150_000)
  await hold(3, first)
  expect(bodies.used()).toBe(used)
  await hold(5, second)
  expect(bodies.used()).toBe(2 * used)
  await hold(7, third)
  // There is no room for it: the call waits, and its program need not.
  await expect.poll(() => heard(7)).toContain("ticket")
  expect(bodies.used()).toBe(2 * used)
  leave()
  await expect.poll(bodies.used).toBe(0)
})
