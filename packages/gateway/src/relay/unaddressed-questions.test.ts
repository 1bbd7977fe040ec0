/** Questions of a server over stdio, which does not say which call it asks for. */
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import type { Caller } from "../wire/caller.ts"
import type { Reply } from "../wire/message.ts"
import { exchangeOver } from "../wire/not-asked.ts"
import {
  approve,
  ask,
  callOf,
  legacyCaller,
  nextHeld,
  nodeServer,
  openRelay,
  policyOf,
  type Relay,
  resultOf,
  rule,
  textOf,
} from "./fixtures/open-relay.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

const server = nodeServer("s", [fileURLToPath(new URL("./fixtures/asking-server.ts", import.meta.url))])
const accepted: Reply = { kind: "result", result: { action: "accept", content: {} } }

async function open() {
  const log: string[] = []
  const held: string[] = []
  const policy = policyOf([rule("allow", "s(*)"), rule("ask", "s(elicitation)")])
  const relay = await openRelay([server], { policy, log: (line) => log.push(line) })
  opened.push(relay)
  relay.gate.events(({ type, subject }) => type === "approval.pending" && held.push(subject))
  const asked: string[] = []
  /** A call of this session, and whether its client is asked during it. */
  const call = (name: string, by: string, session = "s1", reply: Reply = accepted) => {
    const caller: Caller = legacyCaller({
      abilities: { elicitation: {} },
      session: { principal: "agent", id: session, named: true },
    })
    return ask(relay.backend("s"), caller, callOf(name), async () => {
      if (reply !== exchangeOver) asked.push(by)
      return reply
    })
  }
  await resultOf(call("end", "first"))
  return { relay, call, asked, log, held }
}

describe("a question that does not say which call it is about", () => {
  it("question-routes I3: is put to a call that still runs when a person has approved it, though a newer one ran when it came", async () => {
    const { relay, call, asked } = await open()
    const held = nextHeld(relay.gate)
    const one = call("ask", "one")
    const other = call("wait", "other")
    const question = await held
    await resultOf(call("end", "last"))
    await resultOf(other)
    await approve(relay.gate, question)
    expect(textOf(await resultOf(one))).toContain("accept")
    expect(asked).toEqual(["one"])
    expect((await relay.gate.approval(question.id))?.status).toBe("succeeded")
  })

  it("question-routes I3: is put to an older call where the client of the newest takes no questions any more", async () => {
    const { relay, call, asked } = await open()
    const held = nextHeld(relay.gate)
    const one = call("ask", "one")
    call("wait", "other", "s1", exchangeOver)
    await approve(relay.gate, await held)
    expect(textOf(await resultOf(one))).toContain("accept")
    expect(asked).toEqual(["one"])
  })

  it("question-routes I3: is refused at once where no client takes it any more", async () => {
    const { relay, call } = await open()
    const held = nextHeld(relay.gate)
    const one = call("ask", "one", "s1", exchangeOver)
    call("wait", "other", "s1", exchangeOver)
    const question = await held
    await approve(relay.gate, question)
    expect(textOf(await resultOf(one))).toContain("Nobody was asked")
    expect((await relay.gate.approval(question.id))?.status).toBe("failed")
  })

  it("question-routes I2: is asked of nobody, nor judged, where calls of several sessions run, and its server and the log say why", async () => {
    const { call, asked, log, held } = await open()
    const one = call("ask", "one", "x")
    call("wait", "other", "y")
    expect(textOf(await resultOf(one))).toContain("several sessions")
    expect([asked, held]).toEqual([[], []])
    expect(log.filter((line) => line.includes("it cannot be told whose question it is"))).toHaveLength(1)
  })

  it("question-routes I1: ends with the calls it may be about, and with none of them alone", async () => {
    const { relay, call, asked, held } = await open()
    const first = nextHeld(relay.gate)
    const one = call("ask", "one")
    const other = call("wait", "other")
    const question = await first
    other.withdraw()
    await expect(other.reply).resolves.toBeDefined()
    const isWaitedFor = async () => (await relay.gate.approval(question.id))?.caller !== null
    expect(await isWaitedFor()).toBe(true)
    one.withdraw()
    await expect.poll(isWaitedFor).toBe(false)
    expect([asked, held]).toEqual([[], [question.id]])
  })
})
