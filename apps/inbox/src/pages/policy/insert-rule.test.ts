import { describe, expect, it } from "vitest"
import { insertRule } from "./insert-rule.ts"

const rule = 'allow: "files(read_file)"'

function textAfter(text: string, put = rule): string {
  const inserted = insertRule(text, put)
  if (!inserted.ok) throw new Error(inserted.why)
  return inserted.text
}

describe("putting a rule into the text", () => {
  it.each([
    {
      name: "after the last rule, before what follows, leaving comments where they are",
      text: 'version: 1\npolicy:\n  rules:\n    - deny: "a(b)" # why\n      reason: No.\n\n    # later\nwait: 8h\n',
      becomes: `version: 1\npolicy:\n  rules:\n    - deny: "a(b)" # why\n      reason: No.\n    - ${rule}\n\n    # later\nwait: 8h\n`,
    },
    {
      name: "into a list that stands right below its key",
      text: "policy:\n  rules:\n  - ask: files\n  classify: []\n",
      becomes: `policy:\n  rules:\n  - ask: files\n  - ${rule}\n  classify: []\n`,
    },
    {
      name: "in place of an empty list",
      text: "policy:\n  default: deny\n  rules: [] # none yet\n",
      becomes: `policy:\n  default: deny\n  rules: # none yet\n    - ${rule}\n`,
    },
    {
      name: "below a key without a list",
      text: "policy:\n  rules:\n  default: ask\n",
      becomes: `policy:\n  rules:\n    - ${rule}\n  default: ask\n`,
    },
    {
      name: "into a policy without rules, with its own indent",
      text: "policy:\n    default: ask\nwait: 1h\n",
      becomes: `policy:\n    rules:\n      - ${rule}\n    default: ask\nwait: 1h\n`,
    },
    {
      name: "into an empty policy",
      text: "policy: {}\nwait: 1h\n",
      becomes: `policy:\n  rules:\n    - ${rule}\nwait: 1h\n`,
    },
    {
      name: "at the end of a text without a policy",
      text: "version: 1\nservers: {}\n",
      becomes: `version: 1\nservers: {}\npolicy:\n  rules:\n    - ${rule}\n`,
    },
    {
      name: "at the end of a text whose last line does not end",
      text: "policy:\n  rules:\n    - ask: files",
      becomes: `policy:\n  rules:\n    - ask: files\n    - ${rule}\n`,
    },
    {
      name: "among the policy's rules, not another key's",
      text: "limits:\n  rules:\n    - x\npolicy:\n  rules:\n    - ask: files\n",
      becomes: `limits:\n  rules:\n    - x\npolicy:\n  rules:\n    - ask: files\n    - ${rule}\n`,
    },
  ])("$name", ({ text, becomes }) => {
    expect(textAfter(text)).toBe(becomes)
  })

  it("indents a rule of several lines as one item, and says which lines are new", () => {
    const text = "policy:\n  rules:\n    - ask: files\n"
    const put = 'allow: "files(write_file)"\nwhen:\n  path: { under: ./a }'
    const inserted = insertRule(text, put)
    expect(inserted).toMatchObject({ ok: true, from: 4, to: 6 })
    expect(textAfter(text, put)).toBe(
      `${text}    - allow: "files(write_file)"\n      when:\n        path: { under: ./a }\n`,
    )
    expect(textAfter(text, `- ${put.replaceAll("\n", "\n  ")}`)).toBe(textAfter(text, put))
  })

  it.each([
    { name: "JSON", text: '{ "mcpServers": {} }' },
    { name: "a policy on one line", text: "policy: { rules: [{ ask: files }] }\n" },
    { name: "a list on one line", text: "policy:\n  rules: [{ ask: files }]\n" },
  ])("leaves $name alone and says so", ({ text }) => {
    expect(insertRule(text, rule).ok).toBe(false)
  })
})
