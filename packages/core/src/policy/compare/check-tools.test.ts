import { describe, expect, it } from "vitest"
import { emptyPolicy, type Policy, type Rule } from "../rules/rule.ts"
import { parseTargetPattern } from "../rules/target-pattern.ts"
import { type CatalogueTool, type CheckToolsInput, checkTools } from "./check-tools.ts"

const rule = (text: string, more: object = {}): Rule => {
  const [effect, target = ""] = text.split(" ")
  const parsed = parseTargetPattern(target)
  if (!parsed.ok) throw new Error(parsed.problem)
  return { id: text, effect, target: parsed.pattern, origin: { where: "byleave.yaml", line: 1 }, ...more } as Rule
}
const secrets = rule("ask *(*)", { when: [{ key: "*", op: "sensitive", value: true }] })
const policy = (...rules: readonly Rule[]): Policy => ({ ...emptyPolicy, rules })
const tool = (name: string, argument = "path"): CatalogueTool => ({
  tool: { server: "files", tool: name },
  definition: { name, inputSchema: { type: "object", properties: { [argument]: { type: "string" } } } },
})
const tools = [tool("read_file"), tool("list_files"), tool("write_file"), tool("get_env", "none")]
const calls = (...names: readonly string[]) =>
  names.flatMap((name) => Array.from({ length: 20 }, () => ({ server: "files", tool: name })))
const codes = (input: Omit<CheckToolsInput, "tools" | "use"> & Partial<CheckToolsInput>) =>
  checkTools({ tools, use: null, ...input }).map(({ code, sentence }) => `${code}: ${sentence}`)

describe("checkTools", () => {
  it("names the tools that no rule decides on, and not those that only a rule about secrets is about", () => {
    const [first] = codes({ policy: policy(rule("allow files(read_*)"), rule("deny files(write_*)"), secrets) })
    expect(first).toMatch(/undecided-tools: No rule decides on list_files, get_env of files, .*: ask\./)
    expect(codes({ policy: policy(rule("ask files")) })).toEqual([])
  })

  it("I1: names reads that run for a file of secrets, and none once such calls ask", () => {
    const allowed = codes({ policy: policy(rule("allow files")) })
    expect(allowed.filter((line) => line.startsWith("may-leak"))).toEqual([
      expect.stringContaining("files(read_file) runs without approval for a file such as .env"),
      expect.stringContaining("files(list_files)"),
      expect.stringContaining("files(get_env) runs without approval, and its name"),
    ])
    expect(codes({ policy: policy(rule("allow files(read_file)"), secrets) }).join()).not.toContain("may-leak")
  })

  it("names rules that allow more than was called, once enough was called", () => {
    const input = { policy: policy(rule("allow files(*)"), secrets) }
    const wider = (use: CheckToolsInput["use"]) =>
      codes({ ...input, use }).filter((line) => /use/.test(line.split(":")[0] ?? ""))
    expect(wider({ days: 30, calls: calls("read_file") })).toEqual([
      expect.stringMatching(/wider-than-use: .* allows 4 tools; in 30 days only 1 was called: read_file\./),
    ])
    expect(wider({ days: 30, calls: calls("gone") })).toEqual([expect.stringContaining("never-used")])
    expect(wider({ days: 30, calls: calls("read_file").slice(1) })).toEqual([])
    expect(wider({ days: 30, calls: calls("read_file", "list_files", "write_file", "get_env") })).toEqual([])
  })
})
