import { emptyPolicy, type PolicyWithoutFolders, type Rule } from "@byleave/core"
import { describe, expect, it } from "vitest"
import type { ServerLimits } from "../gateway/server-limits.ts"
import type { KnownModel } from "./known-models.ts"
import { type InForce, type KnownServer, planChange } from "./plan-change.ts"
import type { Settings } from "./settings.ts"

const settings: Settings = {
  presence: "pin",
  anonymous: false,
  openRequests: null,
  bodyBytes: 64_000_000,
  connections: 16_384,
  decideInClient: false,
  retention: 1,
  hosts: [],
  origins: [],
  groups: [],
  reputation: null,
}

function rule(effect: "deny" | "allow", name: string): Rule {
  const target = { server: "files", kind: "tool" as const, name, whole: false }
  return { id: `${effect} ${name}`, effect, target, origin: { where: "test" } }
}
function policyOf(...rules: readonly Rule[]): PolicyWithoutFolders {
  return { ...emptyPolicy, version: rules.map(({ id }) => id).join("; "), rules }
}
function server(id: string, start: string, isKnown = true): KnownServer {
  const transport = { kind: "stdio" as const, command: start, args: [], env: new Map() }
  return { id, start, config: isKnown ? { id, trust: "none", pin: "full", transport } : null }
}
function limited(id: string, limits: ServerLimits): KnownServer {
  const known = server(id, "a")
  return { ...known, config: known.config && { ...known.config, ...limits } }
}
function model(name: string, start: string, more: Partial<KnownModel> = {}): KnownModel {
  const config = { name, provider: "scripted" as const, steps: [] }
  return { name, start, config, words: `by ${start}`, ...more }
}
const base: InForce = {
  policy: policyOf(rule("allow", "read")),
  servers: [server("files", "a")],
  models: [model("main", "a"), model("small", "b")],
  settings,
}
const words = (config: { readonly transport: { readonly kind: string } }) =>
  "command" in config.transport ? String(config.transport.command) : config.transport.kind

const plan = (after: Partial<InForce>, before: InForce = base) => planChange(before, { ...base, ...after }, words)

