import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ask, rule } from "../fixtures/questions.ts"
import { anyGrants, anyPolicy, anyQuestion } from "../fixtures/random-policy.ts"
import { type AutonomyKind, allModes, autonomousMode, autonomyKinds, autonomyOf } from "../rules/autonomy.ts"
import type { Remembered } from "../rules/remembered.ts"
import { emptyPolicy, type Policy, type Rule } from "../rules/rule.ts"
import { compilePolicy } from "./compile-policy.ts"
import { decide } from "./decide.ts"
import { indexGrants } from "./index-grants.ts"

const tool = "files(write_file)"
const home = { key: "path", op: "under", folder: "/home/ann" } as const
const site = { key: "url", op: "host", patterns: ["good.example"] } as const
const effectOf = (
  rules: readonly Rule[],
  kinds: readonly AutonomyKind[],
  args: object,
  grants: readonly Remembered[] = [],
) => {
  const policy: Policy = { ...emptyPolicy, rules }
  const question = ask({ mode: autonomousMode(kinds), args: args as never })
  return decide(compilePolicy(policy), indexGrants(grants), question).effect
}

describe("a session that is autonomous in part (R66)", () => {
  const inHome = [rule("allow", tool, { when: [home] })]
  const both = [rule("allow", tool, { when: [home, site] })]
  it.each([
    {
      name: "tools: one that nobody allowed runs",
      rules: [],
      kinds: ["tools"],
      args: { title: "x", body: "/api/x and https://bad.example", count: 3, tags: ["a", "b"] },
      effect: "allow",
    },
    ...[
      { path: "/etc/x" },
      { path: "x" },
      { path: "x\n" },
      { target: "/etc/x" },
      { deep: [{ target: "../x" }] },
      { url: "bad.example" },
      { target: "https://bad.example" },
      { files: { "/etc/x": "words" } },
      { changes: [{ "a/b": {} }] },
      { target: "a/../../etc/x" },
      { location: "$HOME/x" },
      { a: '"/etc/x"' },
      { a: "\u0000/etc/x" },
      { a: "\u200b/etc/x" },
      { data: "/etc/x" },
      { notes: ["/etc/x"] },
      { template: "https://bad.example" },
      { host: "bad.example", port: 80 },
      { a: "https:bad.example" },
      { a: "https:\\\\bad.example" },
      { command: "cat shadow" },
      { a: "file:///etc/x" },
      { a: "C:x" },
      { document: ".env" },
      { target: { a: "id_rsa" } },
      { site: "bad.example:8080" },
      { name: "169.254.169.254" },
      { template: "{% include '/etc/x' %}" },
      { body: "as in /etc/x" },
    ].map((args) => ({
      name: `tools: I1, a path or an address that no allow names asks: ${JSON.stringify(args)}`,
      rules: [rule("allow", tool, { when: [{ key: "mode", op: "equals", value: "x" }] })],
      kinds: ["tools"] as const,
      args,
      effect: "ask",
    })),
    ...[
      { copy_to: "/etc/x" },
      { options: { path: "/etc/x" } },
      { files: ["/etc/x"] },
      { target: "https://bad.example" },
      { callback_url: "https://good.example/x" },
    ].map((more) => ({
      name: `tools: I1, so does a place beside those that an allow names: ${JSON.stringify(more)}`,
      rules: [rule("allow", tool, { when: [home, site, { key: "mode", op: "equals", value: "x" }] })],
      kinds: ["tools"] as const,
      args: { path: "/home/ann/x", url: "https://good.example/a", ...more },
      effect: "ask",
    })),
    {
      name: "tools: places that two allows name run",
      rules: [
        rule("allow", tool, { when: [home, { key: "mode", op: "equals", value: "x" }] }),
        rule("allow", tool, { when: [site, { key: "mode", op: "equals", value: "x" }] }),
      ],
      kinds: ["tools"],
      args: { path: "/home/ann/x", url: "https://good.example/a" },
      effect: "allow",
    },
    {
      name: "tools and paths: paths that no allow names run",
      rules: [],
      kinds: ["tools", "paths"],
      args: { path: "/etc/x" },
      effect: "allow",
    },
    ...[
      { target: "evil.example.com/x?d=secret", effect: "ask" },
      { target: "127.0.0.1:7337/api", effect: "ask" },
      { target: "user:pw@evil.com", effect: "ask" },
      { target: "0251.0376.0251.0376", effect: "ask" },
      { target: "src/index.ts", effect: "allow" },
      { target: "/srv/notes.old/x", effect: "allow" },
    ].map(({ target, effect }) => ({
      name: `tools and paths: an address asks, a path runs: ${target}`,
      rules: [],
      kinds: ["tools", "paths"] as const,
      args: { target },
      effect,
    })),
    {
      name: "paths: one that nobody allowed asks",
      rules: [],
      kinds: ["paths"],
      args: { path: "/etc/x" },
      effect: "ask",
    },
    {
      name: "tools: I1, an allow's folder still limits",
      rules: inHome,
      kinds: ["tools"],
      args: { path: "/etc/x" },
      effect: "ask",
    },
    ...(
      [
        { key: "path", op: "directlyIn", folders: ["/home/ann"] },
        { key: "path", op: "equals", value: "/home/ann/x" },
        { key: "path", op: "oneOf", values: ["/home/ann/x", "/home/ann/y"] },
        { key: "path", op: "glob", pattern: "/home/ann/*" },
      ] as const
    ).map((where) => ({
      name: `tools: I1, so does what an allow says of a path with ${where.op}`,
      rules: [rule("allow", tool, { when: [where] })],
      kinds: ["tools"] as const,
      args: { path: "/etc/x" },
      effect: "ask",
    })),
    {
      name: "tools: I1, an address limits",
      rules: [rule("allow", tool, { when: [{ key: "url", op: "equals", value: "https://good.example/a" }] })],
      kinds: ["tools"],
      args: { url: "https://bad.example/a" },
      effect: "ask",
    },
    {
      name: "paths: I2, a folder without those below it limits no more",
      rules: [rule("allow", tool, { when: [{ key: "path", op: "directlyIn", folders: ["/home/ann"] }] })],
      kinds: ["paths"],
      args: { path: "/etc/x" },
      effect: "allow",
    },
    {
      name: "paths: a single file stays that file",
      rules: [rule("allow", tool, { when: [{ key: "path", op: "equals", value: "/home/ann/x" }] })],
      kinds: ["paths"],
      args: { path: "/etc/x" },
      effect: "ask",
    },
    {
      name: "paths: I2, an allow's folder limits no more",
      rules: inHome,
      kinds: ["paths"],
      args: { path: "/etc/x" },
      effect: "allow",
    },
    {
      name: "urls: a folder limits as before",
      rules: inHome,
      kinds: ["urls"],
      args: { path: "/etc/x" },
      effect: "ask",
    },
    {
      name: "paths: the host of the same allow still limits",
      rules: both,
      kinds: ["paths"],
      args: { path: "/etc/x", url: "https://bad.example" },
      effect: "ask",
    },
    {
      name: "paths: a host that is allowed is no obstacle",
      rules: both,
      kinds: ["paths"],
      args: { path: "/etc/x", url: "https://good.example" },
      effect: "allow",
    },
    {
      name: "urls: I2, an allow's host limits no more",
      rules: both,
      kinds: ["urls"],
      args: { path: "/home/ann/x", url: "https://bad.example" },
      effect: "allow",
    },
    {
      name: "tools and URLs: the folder still limits",
      rules: both,
      kinds: ["tools", "urls"],
      args: { path: "/etc/x", url: "https://bad.example" },
      effect: "ask",
    },
    {
      name: "tools: a call that names no path is in no other folder",
      rules: inHome,
      kinds: ["tools"],
      args: {},
      effect: "allow",
    },
    {
      name: "paths: an explicit ask still asks",
      rules: [...inHome, rule("ask", tool)],
      kinds: ["paths"],
      args: { path: "/etc/x" },
      effect: "ask",
    },
    {
      name: "all: a deny still denies",
      rules: [rule("deny", tool)],
      kinds: autonomyKinds,
      args: { path: "/x" },
      effect: "deny",
    },
  ] as const)("$name", ({ rules, kinds, args, effect }) => {
    expect(effectOf(rules, kinds, args)).toBe(effect)
  })

  it("counts folders of saved permissions as it counts those of rules", () => {
    const grant: Remembered = {
      id: "g",
      effect: "allow",
      breadth: { kind: "tool", server: "files", tool: "write_file", when: [home] },
    }
    expect(effectOf([], ["tools"], { path: "/etc/x" }, [grant])).toBe("ask")
    expect(effectOf([], ["paths"], { path: "/etc/x" }, [grant])).toBe("allow")
  })

  it("is not where policy forbids to be autonomous", () => {
    const policy: Policy = { ...emptyPolicy, forbiddenModes: ["autonomous"] }
    const question = ask({ mode: "autonomous-tools" })
    expect(decide(compilePolicy(policy), indexGrants([]), question).effect).toBe("ask")
  })

  it("I3: runs no less with more kinds, everything with all of them, and never what hides, denies or asks by a rule", () => {
    const subsets = allModes.filter((mode) => mode === "ask" || autonomyOf(mode).length > 0)
    fc.assert(
      fc.property(anyPolicy, anyGrants, anyQuestion, (policy, grants, question) => {
        const compiled = compilePolicy(policy)
        const index = indexGrants(grants)
        const decisions = subsets.map((mode) => {
          const decision = decide(compiled, index, { ...question, state: { ...question.state, mode } })
          return { kinds: autonomyOf(mode), decision }
        })
        const asks = decisions.find(({ kinds }) => kinds.length === 0)?.decision
        for (const one of decisions) {
          if (one.decision.effect !== asks?.effect) {
            expect([asks?.effect, asks?.because.kind, one.decision.effect]).toEqual(["ask", "default", "allow"])
          }
          for (const other of decisions) {
            const isMore = one.kinds.every((kind) => other.kinds.includes(kind))
            if (isMore && one.decision.effect === "allow") expect(other.decision.effect).toBe("allow")
          }
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it("has a mode for each choice of kinds, and no other", () => {
    for (const mode of allModes.filter((each) => autonomyOf(each).length > 0))
      expect(autonomousMode(autonomyOf(mode))).toBe(mode)
    expect(autonomousMode([])).toBe("ask")
    expect(autonomousMode(["urls", "tools"])).toBe("autonomous-tools-urls")
  })
})
