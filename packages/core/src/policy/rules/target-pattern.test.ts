import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Effect, TargetKind, TargetPattern } from "./rule.ts"
import { compileTarget, formatTargetPattern, formatToolLiteral, parseTargetPattern } from "./target-pattern.ts"

const effects: readonly Effect[] = ["hide", "deny", "ask", "allow"]

function parsed(text: string): TargetPattern {
  const result = parseTargetPattern(text)
  if (!result.ok) throw new Error(result.problem)
  return result.pattern
}

function covers(
  text: string,
  server: string,
  name: string,
  kind: TargetKind = "tool",
  effect: Effect = "allow",
): boolean {
  return compileTarget(parsed(text))({ server, kind, name }, effect)
}

it("reads a name in all its spellings once, however many rules it is compared with", () => {
  let reads = 0
  const target = {
    server: "files",
    kind: "resource",
    get name(): string {
      reads += 1
      return "file:///a/%2e%2e/b"
    },
  } as const
  for (let at = 0; at < 100; at += 1) {
    for (const effect of effects) compileTarget(parsed(`files(resource:file:///secret${at}/*)`))(target, effect)
  }
  expect(reads).toBe(1)
})

describe("parseTargetPattern", () => {
  it.each([
    ["files(read_file)", { server: "files", kind: "tool", name: "read_file", whole: false }],
    ["files", { server: "files", kind: "tool", name: "*", whole: true }],
    ["files(*)", { server: "files", kind: "tool", name: "*", whole: false }],
    ["*(delete_*)", { server: "*", kind: "tool", name: "delete_*", whole: false }],
    ["@scope/files(read_file)", { server: "@scope/files", kind: "tool", name: "read_file", whole: false }],
    ["files(resource:file:///etc/*)", { server: "files", kind: "resource", name: "file:///etc/*", whole: false }],
    ["files(prompt:*)", { server: "files", kind: "prompt", name: "*", whole: false }],
    ["files(sampling)", { server: "files", kind: "sampling", name: "*", whole: false }],
    ["files(elicitation)", { server: "files", kind: "elicitation", name: "*", whole: false }],
    ["files(roots)", { server: "files", kind: "roots", name: "*", whole: false }],
    ["files([s]ampling)", { server: "files", kind: "tool", name: "[s]ampling", whole: false }],
    ["files(f(x))", { server: "files", kind: "tool", name: "f(x)", whole: false }],
    ["a[(]b(c)", { server: "a[(]b", kind: "tool", name: "c", whole: false }],
    ["a[(c)", { server: "a[", kind: "tool", name: "c", whole: false }],
  ])("R29, R30: reads %s", (text, pattern) => {
    expect(parseTargetPattern(text)).toEqual({ ok: true, pattern })
  })

  it.each([
    ["", "the server is missing"],
    ["(read)", "the server is missing"],
    ["files(", 'must end with ")"'],
    ["files(read", 'must end with ")"'],
    ["files(read) ", 'must end with ")"'],
    ["files)", 'a ")" stands before any "("'],
    ["files()", "files(*)"],
    ["files (read)", "[ ]"],
    ["files( read)", "[ ]"],
    ["files(resource:)", "files(resource:*)"],
    [`files(${"a*".repeat(501)})`, "it has 1002 characters, and a pattern may have 1000"],
    [`${"a*".repeat(501)}(read)`, "it has 1002 characters, and a pattern may have 1000"],
  ])("refuses %j and says what to write", (text, problem) => {
    expect(parseTargetPattern(text)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) })
  })
})

