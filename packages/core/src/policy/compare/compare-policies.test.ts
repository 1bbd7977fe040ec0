import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compilePolicy } from "../decide/compile-policy.ts"
import { decide } from "../decide/decide.ts"
import { indexGrants } from "../decide/index-grants.ts"
import { ask, rule } from "../fixtures/questions.ts"
import { anyGrants, anyPolicy, anyQuestion, anyRules } from "../fixtures/random-policy.ts"
import type { Remembered } from "../rules/remembered.ts"
import { type Effect, emptyPolicy, type Limits, type Policy, type ServerPolicy } from "../rules/rule.ts"
import { toolAccess } from "../rules/tool-access.ts"
import { comparePolicies } from "./compare-policies.ts"

const files: ServerPolicy = { id: "files", trust: "none", pin: "full" }
const when = [{ key: "path", op: "under", folder: "/x" }] as const
const limits = (some: Partial<Limits>): Partial<Policy> => ({ limits: { ...emptyPolicy.limits, ...some } })
const served = (some: Partial<ServerPolicy>): Partial<Policy> => ({ servers: [{ ...files, ...some }] })
const coolDown = (name: string, forMs: number) => limits({ coolDown: { after: [rule("ask", name).target], forMs } })

type Case = { readonly name: string; readonly from?: Partial<Policy>; readonly to: Partial<Policy> }

function grantOf(effect: Remembered["effect"], access: "read" | "write"): Remembered {
  return { id: "g", effect, breadth: { kind: "server", server: "files", access } }
}

function compare({ from = {}, to }: Case) {
  return comparePolicies({ ...emptyPolicy, ...from }, { ...emptyPolicy, ...to })
}

