import { describe, expect, it } from "vitest"
import { growthOf } from "../../../../test/growth-of.ts"
import { argTree, type RiskView } from "../card/arguments/arg-tree.ts"
import { riskedLines, riskLine } from "./risk-places.ts"

const risk = (kind: RiskView["kind"], key = "content", sentence = ""): RiskView => ({ kind, key, sentence })

describe("riskLine", () => {
  it.each([
    { name: "hidden characters", about: risk("hidden-characters"), line: "b\u202Ec" },
    { name: "letters from right to left", about: risk("right-to-left"), line: "\u05d0 0600 / 0777 \u05d1" },
    { name: "a secret", about: risk("secret-like"), line: "key: sk-live-0123456789abcdefghijklmnop" },
    {
      name: "the host that the warning names, not the first address",
      about: risk("unknown-host", "content", '"content" leads to evil.example, not among the known hosts.'),
      line: "see https://user@Evil.example:8443/x",
    },
    { name: "signs of a shell", about: risk("shell-metacharacters"), line: "a | b" },
  ])("finds $name", ({ about, line }) => {
    expect(riskLine(about, `plain\t text\nhttps://known.example/\n${line}\nrest`)).toBe(line)
  })

  it("takes a moment for a line of a quarter of a million letters", () => {
    const about = risk("unknown-host", "content", '"content" leads to evil.example, not among the known hosts.')
    const line = `${"a".repeat(250_000)}//evil.example`
    expect(riskLine(about, `${line}\nhttps://evil.example/`)).toBe("https://evil.example/")
  })

  it("finds no line for what is about a whole value", () => {
    expect(riskLine(risk("large-value"), "a\nb")).toBeNull()
    expect(riskLine(risk("outside-workspace", "path"), "/etc/hosts")).toBeNull()
  })
})

describe("riskedLines", () => {
  it("leads each warning to the edit it is about", () => {
    const risks = [risk("sensitive-file", "path"), risk("hidden-characters", "edits.newText")]
    const args = {
      path: ".env",
      edits: [
        { oldText: "a", newText: "plain" },
        { oldText: "b", newText: "one\ntwo\u200B" },
      ],
    }
    const pointers = new Set(["/edits/0/newText", "/edits/1/newText"])
    expect([...riskedLines(argTree(args, risks), risks, pointers)]).toEqual([["two\u200B", [1]]])
  })

  it("leads nowhere where the text is not shown as a difference", () => {
    const risks = [risk("hidden-characters", "note")]
    expect(riskedLines(argTree({ note: "x\u200B" }, risks), risks, new Set(["/content"])).size).toBe(0)
  })

  it("takes time in proportion to the warnings about one line", () => {
    const lines = (text: string) => {
      const risks = Array.from(text, () => risk("shell-metacharacters"))
      const tree = [{ ...argTree({ content: "a | b" }, [])[0], risks }] as ReturnType<typeof argTree>
      return riskedLines(tree, risks, new Set(["/content"]))
    }
    expect(lines("123").get("a | b")).toEqual([0, 1, 2])
    expect(growthOf(lines, "x".repeat(20_000))).toBeLessThan(3)
  })
})
