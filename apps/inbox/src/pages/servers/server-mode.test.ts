import type { GrantView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { serverModeNow, stepsTo } from "./server-mode.ts"

function grant(id: string, more: Partial<GrantView> = {}): GrantView {
  return {
    id,
    version: 1,
    effect: "allow",
    breadth: { kind: "server", server: "files", access: "all" },
    level: "AllowAlways",
    words: "",
    text: "",
    createdAt: 1,
    createdBy: "anna",
    from: null,
    lastUsedAt: null,
    timesUsed: 0,
    ...more,
  }
}

const session = { principal: "laptop", id: "s1" }
const yes = grant("yes")
const no = grant("no", { effect: "deny" })

describe("serverModeNow", () => {
  it.each([
    { name: "nothing remembered asks", grants: [], mode: "ask" },
    { name: "R133: a yes to all of it never asks", grants: [yes], mode: "never-ask" },
    { name: "a no to all of it refuses", grants: [no], mode: "refuse" },
    { name: "a no outweighs a yes", grants: [yes, no], mode: "refuse" },
    { name: "a session's answer is no mode", grants: [grant("g", { session })], mode: "ask" },
    { name: "an answer for a few uses is no mode", grants: [grant("g", { usesLeft: 3 })], mode: "ask" },
    {
      name: "an answer to its reads is no mode",
      grants: [grant("g", { breadth: { kind: "server", server: "files", access: "read" } })],
      mode: "ask",
    },
    {
      name: "another server's answer says nothing",
      grants: [grant("g", { breadth: { kind: "server", server: "mail", access: "all" } })],
      mode: "ask",
    },
  ])("$name", ({ grants, mode }) => {
    expect(serverModeNow(grants, "files").mode).toBe(mode)
  })

  it("tells when it goes back by itself, unless one of its grants stays", () => {
    expect(serverModeNow([grant("g", { until: 7 })], "files").until).toBe(7)
    expect(serverModeNow([grant("g", { until: 7 }), yes], "files").until).toBe(null)
  })

  it("counts what else is remembered about the server", () => {
    expect(serverModeNow([yes, grant("g", { session })], "files").others).toBe(1)
  })
})

describe("stepsTo", () => {
  it("revokes everything general to ask again, a yes before a no", () => {
    expect(stepsTo("ask", serverModeNow([no, yes], "files"))).toEqual([
      { kind: "revoke", grant: yes },
      { kind: "revoke", grant: no },
    ])
  })

  it("adds the no before the yes goes", () => {
    expect(stepsTo("refuse", serverModeNow([yes], "files"))).toEqual([
      { kind: "add", effect: "deny" },
      { kind: "revoke", grant: yes },
    ])
  })

  it("lets the no go last, so that nothing runs before all is done", () => {
    expect(stepsTo("never-ask", serverModeNow([no], "files"))).toEqual([
      { kind: "add", effect: "allow" },
      { kind: "revoke", grant: no },
    ])
  })

  it("replaces an answer that would end by one that stays", () => {
    const short = grant("short", { until: 7 })
    expect(stepsTo("never-ask", serverModeNow([short], "files"))).toEqual([
      { kind: "add", effect: "allow" },
      { kind: "revoke", grant: short },
    ])
  })

  it("does nothing where it is so already", () => {
    expect(stepsTo("never-ask", serverModeNow([yes], "files"))).toEqual([])
  })
})
