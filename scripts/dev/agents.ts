import { setTimeout as delay } from "node:timers/promises"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

type Wanted = { readonly tool: string; readonly args: Record<string, unknown> }

/** Calls of each kind that a card can show: a new file, a change, one that leaves the folder, several values, a long text. */
const agents: ReadonlyArray<{ readonly name: string; readonly calls: readonly Wanted[] }> = [
  {
    name: "claude-code",
    calls: [
      { tool: "files__write_file", args: { path: "notes.md", content: "# Notes\n\nWritten by an agent.\n" } },
      {
        tool: "files__edit_file",
        args: { path: "plan.md", edits: [{ oldText: "- build", newText: "- build\n- measure" }], dryRun: false },
      },
    ],
  },
  {
    name: "codex",
    calls: [
      { tool: "files__write_file", args: { path: "/etc/hosts", content: "127.0.0.1 example\n" } },
      { tool: "files__create_directory", args: { path: "reports/2026" } },
    ],
  },
  {
    name: "gemini-cli",
    calls: [
      {
        tool: "memory__create_entities",
        args: { entities: [{ name: "Plan", entityType: "document", observations: ["has two steps"] }] },
      },
      { tool: "files__write_file", args: { path: "long.txt", content: "A line of a long text.\n".repeat(400) } },
    ],
  },
]

/** Agents whose calls wait; each asks again when it was answered, and connects again when the service was started anew. */
export function keepAsking(url: string, say: (line: string) => void): { readonly stop: () => void } {
  const ended = new AbortController()
  for (const agent of agents) void live(url, agent, ended.signal).catch((trouble: unknown) => say(String(trouble)))
  return { stop: () => ended.abort() }
}

async function live(url: string, { name, calls }: (typeof agents)[number], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = new Client({ name, version: "1.0.0" })
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
      for (;;) {
        const options = { timeout: 3_600_000, resetTimeoutOnProgress: true, signal }
        const asked = calls.map(({ tool, args }) => client.callTool({ name: tool, arguments: args }, options))
        await Promise.all(asked)
        // Answered: a developer of the page soon has something to answer again.
        await delay(5_000, undefined, { signal })
      }
    } catch {
      // The service was started anew, or the program ends.
      await client.close().catch(() => undefined)
      await delay(1_000, undefined, { signal }).catch(() => undefined)
    }
  }
}
