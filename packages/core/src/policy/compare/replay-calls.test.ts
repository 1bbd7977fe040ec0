import { describe, expect, it } from "vitest"
import { compilePolicy } from "../decide/compile-policy.ts"
import type { ToolFacts } from "../decide/decision.ts"
import { rule, writes } from "../fixtures/questions.ts"
import { emptyPolicy, type Policy, type Rule } from "../rules/rule.ts"
import { type RecordedCall, type ReplayInput, replayCalls } from "./replay-calls.ts"
import { sharePlaces } from "./shared-places.ts"

const recorded: RecordedCall = {
  id: "c1",
  at: 1_000,
  target: { server: "files", kind: "tool", name: "write_file" },
  args: { path: "/home/ann/a.txt" },
  isMasked: false,
  principal: "ann",
  session: "s1",
  mode: "ask",
  effect: "ask",
  because: "default",
  grant: null,
  policy: "one",
  fingerprint: "f",
  refusedOtherwise: false,
}
const policy = (version: string, ...rules: readonly Rule[]): Policy => ({ ...emptyPolicy, version, rules })
const side = (of: Policy, facts: ToolFacts = writes) => ({ policy: compilePolicy(of), factsOf: () => facts })
const drafts = { when: [{ key: "path", op: "under", folder: "/home/ann" }] }

function replay(calls: readonly RecordedCall[], after: Policy, rest: Partial<ReplayInput> = {}) {
  const turns = { now: () => 0, nextTurn: async () => {} }
  return replayCalls({ calls, before: side(policy("one")), after: side(after), grants: [], turns, ...rest })
}

describe("replayCalls", () => {
  it("names exactly the calls that the other policy decides otherwise, with the reason", async () => {
    const other = { ...recorded, id: "c2", args: { path: "/etc/passwd" } }
    const { looked, skipped, different } = await replay(
      [recorded, other],
      policy("two", rule("allow", "files(write_file)", drafts)),
    )
    expect([looked, skipped]).toEqual([2, 0])
    expect(different).toMatchObject([{ call: { id: "c1" }, before: "ask", after: "allow" }])
    expect(different[0]?.why).toContain('allow: "files(write_file)"')
  })

  it("is told what differs between the policies, not what has changed since the call", async () => {
    const before = side(policy("one", rule("allow", "files(write_file)")))
    const old = { ...recorded, policy: "zero" }
    expect(await replay([old], policy("two", rule("allow", "files(*)")), { before })).toMatchObject({
      skipped: 0,
      different: [],
    })
  })

  const denies = policy("two", rule("deny", "files(write_file)"))
  it.each<{ readonly name: string; readonly call: Partial<RecordedCall> }>([
    { name: "whose arguments are gone", call: { args: null } },
    { name: "that a limit decided", call: { because: "limit" } },
    { name: "that a definition decided", call: { because: "pin" } },
    { name: "that a grant decided which is gone", call: { because: "grant", grant: "g1", effect: "allow" } },
    { name: "of a tool that is defined otherwise now", call: { fingerprint: "other" } },
    { name: "that was refused because too many waited", call: { refusedOtherwise: true, effect: "deny" } },
    { name: "that the same policy decided otherwise", call: { effect: "allow" } },
  ])("skips a call $name", async ({ call }) => {
    expect(await replay([{ ...recorded, ...call }], denies)).toEqual({ looked: 1, skipped: 1, different: [] })
  })

  it("skips masked arguments only where a rule looks at them", async () => {
    const masked = { ...recorded, isMasked: true }
    expect(await replay([masked], denies)).toMatchObject({ skipped: 0, different: [{ after: "deny" }] })
    expect(await replay([masked], policy("two", rule("allow", "files(write_file)", drafts)))).toMatchObject({
      skipped: 1,
    })
  })

  it("lets a grant count from its making on", async () => {
    const grant = { id: "g1", effect: "allow", breadth: { kind: "tool", server: "files", tool: "write_file" } } as const
    const call: RecordedCall = { ...recorded, effect: "allow", because: "grant", grant: "g1" }
    expect((await replay([call], denies, { grants: [{ ...grant, createdAt: 1_000 }] })).different).toMatchObject([
      { before: "allow", after: "deny" },
    ])
    expect((await replay([recorded], denies, { grants: [{ ...grant, createdAt: 1_001 }] })).different).toMatchObject([
      { before: "ask", after: "deny" },
    ])
  })

  it("judges in the mode of the time", async () => {
    const call: RecordedCall = { ...recorded, mode: "unattended", effect: "deny", because: "mode" }
    const allows = policy("two", rule("allow", "files(write_file)"))
    expect((await replay([call], allows)).different).toMatchObject([{ before: "deny", after: "allow" }])
  })

  describe("with paths that are followed", () => {
    const inside = policy("two", rule("deny", "files(write_file)", drafts))
    /** Calls of ten paths each, of which every second call has the same, and how often a path was followed. */
    const open = (most?: number) => {
      let followed = 0
      const places = sharePlaces(
        () => (path) => {
          followed += 1
          return [path]
        },
        most,
      )
      const by = (of: Policy) => ({ policy: compilePolicy(of, places), factsOf: () => writes })
      const calls = Array.from({ length: 20 }, (_, at) => ({
        ...{ ...recorded, id: `c${at}`, policy: "zero" },
        args: { path: Array.from({ length: 10 }, (_, name) => `/srv/${at >> 1}/${name}`) },
      }))
      const rest = { before: by(policy("one", ...inside.rules)), after: by(inside), wasCut: places.wasCut }
      return {
        replay: (more: Partial<ReplayInput> = {}) => replay(calls, inside, { ...rest, ...more }),
        calls,
        followed: () => followed,
      }
    }

    it("follows each path once for all calls and both policies", async () => {
      const at = open()
      expect(await at.replay()).toEqual({ looked: 20, skipped: 0, different: [] })
      // The folder of the rule as well.
      expect(at.followed()).toBe(101)
    })

    it("skips the calls with paths beyond the most that are followed, and no others", async () => {
      const at = open(51)
      const after = policy("two", rule("deny", "files(write_file)"))
      expect(await at.replay({ after: side(after) })).toMatchObject({
        looked: 20,
        skipped: 10,
        different: { length: 10 },
      })
      expect(at.followed()).toBe(51)
    })

    it("lets others have their turn after each few milliseconds, and ends when nobody wants it any more", async () => {
      let [ms, taken] = [0, 0]
      const nextTurn = async () => {
        taken += 1
      }
      const turns = { now: () => (ms += 2), nextTurn }
      expect(await open().replay({ turns })).toMatchObject({ skipped: 0 })
      expect(taken).toBe(9)
      const at = open()
      expect(await at.replay({ turns, isEnded: () => taken > 9 })).toMatchObject({ looked: 20, skipped: 20 })
    })
  })
})