describe("comparePolicies", () => {
  it("says patterns and names whole, and in quotes where they would read as more of the sentence", () => {
    const named = "write now. Every call needs approval; previously"
    expect(compare({ name: "", to: coolDown(named, 1) }).tightens[0]?.sentence).toContain(`after "${named}" now.`)
    const long = `${"x".repeat(200)}*a`
    expect(compare({ name: "", to: served({ offer: [long] }) }).tightens[0]?.sentence).toContain(long)
  })

  it.each<Case>([
    { name: "a hide", to: { rules: [rule("hide", "files")] } },
    { name: "a deny", to: { rules: [rule("deny", "files", { when })] } },
    { name: "an ask", to: { rules: [rule("ask", "files", { when })] } },
    {
      name: "an ask about what passes without a rule, where the default denies",
      from: { default: "deny" },
      to: { default: "deny", rules: [rule("ask", "files(resource:*)")] },
    },
    { name: "an allow less", from: { rules: [rule("allow", "files")] }, to: {} },
    { name: "a stricter default", to: { default: "deny" } },
    { name: "a mode forbidden", to: { forbiddenModes: ["autonomous"] } },
    { name: "self-approval off", from: { selfApproval: true }, to: {} },
    { name: "a shorter offer", from: served({ offer: ["read_*", "write_*"] }), to: served({ offer: ["read_file"] }) },
    { name: "a first offer", to: served({ offer: ["*"] }) },
    { name: "deeper pins", from: served({ pin: "schema" }), to: served({}) },
    { name: "a limit", to: limits({ autoAllowedPerMinute: 10 }) },
    {
      name: "a day's limit below the one per session, which it was before",
      from: limits({ autoAllowedPerSession: 9 }),
      to: limits({ autoAllowedPerSession: 9, autoAllowedPerDay: 8 }),
    },
    { name: "a lower limit", from: limits({ autoAllowedPerSession: 9 }), to: limits({ autoAllowedPerSession: 8 }) },
    {
      name: "fewer writes in a longer time",
      from: limits({ bulk: { writes: 5, withinMs: 1 } }),
      to: limits({ bulk: { writes: 4, withinMs: 2 } }),
    },
    { name: "a longer cool-down", from: coolDown("*(drop)", 1), to: coolDown("*(drop)", 2) },
  ])("I2: $name tightens", (one) => {
    const { tightens, widens } = compare(one)
    expect([tightens.length, widens.length]).toEqual([1, 0])
    expect(tightens[0]?.sentence).toMatch(/^[A-Z].*\.$/)
  })

  it.each<Case>([
    { name: "an allow", to: { rules: [rule("allow", "files")] } },
    {
      name: "an allow less of what passes without a rule, and is then not recorded",
      from: { rules: [rule("allow", "*(resource:*)")] },
      to: {},
    },
    { name: "a deny less", from: { rules: [rule("deny", "files")] }, to: {} },
    {
      name: "an ask where the default denies",
      from: { default: "deny" },
      to: { default: "deny", rules: [rule("ask", "files")] },
    },
    {
      name: "an ask about a method where the default denies",
      from: { default: "deny" },
      to: { default: "deny", rules: [rule("ask", "files(method:vendor/search)")] },
    },
    {
      name: "a deny that may ask where the default denies",
      from: { default: "deny" },
      to: { default: "deny", rules: [rule("deny", "files", { when })] },
    },
    { name: "a looser default", to: { default: "allow" } },
    {
      name: "a classification",
      to: { classify: [{ access: "read", target: rule("ask", "files").target, origin: { where: "" } }] },
    },
    { name: "trust", from: served({}), to: served({ trust: "annotations" }) },
    { name: "shallower pins", to: served({ pin: "off" }) },
    { name: "another working folder", to: served({ cwd: "/x" }) },
    { name: "a folder more among the arguments", from: served({}), to: served({ folders: ["/x"] }) },
    { name: "a folder fewer among the arguments", from: served({ folders: ["/x"] }), to: served({}) },
    { name: "a wider offer", from: served({ offer: ["read_*"] }), to: served({ offer: ["read_*", "write_*"] }) },
    { name: "an offer less", from: served({ offer: ["read_*"] }), to: {} },
    {
      name: "a day's limit above the one per session, which it was before",
      from: limits({ autoAllowedPerSession: 9 }),
      to: limits({ autoAllowedPerSession: 9, autoAllowedPerDay: 10 }),
    },
    { name: "a higher limit", from: limits({ autoAllowedPerMinute: 5 }), to: limits({ autoAllowedPerMinute: 6 }) },
    { name: "more waiting calls", to: limits({ waitingPerSession: 51 }) },
    { name: "no limit to an agent's waiting calls", from: limits({ waitingPerPrincipal: 9 }), to: {} },
    {
      name: "fewer denials in a shorter time",
      from: limits({ denials: { count: 3, withinMs: 10 } }),
      to: limits({ denials: { count: 2, withinMs: 9 } }),
    },
    { name: "a cool-down after something else", from: coolDown("*(drop)", 1), to: coolDown("*(wipe)", 1) },
    { name: "self-approval", to: { selfApproval: true } },
    { name: "a mode allowed again", from: { forbiddenModes: ["autonomous"] }, to: {} },
    { name: "unattended forbidden: what was refused would be asked", to: { forbiddenModes: ["unattended"] } },
    { name: "observing everything", to: { observeAll: true } },
    { name: "another wait", to: { wait: 1 } },
    { name: "another wait of conversations", to: { waits: { chat: 1, run: null } } },
    { name: "another wait of runs", from: { waits: { chat: 300_000, run: 1 } }, to: {} },
    { name: "trust removed: what was a read becomes a write", from: served({ trust: "annotations" }), to: served({}) },
  ])("I2: $name widens", (one) => {
    expect(compare(one).widens).toHaveLength(1)
  })

  it.each<{ readonly grant: Remembered; readonly effects: readonly Effect[] }>([
    { grant: grantOf("allow", "write"), effects: ["ask", "allow"] },
    { grant: grantOf("deny", "read"), effects: ["deny", "ask"] },
  ])("I1: trust removed widens by permissions, too: $effects", ({ grant, effects }) => {
    const [trusted, untrusted] = [served({ trust: "annotations" }), served({})]
    const effectIn = (some: Partial<Policy>): Effect => {
      const policy = { ...emptyPolicy, ...some }
      const definition = { name: "report", annotations: { readOnlyHint: true } }
      const { access, counts } = toolAccess(definition, { server: "files", tool: "report" }, policy.servers[0], [])
      const asked = ask({ target: { server: "files", kind: "tool", name: "report" } })
      const tool = asked.tool === undefined ? undefined : { ...asked.tool, access, accessCounts: counts }
      return decide(compilePolicy(policy), indexGrants([grant]), { ...asked, tool }).effect
    }
    expect([trusted, untrusted].map(effectIn)).toEqual(effects)
    expect(compare({ name: "", from: trusted, to: untrusted }).widens).toHaveLength(1)
  })

  it("an edited deny is a deny less and a deny more", () => {
    const { tightens, widens } = compare({
      name: "",
      from: { rules: [rule("deny", "files")] },
      to: { rules: [rule("deny", "files", { when })] },
    })
    expect(widens.map(({ sentence }) => sentence)).toEqual([
      'The rule deny: "files" is gone (Deny everything of files).',
    ])
    expect(tightens).toHaveLength(1)
  })

  it("place and id of a rule are no change", () => {
    const to = { rules: [rule("deny", "web"), { ...rule("deny", "files"), id: "x" }] }
    expect(compare({ name: "", from: { rules: [rule("deny", "files"), rule("deny", "web")] }, to })).toEqual({
      tightens: [],
      widens: [],
    })
  })

  it.each([
    { name: "is new", from: undefined, to: "Ask Ana.", says: 'The rule ask: "files" now says why: "Ask Ana.".' },
    { name: "is another", from: "Ask Ana.", to: "Fine.", says: 'The rule ask: "files" now says why: "Fine.".' },
    { name: "is gone", from: "Ask Ana.", to: undefined, says: 'The rule ask: "files" has no reason any more.' },
  ])("a rule's reason that $name is told, and lets nothing through", ({ from, to, says }) => {
    const because = (reason: string | undefined) => ({
      rules: [rule("ask", "files", reason === undefined ? {} : { reason })],
    })
    const { tightens, widens } = compare({ name: "", from: because(from), to: because(to) })
    expect(tightens.map(({ sentence }) => sentence)).toEqual([says])
    expect(widens).toEqual([])
  })

  it("a policy does not differ from itself", () => {
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        const { tightens, widens } = comparePolicies(policy, structuredClone(policy))
        return tightens.length + widens.length === 0
      }),
      { numRuns: 100 },
    )
  })

  it("I1: when nothing widens, nothing is decided more weakly than before", () => {
    const strength = { allow: 0, ask: 1, deny: 2, hide: 3 } as const satisfies Record<Effect, number>
    // Edits that often tighten: another policy altogether nearly always widens something.
    const edit = fc.record({
      added: anyRules,
      kept: fc.func(fc.boolean()),
      from: anyPolicy,
      taken: fc.subarray(["default", "forbiddenModes", "observeAll", "limits", "servers"] as const),
    })
    let compared = 0
    fc.assert(
      fc.property(
        anyPolicy,
        edit,
        anyGrants,
        fc.array(anyQuestion, { minLength: 5, maxLength: 10 }),
        (before, change, grants, questions) => {
          const rules = [
            ...before.rules.filter((one) => one.effect !== "allow" || change.kept(one.id)),
            ...change.added.filter(({ effect }) => effect !== "allow"),
          ]
          const taken = Object.fromEntries(change.taken.map((key) => [key, change.from[key]]))
          const after = { ...before, rules, ...taken }
          if (comparePolicies(before, after).widens.length > 0) return
          compared += 1
          const [old, now, index] = [compilePolicy(before), compilePolicy(after), indexGrants(grants)]
          for (const question of questions) {
            const was = decide(old, index, question).effect
            expect(strength[decide(now, index, question).effect]).toBeGreaterThanOrEqual(strength[was])
          }
        },
      ),
      { numRuns: 1_500 },
    )
    expect(compared).toBeGreaterThan(200)
  })
})