describe("planChange", () => {
  it("takes over at once what only tightens", () => {
    const policy = policyOf(rule("allow", "read"), rule("deny", "write"))
    const planned = plan({ policy })
    expect(planned.waits).toBeNull()
    expect(planned.now.policy).toBe(policy)
    expect(planned.tightens.join()).toContain("deny")
  })

  it("lets what widens wait, and takes the rest at once", () => {
    const planned = plan({ policy: policyOf(rule("allow", "read"), rule("allow", "write"), rule("deny", "move")) })
    expect(planned.now.policy.rules.map(({ effect, target }) => `${effect} ${target.name}`)).toEqual([
      "allow read",
      "deny move",
    ])
    expect(planned.waits?.widens).toHaveLength(1)
    expect(planned.waits?.widens[0]).toContain("write")
  })

  it("brings along what the sentences of rules mask, under the names it is compared with", () => {
    const when = [
      { key: "token", op: "equals", value: "abc" },
      { key: "auth", op: "glob", pattern: "*" },
    ] as const
    const secret = { ...rule("allow", "write"), when } as Rule
    const { waits } = plan({ policy: policyOf(rule("allow", "read"), secret) })
    const text = 'allow: "files(write)" when token equals ‹secret, 3 characters› and auth glob "*"'
    expect(waits?.compared).toEqual([{ rule: text, when: [{ token: "abc" }] }])
    expect(waits?.widens[0]).toContain(text)
    const open = { ...rule("allow", "write"), when: when.slice(1) } as Rule
    expect(plan({ policy: policyOf(rule("allow", "read"), open) }).waits).not.toHaveProperty("compared")
  })

  it("shows names of an edit as names, whatever stands in them", () => {
    const odd = "m was removed. Nothing else"
    const groups = ["ops/mallory → ops/root. Comments"]
    const { waits } = plan({
      models: [...base.models, model(odd, "c")],
      servers: [...base.servers, server(odd, "c")],
      settings: { ...settings, groups, hosts: ["none"], retention: 60_000 },
    })
    expect(waits?.widens).toEqual([
      "Arguments and results are now kept for 1m.",
      'Host names of this service: none → "none".',
      'Reviewers in groups: none → "ops/mallory → ops/root. Comments".',
      `Model "${odd}" was added: by c.`,
    ])
    expect(waits?.servers).toEqual([
      `Server "${odd}" was added: c. Existing permissions for "${odd}" will apply to it.`,
    ])
  })

  it("does not start a server otherwise before somebody has said yes, and goes on with the one that runs", () => {
    const planned = plan({ servers: [server("files", "b"), server("new", "c")] })
    expect(planned.now.servers.map(({ id, start }) => [id, start])).toEqual([["files", "a"]])
    expect(planned.waits?.servers).toEqual([
      "Server files is now reached as b, previously a. Existing permissions for files will apply to it.",
      "Server new was added: c. Existing permissions for new will apply to it.",
    ])
  })

  it("starts after a restart only what is reached as was accepted", () => {
    const before: InForce = { ...base, servers: [server("files", "a", false), server("other", "b", false)] }
    const planned = plan({ servers: [server("files", "a"), server("other", "changed")] }, before)
    expect(planned.now.servers.map(({ id, config }) => [id, config !== null])).toEqual([
      ["files", true],
      ["other", false],
    ])
  })

  it.each([
    { name: "a list trusted longer", limits: { toolList: { goodMs: 3_600_000 } }, says: "trusted for 1h" },
    { name: "more tools", limits: { toolList: { tools: 5_001 } }, says: "5001 of its tools" },
    { name: "no timeout", before: { timeoutMs: 1_000 }, limits: {}, says: "as long as it takes" },
    { name: "a longer timeout", before: { timeoutMs: 1_000 }, limits: { timeoutMs: 2_000 }, says: "2s" },
    { name: "new connections", limits: { refreshConnection: true }, says: "new connection" },
    { name: "old connections", before: { refreshConnection: true }, limits: {}, says: "new connection" },
  ])("lets $name of a server wait, also after a restart", ({ before = {}, limits, says }) => {
    const running = limited("files", before)
    const restarted: KnownServer = { ...running, config: null, limits: before }
    for (const old of [running, restarted]) {
      const planned = plan({ servers: [limited("files", limits)] }, { ...base, servers: [old] })
      expect(planned.waits).toMatchObject({ widens: [expect.stringContaining(says)], servers: [] })
      expect(planned.now.servers[0]?.config).toEqual(running.config)
    }
  })

  it("takes a stricter limit of a server at once, and of several only the stricter ones", () => {
    const stricter = limited("files", { timeoutMs: 1_000, toolList: { goodMs: 10, tools: 7 } })
    expect(plan({ servers: [stricter] })).toMatchObject({ waits: null, now: { servers: [stricter] } })
    const mixed = plan({ servers: [limited("files", { timeoutMs: 1_000, toolList: { goodMs: 60_000, tools: 7 } })] })
    expect(mixed.waits?.widens).toHaveLength(1)
    expect(mixed.now.servers[0]?.config).toMatchObject({ timeoutMs: 1_000, toolList: { tools: 7 } })
    expect(mixed.now.servers[0]?.config?.toolList).not.toHaveProperty("goodMs")
  })

  it("uses no model that is new or reached otherwise before somebody has said yes", () => {
    const planned = plan({ models: [model("main", "other"), model("small", "b"), model("new", "c")] })
    expect(planned.now.models.map(({ name, start }) => [name, start])).toEqual([
      ["main", "a"],
      ["small", "b"],
    ])
    expect(planned.waits?.widens).toEqual([
      "Model main is now by other, previously by a.",
      "Model new was added: by c.",
    ])
  })

  it("lets another default model wait, and takes the going of a model at once", () => {
    const turned = plan({ models: [model("small", "b"), model("main", "a")] })
    expect(turned.waits?.widens).toEqual(["The default model is now small, previously main."])
    expect(turned.now.models[0]?.name).toBe("main")
    const gone = plan({ models: [model("small", "b")] })
    expect(gone).toMatchObject({ waits: null, tightens: ["Model main was removed."] })
    expect(gone.now.models.map(({ name }) => name)).toEqual(["small"])
  })

  it("accepts a model once, also where it cannot be used for a while, and after a restart", () => {
    const unusable = model("main", "", { config: null, words: "" })
    const without = plan({ models: [unusable, model("small", "b")] })
    expect(without.waits).toBeNull()
    expect(without.now.models[0]).toMatchObject({ start: "a", config: null })
    expect(plan({}, without.now)).toMatchObject({ waits: null, now: { models: base.models } })
    const restarted = base.models.map((known) => ({ ...known, config: null, words: "" }))
    expect(plan({}, { ...base, models: restarted })).toMatchObject({ waits: null, now: { models: base.models } })
    const changed = plan({ models: [model("main", "other")] }, { ...base, models: restarted })
    expect(changed.now.models[0]).toMatchObject({ start: "a", config: null })
    expect(changed.waits?.widens).toEqual(["Model main is now by other, unlike the accepted version."])
    const later = plan({ models: [model("late", "x")] }, { ...base, models: [model("late", "", { config: null })] })
    expect(later.waits?.widens).toEqual(["Model late was added: by x."])
  })

  it("lets no more requests be open unasked where their number is no longer written, and more calls may wait", () => {
    const limits = { ...base.policy.limits, waitingPerPrincipal: 5_000 }
    const policy = { ...base.policy, limits }
    const before = { ...base, policy, settings: { ...settings, openRequests: 1_000 } }
    const planned = plan({ policy }, before)
    expect(planned.now.settings.openRequests).toBe(1_000)
    expect(planned.waits?.widens).toEqual(["Open requests per agent: 5000 now."])
  })

  it.each([
    ["a server that is started otherwise", base, "is now reached as b"],
    ["a new server", { ...base, servers: [] }, "was added: b"],
  ])("says the limits of %s with its start", (_, before, start) => {
    const known = server("files", "b")
    const config = known.config && { ...known.config, timeoutMs: 36_000_000, toolList: { goodMs: 2_592_000_000 } }
    const told = plan({ servers: [{ ...known, config }] }, before).waits?.servers.join("\n")
    expect(told).toContain(start)
    expect(told).toContain("a call may now run 10h")
    expect(told).toContain("its tool list is now trusted for 30d")
  })

  it.each([
    ["hosts", { hosts: [`${"x".repeat(200)}.a.example`] }],
    ["groups", { groups: [`${"x".repeat(200)}-ops/ana`] }],
  ] as const)("says the names of %s whole", (name, change) => {
    expect(plan({ settings: { ...settings, ...change } }).waits?.widens.join()).toContain(Object.values(change)[0][0])
    expect(name in settings).toBe(true)
  })

  it("stops at once a server that is gone", () => {
    const planned = plan({ servers: [] })
    expect(planned).toMatchObject({ now: { servers: [] }, waits: null, tightens: ["Server files was removed."] })
  })

  it.each([
    { name: "presence none", change: { presence: "none" } },
    { name: "agents without a token", change: { anonymous: true } },
    { name: "answers inside the client", change: { decideInClient: true } },
    { name: "more open requests", change: { openRequests: 1_001 } },
    { name: "larger bodies", change: { bodyBytes: 64_000_001 } },
    { name: "more connections", change: { connections: 20_000 } },
    { name: "another host", change: { hosts: ["byleave.example"] } },
    { name: "another origin", change: { origins: ["https://page.example"] } },
    { name: "another member of a group", change: { groups: ["ops/ana"] } },
    { name: "another retention", change: { retention: 2 } },
  ] as const)("$name waits, and its return holds at once", ({ name, change }) => {
    const wide = { ...settings, ...change }
    const planned = plan({ settings: wide })
    expect(planned.now.settings).toEqual(settings)
    expect(planned.waits?.widens).toHaveLength(1)
    const back = plan({}, { ...base, settings: wide })
    if (name !== "another retention") expect(back).toMatchObject({ now: { settings }, waits: null })
  })
})
