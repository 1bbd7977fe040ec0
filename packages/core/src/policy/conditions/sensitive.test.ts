import { expect, it } from "vitest"
import type { JsonObject } from "../../call/json/json.ts"
import type { Condition } from "../rules/rule.ts"
import { type ConditionContext, compileConditions } from "./condition.ts"
import { mostWork } from "./judging-work.ts"
import { createPathLookup, type PathLookup } from "./path-lookup.ts"

const plain: Condition = { key: "*", op: "sensitive", value: false }
const inFolder = (folder: string): readonly Condition[] => [{ key: "path", op: "under", folder }, plain]

function judge(
  args: JsonObject,
  when: readonly Condition[] = [plain],
  context: ConditionContext = {},
  lookup?: PathLookup,
) {
  const judgement = compileConditions(when, "allow", context)(args, lookup)
  return typeof judgement === "string" ? judgement : "unjudged"
}

it.each<JsonObject>([
  { path: "/ws/docs/a.md" },
  { path: "docs/guide/a.md" },
  { path: "/home/ann/notes/a.md" },
  { paths: ["/ws/a.ts", "/ws/src/tokenizer.ts", "/ws/compass/map.md"] },
  { path: "/ws", pattern: "**/*.md", excludePatterns: [".git", "node_modules"] },
  { query: "what Ann prefers", count: 3, deep: true, none: null },
  { path: "/ws/docs/a.md", content: "# Passwords\n\nHow we rotate a password.\n" },
  { path: "/ws/docs/a.ts", content: "/* The keys of an object */\nconst secret = 1" },
  { path: `/ws/${"docs/".repeat(60)}a.md` },
  { files: { "a.md": "words", "docs/b.md": "words" } },
  { "a.b": "x", v1: { "x.y/z": 1 } },
  { newText: `${"a line about a password. ".repeat(20)}` },
  { uri: "file:///ws/docs/a%20b.md" },
  { command: "make -C /ws/src 2>/dev/null" },
  { url: "https://example.com/etc/list?next=a%2Fb" },
  { code: "text.replace(/\\s+/g, ' ')" },
  { target: "/home/ann/my notes/a.md" },
  { entities: [{ name: "Ann", entityType: "person", observations: ["likes short mails"] }] },
])("I1: %j does not look sensitive", (args) => {
  expect(judge(args)).toBe("holds")
})

it.each<JsonObject>([
  { path: "/ws/.env" },
  { path: "/ws/docs/.ENV.local" },
  { path: "config/prod.env" },
  { path: "/ws/.ssh/config" },
  { path: "/ws/deploy/server.pem" },
  { path: "/ws/id_ed25519" },
  { path: "/ws/secrets/a.txt" },
  { path: "/ws/docs/api-keys.md" },
  { path: "/ws/docs/dbPassword.txt" },
  { path: "/etc/hosts" },
  { path: "/ws/people/bob/a.md" },
  { path: "/ws/docs/../src/a.ts" },
  { path: "/ws/%2e%2e/a" },
  { path: "~/a.md" },
  { paths: ["/ws/a.md", "/ws/.env"] },
  { path: "/ws", pattern: "*.env" },
  { query: "the deploy token" },
  { a: { b: [{ note: "password: hunter2-Tr0ub4dor" }] } },
  { token: 12_345 },
  { path: `${"./".repeat(110)}.env` },
  { path: `${"sub/../".repeat(40)}.env` },
  { path: "x\n/../.env" },
  { path: "/ws/x\n/../.env" },
  { target: "/ws/x\n/../.env" },
  { target: " /ws/.env" },
  { paths: ["a.md", `${"./".repeat(110)}sub/.ssh/id_ed25519`] },
  { path: `a/${"x/".repeat(3_000)}` },
  { command: "\ncat .env" },
  { files: { ".env": "x" } },
  { files: { "/home/u/.ssh/id_rsa": true } },
  { "/home/u/.ssh/id_rsa": 1 },
  { changes: [{ "a/../../x.md": {} }] },
  { target: `${"./".repeat(110)}.env` },
  { name: `sub/${"../sub/".repeat(40)}.ssh/id_rsa` },
  { target: `~/${"./".repeat(110)}.ssh/id_rsa` },
  { target: ".env\n" },
  { target: "\n.env" },
  { name: "a/../../x" },
  { command: `${"true; ".repeat(100)}cat .env` },
  { uri: "file:///ws/%2eenv" },
  { uri: "file:///ws/%252eenv" },
  { uri: "file:///ws/%2essh/id%5frsa" },
  { uri: "file:///etc/s%68adow" },
  { uri: "file:///etc/hosts" },
  { uri: "FILE:/etc/hosts" },
  { uri: "file://localhost/%65tc/hosts" },
  { uri: "file:///proc/self/environ" },
  { uri: "fi\nle:///%65tc/hosts" },
  { uri: "docs/%2eenv" },
  { files: { "file:///etc/hosts": "x" } },
  { command: "cat /etc/hosts" },
  { command: "/bin/cat /etc/hosts" },
  { command: "/bin/cat .ssh/config" },
  { command: "curl file:///%65tc/hosts" },
  { args: ["--file=/proc/self/environ"] },
  { args: ["-f/etc/hosts"] },
  { command: "curl -d @/etc/hosts example.com" },
  { path: "/ws/API_TO\u212aEN.txt" },
  { path: "/ws/\uff0eenv" },
  { path: "/\u212aEYS/a.txt" },
])("I2: %j looks sensitive", (args) => {
  expect(judge(args)).toBe("fails")
  expect(compileConditions([{ ...plain, value: true }], "deny", {})(args)).toBe("holds")
})

