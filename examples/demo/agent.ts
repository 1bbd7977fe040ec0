import assert from "node:assert/strict"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

export type Play = {
  /** The service's address, such as `http://127.0.0.1:7337`. */
  readonly url: string
  readonly say: (line: string) => void
  /** Told when a call is about to wait for a person; whoever approves does it meanwhile. */
  readonly onWaiting: () => void
}

type Result = Awaited<ReturnType<Client["callTool"]>>

/** A small agent: it reads, writes, and tries two things it may not do. Each answer is explained as it comes. */
export async function playAgent({ url, say, onWaiting }: Play): Promise<void> {
  const agent = new Client({ name: "demo-agent", version: "1.0.0" })
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  const call = (name: string, args: Record<string, unknown>): Promise<Result> =>
    agent.callTool({ name, arguments: args }, { timeout: 600_000, resetTimeoutOnProgress: true })
  try {
    say("── The agent asks for its tools.")
    const { tools } = await agent.listTools()
    const names = tools.map(({ name }) => name)
    say(`It sees ${names.length} tools of two servers, such as files__read_text_file and files__write_file.`)
    assert(!names.includes("memory__delete_entities"))
    say("memory(delete_entities) is not among them: a rule hides it.\n")

    say("── A read: a rule allows it, so it runs at once.")
    const read = await call("files__read_text_file", { path: "welcome.txt" })
    assert(read.isError !== true, textOf(read))
    say(`Answer: ${textOf(read).trim()}\n`)

    say("── A denied call: the agent sees the tool, and is told why it may not use it.")
    const moved = await call("files__move_file", { source: "shopping.md", destination: "gone.md" })
    assert(moved.isError === true)
    say(`Answer: ${textOf(moved)}\n`)

    say("── A hidden tool, called all the same: refused, as if there were none.")
    say(`Answer: ${await refusalOf(() => call("memory__delete_entities", { entityNames: ["x"] }))}\n`)

    say("── A write: no rule speaks of it, so it waits for a person.")
    const args = { path: "notes.md", content: `Written by the demo agent.\n` }
    onWaiting()
    let written = await call("files__write_file", args)
    // Nobody answered within what this client is held for: the agent got a ticket, and repeats the call later.
    for (let tickets = 1; isTicket(written); tickets++) {
      say(
        tickets === 1
          ? `Still waiting. The agent was told: ${textOf(written)}`
          : "Still waiting; the agent asks again.",
      )
      written = await call("files__write_file", args)
    }
    say(`Answer: ${textOf(written).trim()}\n`)
  } finally {
    await agent.close()
  }
}

function textOf(result: Result): string {
  const content = "content" in result && Array.isArray(result.content) ? result.content : []
  return content.map((part) => ("text" in part ? String(part.text) : "")).join("\n")
}

function isTicket(result: Result): boolean {
  const meta = JSON.stringify(result._meta ?? {})
  return result.isError === true && /ticket|waiting/i.test(meta)
}

async function refusalOf(attempt: () => Promise<Result>): Promise<string> {
  try {
    const result = await attempt()
    assert(result.isError === true)
    return textOf(result)
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}
