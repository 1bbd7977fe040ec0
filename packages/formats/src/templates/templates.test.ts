import { readFileSync } from "node:fs"
import { nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { policyVersion } from "../policy-version.ts"
import { builtInTemplates, templateId } from "./built-in.ts"
import { type AskedOf, decisionBy, effectBy, policyUsing } from "./fixtures/template-decisions.ts"

type ToolList = Readonly<Record<"template" | "from", string> & Record<"reads" | "writes", readonly string[]>>
const lists: readonly ToolList[] = JSON.parse(
  readFileSync(new URL("./fixtures/tool-lists.json", import.meta.url), "utf8"),
)
const forServers = builtInTemplates.filter((template) => template.for === "server")
const useOf = (name: string) => (forServers.some((each) => each.name === name) ? `[{ ${name}: files }]` : `[${name}]`)

describe("built-in templates", () => {
  it("decide the same for as long as their version stands: a change is a new version, and the old one stays", () => {
    const digests = builtInTemplates.map((template) => {
      const { version: _version, ...policy } = policyUsing(useOf(template.name))
      return [templateId(template), policyVersion(policy, nodeHasher)]
    })
    expect(Object.fromEntries(digests)).toEqual(released)
  })

  it.each(lists)("$template knows the tools of $from", ({ template, reads, writes }) => {
    const policy = policyUsing(`[{ ${template}: files }]`)
    const readOnly = policyUsing(`[read-only, { ${template}: files }]`)
    for (const name of reads) {
      expect([name, effectBy(policy, { name }), effectBy(readOnly, { name })]).toEqual([name, "allow", "allow"])
    }
    for (const name of writes) {
      expect([name, effectBy(readOnly, { name })]).toEqual([name, "deny"])
      expect([name, effectBy(policy, { name })]).toEqual([name, "ask"])
    }
  })

  it.each(forServers)("$name asks each time about reads of what looks sensitive", ({ name, text }) => {
    const policy = policyUsing(`[{ ${name}: files }]`)
    for (const [, tool = ""] of text.matchAll(/read: "this\(([^)]+)\)"/g)) {
      for (const place of [".env", "/home/ada/.ssh/id_rsa", "HEAD:config/prod.pem"]) {
        const { effect, remember } = decisionBy(policy, { name: tool, args: { some: { where: [place] } } })
        expect([tool, effect, remember]).toEqual([tool, "ask", "never"])
      }
    }
  })

  it("fetch denies addresses of this machine and of private networks, and asks about all others", () => {
    const policy = policyUsing("[{ fetch: files }]")
    const asked = (url: string) => effectBy(policy, { name: "fetch", args: { url } })
    const inside = [
      "http://localhost:3000/",
      "http://127.0.0.1/",
      "http://10.1.2.3/",
      "http://192.168.0.1/",
      "http://[::1]/",
    ]
    const more = [
      "http://169.254.169.254/latest/meta-data",
      "http://172.20.0.1/",
      "http://db.internal/",
      "http://0x7f.1/",
    ]
    expect([...inside, ...more].map((url) => [url, asked(url)]).filter(([, effect]) => effect === "allow")).toEqual([])
    expect(inside.map(asked)).toEqual(inside.map(() => "deny"))
    expect(asked("https://example.com/")).toBe("ask")
  })
})

const names = [...new Set([...lists.flatMap(({ reads, writes }) => [...reads, ...writes]), "read_x", "get_y", "do_it"])]
const places = [".env", "a.md", "/etc/shadow", "notes/key.pem", "src/index.ts", ""]
const anyAsked: fc.Arbitrary<AskedOf> = fc.record({
  name: fc.constantFrom(...names),
  args: fc.dictionary(fc.constantFrom("path", "url", "query"), fc.constantFrom(...places)),
  mode: fc.constantFrom("ask" as const, "autonomous" as const, "observe" as const, "unattended" as const),
  pin: fc.constantFrom("accepted" as const, "changed" as const, "new" as const),
})
const anyKind = fc.constantFrom(
  "resource" as const,
  "prompt" as const,
  "sampling" as const,
  "elicitation" as const,
  "roots" as const,
)
const someTemplates = fc
  .subarray(builtInTemplates.map(({ name }) => name))
  .map((used) => used.map((name) => useOf(name).slice(1, -1)))

describe("properties of templates", () => {
  const using = (name: string, others: readonly string[]) =>
    policyUsing(`[${[...new Set([name, ...others])].join(", ")}]`, '  rules: [{ allow: "*(*)" }]\n')

  it("read-only lets nothing run that is not known to read, whatever else is allowed, in any mode", () => {
    fc.assert(
      fc.property(anyAsked, someTemplates, (asked, others) => {
        const policy = using("read-only", others)
        const reads = policy.classify.some(({ access, target }) => access === "read" && target.name === asked.name)
        return reads || effectBy(policy, asked) !== "allow"
      }),
      { numRuns: 300 },
    )
  })

  it("read-only never lets a call run in which something looks sensitive", () => {
    fc.assert(
      fc.property(anyAsked, someTemplates, (asked, others) => {
        const args = { ...asked.args, path: "config/.env" }
        return effectBy(using("read-only", others), { ...asked, args }) !== "allow"
      }),
      { numRuns: 300 },
    )
  })

  it("locked-down allows nothing by itself, of any kind and in any mode", () => {
    fc.assert(
      fc.property(anyAsked, fc.option(anyKind), (asked, kind) => {
        const effect = effectBy(policyUsing("[locked-down]"), kind === null ? asked : { ...asked, kind })
        return effect === "deny" || effect === "hide" || asked.pin !== "accepted"
      }),
      { numRuns: 300 },
    )
    const own = policyUsing("[locked-down]", '  rules: [{ allow: "files(read_x)" }]\n')
    expect([effectBy(own, { name: "read_x" }), effectBy(own, { name: "get_y" })]).toEqual(["allow", "deny"])
  })

  it("unattended-ci never waits, whatever other templates and rules ask", () => {
    fc.assert(
      fc.property(anyAsked, fc.option(anyKind), someTemplates, (asked, kind, others) => {
        const policy = policyUsing(
          `[${[...new Set(["unattended-ci", ...others])].join(", ")}]`,
          '  rules: [{ ask: "files", approvals: 2 }]\n',
        )
        return effectBy(policy, kind === null ? asked : { ...asked, kind }) !== "ask"
      }),
      { numRuns: 300 },
    )
  })
})

/** The released templates; see the first test. */
const released = {
  "read-only@1": "3b9eb6d26c5cf316",
  "ask-for-writes@1": "03e4724beed586a5",
  "locked-down@1": "30ec6c91c51f25d9",
  "unattended-ci@1": "69630e86586e53f2",
  "filesystem@1": "3c3572c99fa53ce6",
  "memory@1": "df06e33a3a0e1484",
  "git@1": "ac8f0a00f9b6e3b6",
  "github@1": "7718e7fa66574907",
  "fetch@1": "fcb3ed92a654ce8e",
  "database@1": "5ed514f7cba1e92f",
  "slack@1": "798d108c749d8277",
  "linear@1": "0f0fbae13ec412cc",
  "notion@1": "b63c04e8c175d872",
}

describe("the guide", () => {
  it("has a line for every template, in the words that the program prints", () => {
    const guide = readFileSync(new URL("../../../../docs/guides/templates.md", import.meta.url), "utf8")
    for (const template of builtInTemplates) expect(guide).toContain(`| \`${template.name}\` | ${template.summary} |`)
  })
})
