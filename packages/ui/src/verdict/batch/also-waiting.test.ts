import type { ApprovalView } from "@byleave/api"
import type { Breadth, Grant } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { serverView, toolView, waitingCall } from "../fixtures/waiting-call.ts"
import { knownAccess } from "../remember/known-access.ts"
import { ruleShown } from "../remember/remembering.ts"
import { alsoWaitingFor, coverage } from "./also-waiting.ts"

const tool: Breadth = { kind: "tool", server: "files", tool: "write_file" }
const wholeServer: Breadth = { kind: "server", server: "files", access: "all" }

function grantOf(breadth: Breadth, scope: "session" | "always" = "always", effect: "allow" | "deny" = "allow"): Grant {
  const shown = ruleShown(waitingCall(), { effect, scope, breadth, lasting: {} }, 1_000)
  if (!shown.ok) throw new Error(shown.problem)
  return shown.grant
}

function alsoOf(grant: Grant, waiting: readonly ApprovalView[]) {
  return alsoWaitingFor(grant, waitingCall(), waiting, new Map())
}

const other = waitingCall({ id: "other", runDigest: "d2", callDigest: "d2" })
const elsewhere = waitingCall({
  id: "elsewhere",
  session: { principal: "codex", id: "s9", named: true },
  sessionKey: "k9",
})
const twin = waitingCall({ id: "twin" })
const otherTool = waitingCall({ id: "other tool", tool: { server: "files", tool: "move_file" } })

describe("alsoWaitingFor", () => {
  it("I3: lists what the rule covers, and ticks only what is the very same call", () => {
    const changed = waitingCall({ id: "changed", fingerprint: "f2" })
    const also = alsoOf(grantOf(wholeServer), [waitingCall(), twin, other, elsewhere, changed, otherTool])
    expect(also.map(({ approval, atFirst }) => [approval.id, atFirst])).toEqual([
      ["twin", true],
      ["other", false],
      ["elsewhere", false],
      ["changed", false],
      ["other tool", false],
    ])
  })

  it.each([{ extraParams: { _meta: { "example.com/sudo": true } } }, { droppedParams: ["Arguments"] }])(
    "I3: ticks no call that is sent with something else, whatever its digest: %j",
    (beside) => {
      expect(alsoOf(grantOf(tool), [waitingCall({ ...twin, ...beside })])).toMatchObject([{ atFirst: false }])
    },
  )

  it("I1: leaves other sessions out of what is given for one", () => {
    expect(alsoOf(grantOf(tool, "session"), [other, elsewhere]).map(({ approval }) => approval.id)).toEqual(["other"])
  })

  it.each([
    { name: "that more people must allow", call: { needs: { approvals: 2, groups: [], selfApproval: false } } },
    {
      name: "that differs in more than is shown of it",
      call: { args: Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name) => [name, "x"])) },
    },
    {
      name: "with a secret",
      call: { risks: [{ kind: "secret-like", key: "content", sentence: "It looks like a secret." }] },
    },
    { name: "with a masked value beside its arguments", call: { extraParams: { _meta: { token: "xyz" } } } },
  ] as const)("I2: never lets a yes go along to a call $name; a no may", ({ call }) => {
    const waiting = [waitingCall({ ...twin, ...call })]
    expect(alsoOf(grantOf(tool), waiting)).toMatchObject([{ atFirst: false, whyNot: expect.stringMatching(/open it/) }])
    expect(alsoOf(grantOf(tool, "always", "deny"), waiting)).toMatchObject([{ whyNot: null }])
  })

  it("I1: leaves out what only the service could say is covered", () => {
    const inFolder: Breadth = { ...tool, when: [{ key: "path", op: "under", folder: "/home/me" }] }
    expect(alsoOf(grantOf(inFolder), [waitingCall({ id: "unsure", args: { path: "a.md" } })])).toEqual([])
  })

  it("leaves out what is asked every time and what waits no more", () => {
    const settled = {
      ...other,
      status: "denied",
      settledAt: 1,
      by: "ann",
      refusal: { by: "reviewer", code: "denied-by-reviewer", reason: "no" },
    }
    expect(alsoOf(grantOf(tool), [waitingCall({ ...other, remember: "never" }), settled as ApprovalView])).toEqual([])
  })
})

describe("coverage", () => {
  const inFolder: Breadth = { ...tool, when: [{ key: "path", op: "under", folder: "/home/me" }] }

  it.each([
    { path: "/home/me/a.md", covered: "yes" },
    { path: "/elsewhere/a.md", covered: "unsure" },
    { path: "a.md", covered: "unsure" },
  ])("judges $path by folder as far as can be seen here: $covered", ({ path, covered }) => {
    expect(coverage(grantOf(inFolder), waitingCall({ args: { path } }), new Map())).toBe(covered)
  })

  it.each([
    { path: "/home/me/a.md", folder: null, covered: "yes" },
    { path: "a.md", folder: null, covered: "unsure" },
    { path: "./a.md", folder: "/home/me", covered: "yes" },
    { path: "b.md", folder: "/home/me", covered: "unsure" },
  ])("judges $path by file, in a server that works in $folder: $covered", ({ path, folder, covered }) => {
    const file: Breadth = { ...tool, when: [{ key: "path", op: "file", path: "/home/me/a.md" }] }
    expect(coverage(grantOf(file), waitingCall({ args: { path } }), new Map(), folder)).toBe(covered)
  })

  it("is no for another tool, whatever the folder", () => {
    expect(coverage(grantOf(inFolder), otherTool, new Map())).toBe("no")
  })

  it("holds a frozen list of reads to tools that read", () => {
    const grant = grantOf({ kind: "reads", server: "files", tools: ["write_file"] })
    expect(coverage(grant, waitingCall(), knownAccess(serverView([toolView("write_file")])))).toBe("no")
  })
})
