import type { SessionView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { firstCallOf } from "./first-call.ts"

const tool = { server: "files", tool: "read_file" }

function session(key: string, more: Partial<SessionView> = {}): SessionView {
  return {
    ...{
      principal: "laptop",
      id: key,
      named: false,
      key,
      client: "codex 1.0",
      folder: null,
      switches: [],
      firstCall: null,
    },
    runTitle: null,
    ...{ startedAt: 1, lastSeenAt: 1, connection: { state: "unknown" }, label: null, mode: "ask", modeUntil: null },
    ...{ modeBy: null, endedAt: null, waiting: 0, refused: [], grants: [] },
    ...more,
  }
}

const anybody = { known: new Set<string>(), principal: null }

describe("the first call", () => {
  it.each([
    { name: "nobody is there", sessions: [], expected: anybody },
    { name: "only who was there before", sessions: [session("a")], expected: { ...anybody, known: new Set(["a"]) } },
    { name: "another token's agent", sessions: [session("a")], expected: { ...anybody, principal: "desk" } },
    { name: "Byleave's own session", sessions: [session("a", { principal: "byleave" })], expected: anybody },
  ])("is waited for while $name", ({ sessions, expected }) => {
    expect(firstCallOf(sessions, expected)).toEqual({ state: "waiting" })
  })

  it("an agent that has only connected is told of, the newest", () => {
    const newest = session("b", { startedAt: 2 })
    expect(firstCallOf([session("a"), newest], anybody)).toEqual({ state: "connected", session: newest })
  })

  it("one that has called is told of before a newer one that has not", () => {
    const calling = session("a", { firstCall: tool })
    const sessions = [session("b", { startedAt: 2 }), calling]
    expect(firstCallOf(sessions, { ...anybody, principal: "laptop" })).toEqual({
      state: "called",
      session: calling,
      tool,
    })
  })
})