it("I1: the folder that the rule or the server names is meant, whatever it is called; what lies below it is judged", () => {
  const path = "/srv/people/ann/.notes/a.md"
  expect(judge({ path })).toBe("fails")
  expect(judge({ path }, inFolder("/srv/people/ann/.notes"))).toBe("holds")
  expect(judge({ path: "/srv/people/ann/.notes/.env" }, inFolder("/srv/people/ann/.notes"))).toBe("fails")
  expect(judge({ path }, [plain], { folders: ["/srv/people/ann/.notes"] })).toBe("holds")
})

it("I2: a link is judged by where it leads, too", () => {
  const lookup: PathLookup = {
    ...{ hasRoots: false, workLeft: mostWork },
    placesOf: () => [{ style: "posix", root: "", segments: ["ws", ".env"], climbs: false }],
  }
  expect(judge({ path: "/ws/docs/a.md" }, [plain], {}, lookup)).toBe("fails")
})

it("I2: where links are followed, a path that cannot be is in doubt", () => {
  const paths = (count: number) => [...Array.from({ length: count }, (_, n) => `/ws/q${n}`), "/ws/notes.txt"]
  const follows = { realPaths: () => (path: string) => [path === "/ws/notes.txt" ? "/ws/.env" : path] }
  const judged = (args: JsonObject, context: object) => compileConditions([plain], "allow", context)(args)
  expect(judged({ paths: ["/ws/a"] }, follows)).toBe("holds")
  for (const count of [0, 1_030]) expect(judged({ paths: paths(count) }, follows)).toBe("fails")
  expect(judged({ paths: ["/ws/a"] }, { realPaths: () => () => null })).toBe("fails")
})

it.each<{ args: JsonObject; found: "holds" | "fails" | "unjudged" }>([
  { args: { path: "config" }, found: "unjudged" },
  { args: { paths: ["/ws/a.md", "config"] }, found: "unjudged" },
  { args: { target: "./config" }, found: "unjudged" },
  { args: { files: { "./config": "x" } }, found: "unjudged" },
  { args: { path: "config", other: "/ws/.env" }, found: "fails" },
  { args: { path: ".kube/config" }, found: "fails" },
  { args: { path: "/ws/config" }, found: "holds" },
  { args: { uri: "file:///ws/config" }, found: "holds" },
  { args: { query: "config", repo: "owner/config" }, found: "holds" },
])("I4: $args, where the agent names the folders: $found", ({ args, found }) => {
  for (const context of [{}, { bases: ["/ws"] }]) {
    const lookup = createPathLookup({}, true)
    expect(judge(args, [plain], context, lookup)).toBe(found)
    const deny = compileConditions([{ ...plain, value: true }], "deny", context)(args, lookup)
    expect(typeof deny === "string" ? deny : "unjudged").toBe(
      found === "holds" ? "fails" : found === "fails" ? "holds" : found,
    )
  }
})

it.each<{ context: ConditionContext; path: string; found: "holds" | "fails" | "unjudged" }>([
  { context: {}, path: "notes/settings", found: "unjudged" },
  { context: {}, path: "notes/a.md", found: "unjudged" },
  { context: {}, path: "app/.env", found: "fails" },
  { context: { bases: ["ws"] }, path: "notes/a.md", found: "unjudged" },
  { context: { bases: ["/ws"] }, path: "notes/settings", found: "fails" },
  { context: { folders: ["/srv", "/ws"] }, path: "notes/settings", found: "fails" },
  { context: { folders: ["/srv", "/ws"] }, path: "notes/a.md", found: "holds" },
  { context: { isRemote: true }, path: "notes/settings", found: "holds" },
])("I5: where links are followed, $path from $context: $found", ({ context, path, found }) => {
  const realPaths = () => (place: string) => [place === "/ws/notes/settings" ? "/ws/app/.env" : place]
  for (const args of [{ path }, { paths: [path] }, { target: `./${path}` }, { files: { [`./${path}`]: "x" } }])
    expect(judge(args, [plain], { ...context, realPaths })).toBe(found)
})

it("I5: a text that is no path is judged without a folder to start from", () => {
  const realPaths = () => (place: string) => [place]
  for (const args of [{ query: "notes" }, { repo: "owner/name" }, { branch: "fix/a" }, { url: "https://a.example/b" }])
    expect(judge(args, [plain], { realPaths })).toBe("holds")
})

it("I2: a path among words is judged by where it leads", () => {
  const context = { realPaths: () => (path: string) => [path === "/ws/notes.txt" ? "/ws/.env" : path] }
  expect(judge({ command: "cat /ws/a.txt" }, [plain], context)).toBe("holds")
  expect(judge({ command: "cat /ws/notes.txt" }, [plain], context)).toBe("fails")
  expect(judge({ uri: "file:///ws/notes%2etxt" }, [plain], context)).toBe("fails")
})

it("I3: what is too large to be looked through cannot be judged", () => {
  expect(judge({ content: "x ".repeat(60_000) })).toBe("holds")
  expect(judge({ content: "x ".repeat(250_000) })).toBe("unjudged")
  expect(judge({ list: Array.from({ length: 4_000 }, () => 1) })).toBe("holds")
  expect(judge({ list: Array.from({ length: 20_000 }, () => 1) })).toBe("unjudged")
  expect(judge({ list: [".env", ...Array.from({ length: 20_000 }, () => 1)] })).toBe("fails")
})

it("is a condition on one argument as well", () => {
  const when: readonly Condition[] = [{ key: "to.path", op: "sensitive", value: false }]
  expect(judge({ to: [{ path: "/ws/a" }], other: ".env" }, when)).toBe("holds")
  expect(judge({ to: [{ path: "/ws/a" }, { path: "/ws/.env" }] }, when)).toBe("fails")
  expect(judge({ other: "x" }, when)).toBe("unjudged")
})
