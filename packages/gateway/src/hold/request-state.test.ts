import type { Call, JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { keepingSealer } from "../downstream/fixtures/front-server.ts"
import { readState, sealHeld, sealServerState } from "./request-state.ts"

const call: Call = {
  tool: { server: "files", tool: "write" },
  args: { path: "/a" },
  principal: { id: "agent" },
  session: { principal: "agent", id: "s1", named: true },
}
const sealer = keepingSealer()
const held = (continuation: JsonObject = {}) => sealHeld(sealer, call, { approval: "a1", leg: 2, continuation })
const states = { held: held(), server: sealServerState(sealer, call, "theirs") }

describe.each(Object.entries(states))("the state of a %s call", (_kind, requestState) => {
  it("leads back for the very call it was made for", () => {
    expect(readState(sealer, { ...call, args: { path: "/a" } }, { requestState }).kind).not.toBe("foreign")
  })

  it.each<{ name: string; other: Partial<Call> }>([
    { name: "I1: for another principal", other: { principal: { id: "eve" } } },
    { name: "I1: in another session", other: { session: { principal: "agent", id: "s2", named: true } } },
    { name: "I2: with other arguments", other: { args: { path: "/b" } } },
    { name: "I2: for another tool", other: { tool: { server: "files", tool: "drop" } } },
    { name: "I2: for the same tool of another server", other: { tool: { server: "web", tool: "write" } } },
    { name: "I2: for what is no tool", other: { kind: "prompt" } },
  ])("is useless $name", ({ other }) => {
    expect(readState(sealer, { ...call, ...other }, { requestState })).toEqual({ kind: "foreign" })
  })
})

describe("what is no state of ours", () => {
  it.each<{ name: string; requestState: JsonObject[string] }>([
    { name: "text nobody sealed", requestState: "made up" },
    { name: "no text", requestState: 1 },
    { name: "null", requestState: null },
    { name: "something else we sealed", requestState: sealer.seal({ k: "task", principal: "agent", id: "t" }) },
  ])("I3: $name is foreign, and no fresh call", ({ requestState }) => {
    expect(readState(sealer, call, { requestState })).toEqual({ kind: "foreign" })
  })
})

describe("a server's state and the answers to it", () => {
  it("are kept while the call is held: later answers do not replace them", () => {
    const requestState = held({ state: "theirs", responses: { who: { name: "Ana" } } })
    const inputResponses = { who: { name: "Eve" } }
    expect(readState(sealer, call, { requestState, inputResponses })).toEqual({
      kind: "held",
      approval: "a1",
      leg: 2,
      continuation: { state: "theirs", responses: { who: { name: "Ana" } } },
    })
  })

  it("go on together when nobody holds the call", () => {
    const inputResponses = { who: { name: "Ana" } }
    expect(readState(sealer, call, { requestState: states.server, inputResponses })).toEqual({
      kind: "fresh",
      continuation: { state: "theirs", responses: inputResponses },
    })
  })
})
