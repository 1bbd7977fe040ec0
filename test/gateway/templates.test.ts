import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { describe, expect, it } from "vitest"
import { effectBy, policyUsing } from "../../packages/formats/src/templates/fixtures/template-decisions.ts"

const official = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url))

async function toolsOf(name: string, ...args: readonly string[]) {
  const client = new Client({ name: "test", version: "1" })
  const command = { command: process.execPath, args: [official(name), ...args], stderr: "ignore" as const }
  await client.connect(new StdioClientTransport(command))
  const { tools } = await client.listTools()
  await client.close()
  return tools
}

describe("templates before the tools that official servers list", () => {
  it.each([
    { template: "filesystem", args: [tmpdir()] },
    { template: "memory", args: [] },
  ])("$template allows the reads of its server and no other tool (R35)", async ({ template, args }) => {
    const tools = await toolsOf(template, ...args)
    expect(tools.length).toBeGreaterThan(5)
    const policy = policyUsing(`[{ ${template}: files }]`)
    const readOnly = policyUsing(`[read-only, { ${template}: files }]`)
    for (const { name, annotations } of tools) {
      const reads = annotations?.readOnlyHint === true
      expect([name, effectBy(policy, { name })]).toEqual([name, reads ? "allow" : "ask"])
      expect([name, effectBy(readOnly, { name })]).toEqual([name, reads ? "allow" : "deny"])
    }
  })

  it.each(["everything", "sequential-thinking"])(
    "read-only lets no tool of %s run, of which nobody has said that it reads",
    async (name) => {
      const tools = await toolsOf(name)
      expect(tools.length).toBeGreaterThan(0)
      const [readOnly, asking] = [policyUsing("[read-only]"), policyUsing("[ask-for-writes]")]
      const lockedDown = policyUsing("[locked-down]")
      for (const tool of tools) {
        expect(effectBy(readOnly, { name: tool.name })).toBe("deny")
        expect(effectBy(asking, { name: tool.name })).toBe("ask")
        expect(effectBy(lockedDown, { name: tool.name })).toBe("deny")
      }
    },
  )
})
