import { readFileSync } from "node:fs"
import { compileGlob } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Config } from "../../config.ts"
import { loadConfig } from "../../load-config.ts"
import { splitCommand } from "./split-command.ts"
import { stripPrefix } from "./strip-prefix.ts"

const load = (text: string) =>
  loadConfig(text, {
    name: "servers.yaml",
    folder: "/etc/byleave",
    env: new Map([["TOKEN", "t0ken"]]),
    hasher: nodeHasher,
  })
const fixture = readFileSync(new URL("../../fixtures/per-server.yaml", import.meta.url), "utf8")

function loaded(text: string): Config {
  const result = load(text)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.config
}

/** The strictest effect whose rule matches; `ask` when none does. */
function effectOn(config: Config, tool: string): string {
  const matching = config.policy.rules
    .filter(({ target }) => compileGlob(target.name)(tool))
    .map(({ effect }) => effect)
  return ["hide", "deny", "ask", "allow"].find((effect) => matching.includes(effect as "hide")) ?? config.policy.default
}

describe("tool lists per server", () => {
  it("R23: the example loads unchanged", () => {
    const result = load(fixture)
    expect(result.warnings).toEqual([])
    expect(loaded(fixture).servers).toMatchObject([
      {
        id: "mcp-duplo",
        transport: { kind: "http", url: "https://mcp-duplo-ai-internal.test10-apps.duplocloud.net/mcp" },
      },
    ])
  })

  it.each([
    ["k8s_delete_pod", "hide"],
    ["admin_users", "hide"],
    ["k8s_list_pods", "allow"],
    ["jit_token", "allow"],
    ["create_service", "ask"],
    ["pod_config_update", "hide"],
  ])("R5, R17, R20-R22: %s is %s", (tool, effect) => {
    expect(effectOn(loaded(fixture), tool)).toBe(effect)
  })

  it("R26: an absent auto-approve list is reported and means ask; an empty one is not", () => {
    const absent = load("k8s:\n  url: https://x.example\n")
    expect(absent.warnings).toMatchObject([{ code: "auto-approve-absent", line: 1, column: 1 }])
    expect(absent).toMatchObject({ ok: true, config: { policy: { default: "ask", rules: [] } } })
    expect(load("k8s:\n  url: https://x.example\n  auto_approve_tools: []\n").warnings).toEqual([])
  })

  it.each([
    ["transport_type: http", "http"],
    ["transport_type: streamable-http", "http"],
    ["transport: sse", "sse"],
  ])("R27: %s is %s", (line, kind) => {
    expect(
      loaded(`k8s: { url: "https://x.example/", path: mcp, auto_approve_tools: [], ${line} }`).servers,
    ).toMatchObject([{ transport: { kind, url: "https://x.example/mcp" } }])
  })

  it("R27, R28: knows stdio and the other options", () => {
    const text = `k8s:
  command: npx -y 'k8s server' --verbose
  transport: stdio
  env: { KUBE_TOKEN: "\${TOKEN}" }
  timeout_seconds: 2.5
  refresh_connection: true
  include_tools: ["list_*"]
  exclude_tools: ["*_secret*"]
  auto_approve_tools: ["list_pods"]
  pre_hook: check_call
`
    const result = load(text)
    expect(loaded(text).servers).toMatchObject([
      {
        timeoutMs: 2500,
        refreshConnection: true,
        offer: ["list_*"],
        transport: { kind: "stdio", command: "npx", args: ["-y", "k8s server", "--verbose"] },
      },
    ])
    expect(result.warnings).toMatchObject([{ code: "not-supported", line: 10 }])
    expect(loaded(text).secrets).toEqual(["t0ken"])
  })

  it("R28: a prefix does not break patterns, written with it or without", () => {
    const lists = 'exclude_tools: ["k8s_delete_*", admin_*], auto_approve_tools: ["*_list*", "k8s_get_?od", show_pods]'
    const config = loaded(`k8s: { url: "https://x.example", tool_name_prefix: k8s, ${lists} }`)
    expect(
      ["delete_pod", "admin_users", "list_pods", "get_pod", "show_pods", "create_pod"].map((tool) =>
        effectOn(config, tool),
      ),
    ).toEqual(["hide", "hide", "allow", "allow", "allow", "ask"])
  })

  it.each([
    ["tool_blaklist: []", "unknown-key"],
    ["tool_blacklist: '*_delete*'", "wrong-type"],
    ["tool_blacklist: [1]", "wrong-type"],
    ["timeout_seconds: soon", "bad-value"],
    ["timeout_seconds: -1", "bad-value"],
    ["transport_type: stdio", "bad-value"],
    ["command: x", "missing-key"],
  ])("refuses %s: %s", (line, code) => {
    const result = load(`k8s:\n  url: https://x.example\n  ${line}\n`)
    expect(result).toMatchObject({ ok: false, problems: [{ code }] })
  })
})

it("R28: what is left of a pattern matches exactly what follows the prefix", () => {
  const glob = fc
    .array(fc.constantFrom("a", "b", "_", "*", "?", "[ab]", "[!a]", "["), { maxLength: 8 })
    .map((parts) => parts.join(""))
  const word = fc.string({ unit: fc.constantFrom("a", "b", "_", "["), maxLength: 6 })
  fc.assert(
    fc.property(glob, word, word, (pattern, prefix, name) => {
      const left = stripPrefix(pattern, prefix).some((rest) => compileGlob(rest)(name))
      return left === compileGlob(pattern)(prefix + name)
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ["npx -y server", ["npx", "-y", "server"]],
  [`a "b c" 'd "e"' f\\ g`, ["a", "b c", 'd "e"', "f g"]],
  ["", []],
  ["a 'b", undefined],
])("splits the command line %s", (line, words) => {
  expect(splitCommand(line)).toEqual(words)
})