describe("formatTargetPattern", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "(", ")", "[", "]", "*", " ", "!", "resource:", "sampling", "/"), { maxLength: 8 })
    .map((pieces) => pieces.join(""))

  it("I1: gives a text that parses to the same pattern", () => {
    fc.assert(
      fc.property(text, (written) => {
        const first = parseTargetPattern(written)
        if (first.ok) expect(parseTargetPattern(formatTargetPattern(first.pattern))).toEqual(first)
      }),
      { numRuns: 1_000 },
    )
  })

  it("a name of any length can be written, since it is only compared", () => {
    const tool = { server: "files", tool: "a*".repeat(1_000) }
    const pattern = parsed(formatToolLiteral(tool))
    expect(compileTarget(pattern)({ server: "files", kind: "tool", name: tool.tool }, "allow")).toBe(true)
  })

  it("keeps a set with a space in it when the rest needs brackets", () => {
    expect(formatTargetPattern({ server: "a[ ](b", kind: "tool", name: "c", whole: false })).toBe("a[ ][(]b(c)")
  })

  it("I2: a literal matches its own tool and no other", () => {
    const name = text.filter((written) => written !== "")
    fc.assert(
      fc.property(name, name, name, name, (server, tool, otherServer, otherTool) => {
        const literal = formatToolLiteral({ server, tool })
        expect(covers(literal, server, tool)).toBe(true)
        expect(covers(literal, otherServer, otherTool)).toBe(server === otherServer && tool === otherTool)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    [{ server: "files", tool: "read_*" }, "files(read_[*])"],
    [{ server: "a(b)", tool: "c" }, "a[(]b[)](c)"],
    [{ server: "files", tool: "sampling" }, "files([s]ampling)"],
    [{ server: "@scope/files", tool: "read_file" }, "@scope/files(read_file)"],
  ])("writes the literal %j as %s", (tool, literal) => {
    expect(formatToolLiteral(tool)).toBe(literal)
  })
})

describe("compileTarget", () => {
  it("R29, R31, R33: a bare server and server(*) cover every tool of that server and of no other", () => {
    for (const pattern of ["files", "files(*)"]) {
      expect(covers(pattern, "files", "anything")).toBe(true)
      expect(covers(pattern, "files2", "anything")).toBe(false)
    }
  })

  it("a bare server covers what is not a tool only to hide or deny it", () => {
    for (const kind of ["resource", "prompt", "sampling", "elicitation", "roots"] as const) {
      expect(effects.filter((effect) => covers("files", "files", "x", kind, effect))).toEqual(["hide", "deny"])
      expect(effects.filter((effect) => covers("files(*)", "files", "x", kind, effect))).toEqual([])
    }
  })

  it.each([
    { pattern: "*(delete_*)", server: "any", name: "delete_all", kind: "tool", wanted: true },
    { pattern: "files(resource:file:*)", server: "files", name: "file:///a/b", kind: "resource", wanted: true },
    { pattern: "files(resource:file:*)", server: "files", name: "file:///a/b", kind: "tool", wanted: false },
    { pattern: "files(sampling)", server: "files", name: "", kind: "sampling", wanted: true },
    { pattern: "files(sampling)", server: "files", name: "sampling", kind: "tool", wanted: false },
    { pattern: "files([s]ampling)", server: "files", name: "sampling", kind: "tool", wanted: true },
  ] as const)("$pattern on $kind $name: $wanted", ({ pattern, server, name, kind, wanted }) => {
    expect(covers(pattern, server, name, kind)).toBe(wanted)
  })
})

describe("Byleave itself", () => {
  it.each([
    { text: "*", matches: false },
    { text: "*(*)", matches: false },
    { text: "by*(change_policy)", matches: false },
    { text: "byleave(change_policy)", matches: true },
    { text: "byleave", matches: true },
  ])("$text is about it: $matches", ({ text, matches }) => {
    const parsed = parseTargetPattern(text)
    if (!parsed.ok) throw new Error(parsed.problem)
    const target = { server: "byleave", kind: "tool", name: "change_policy" } as const
    expect(compileTarget(parsed.pattern)(target, "deny")).toBe(matches)
  })

  it.each([
    "file:///%65tc/passwd",
    "file://localhost/etc/passwd",
    "FILE:///etc/passwd",
    "file:///a/../etc/passwd",
    "file:///ETC/passwd",
    "file:///etc/passwd",
  ])("I4: a deny, ask or hide of file:///etc/* holds for %s", (uri) => {
    const held = effects.filter((effect) => covers("s(resource:file:///etc/*)", "s", uri, "resource", effect))
    expect(held.filter((effect) => effect !== "allow")).toEqual(["hide", "deny", "ask"])
  })

  it.each([
    "file:///home/ada/../../etc/passwd",
    "file:///home/ada/%2e%2e/%2e%2e/etc/passwd",
    "file:///home/ada/..\\..\\x",
  ])("I4: an allow of file:///home/ada/* does not hold for %s", (uri) => {
    expect(covers("s(resource:file:///home/ada/*)", "s", uri, "resource", "allow")).toBe(false)
  })

  it.each([
    ["https://bücher.example/*", "https://xn--bcher-kva.example/x"],
    ["https://*.bücher.example/*", "https://a.xn--bcher-kva.example/x"],
    ["https://bücher.example/*", "https://BÜCHER.example/x"],
    ["http://169.254.169.254/*", "http://2852039166/x"],
    ["http://169.254.169.254/*", "http://[::ffff:169.254.169.254]/x"],
    ["http://[::1]/*", "http://[::1]/x"],
    ["http://[::1]/*", "http://[0:0::0:1]:80/x"],
  ])("I4: a deny of %s holds for %s", (pattern, uri) => {
    expect(covers(`s(resource:${pattern})`, "s", uri, "resource", "deny")).toBe(true)
  })

  it("an IPv6 address in a pattern is no choice of letters", () => {
    expect(covers("s(resource:http://[::1]/*)", "s", "http://[::1]/x", "resource", "allow")).toBe(true)
    expect(covers("s(resource:http://[::1]/*)", "s", "http://1/x", "resource", "allow")).toBe(false)
  })

  it("I4: an allow holds for what is written plainly, also with a query", () => {
    expect(covers("s(resource:https://a.example/*)", "s", "https://a.example/x?y=../z", "resource", "allow")).toBe(true)
    expect(covers("s(resource:file:///home/ada/*)", "s", "file:///home/ada/a%20b.txt", "resource", "allow")).toBe(true)
  })

  it.each(["Danger", "danger ", "dan\u200Bger"])("I4: a deny of prompt:danger holds for %j", (name) => {
    expect(covers("s(prompt:danger)", "s", name, "prompt", "deny")).toBe(true)
    expect(covers("s(prompt:danger)", "s", name, "prompt", "allow")).toBe(false)
  })
})
