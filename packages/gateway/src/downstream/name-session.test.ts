import type { JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { nameSession } from "./name-session.ts"

const host = { principal: { id: "host" }, namesSessions: true }
const agent = { principal: { id: "agent" }, namesSessions: false }
const ask = (meta?: JsonObject) => ({ method: "tools/call", params: { name: "t", ...(meta ? { _meta: meta } : {}) } })
const named = (name: string) => ({ "byleave/session": name })

describe("a session", () => {
  it("is what the carrier knows, else the principal itself", () => {
    expect(nameSession(agent, "c1", undefined, ask())).toMatchObject({
      session: { principal: "agent", id: "c1", named: true },
    })
    expect(nameSession(agent, null, undefined, ask())).toMatchObject({
      session: { principal: "agent", id: "agent", named: false },
    })
  })

  it.each([
    { name: "a header", header: "thread", meta: undefined },
    { name: "_meta", header: undefined, meta: named("thread") },
    { name: "both alike", header: "thread", meta: named("thread") },
  ])("I1, I2: is named by $name, below the principal, by a credential that may", ({ header, meta }) => {
    const session = { principal: "host", id: "thread", named: true }
    expect(nameSession(host, "c1", header, ask(meta))).toMatchObject({ ok: true, session })
    expect(nameSession(agent, "c1", header, ask(meta))).toMatchObject({ ok: false, status: 403 })
  })

  it("I2: called as another principal is, it is still its own principal's", () => {
    expect(nameSession(host, null, "agent", ask())).toMatchObject({ session: { principal: "host", id: "agent" } })
  })

  it("named like its principal, it is the one of requests without a name", () => {
    const session = { principal: "host", id: "host", named: false }
    expect(nameSession(host, "c1", "host", ask())).toMatchObject({ ok: true, session })
  })

  it.each([
    { name: "two names", header: "one", meta: named("two") },
    { name: "an empty name", header: "", meta: undefined },
    { name: "a name too long", header: "x".repeat(257), meta: undefined },
    { name: "a name twice in headers", header: ["one", "two"], meta: undefined },
    { name: "a name that is no text", header: undefined, meta: { "byleave/session": 1 } },
  ])("I3: with $name is refused", ({ header, meta }) => {
    expect(nameSession(host, "c1", header, ask(meta))).toMatchObject({ ok: false, status: 400 })
  })

  it("I4: its name goes no further, and all else stays", () => {
    const both = nameSession(host, null, undefined, ask({ ...named("thread"), kept: 1 }))
    expect(both).toMatchObject({ ask: { params: { name: "t", _meta: { kept: 1 } } } })
    const alone = nameSession(host, null, undefined, ask(named("thread")))
    for (const { ask: sent } of [both, alone] as ReadonlyArray<{ ask: unknown }>)
      expect(JSON.stringify(sent)).not.toContain("byleave/session")
  })
})
