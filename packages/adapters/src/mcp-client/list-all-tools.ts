import type { ToolDefinition } from "@byleave/core"
import { AdapterError } from "../call/adapter-error.ts"

/** A page of a server's tools. */
export type ToolPage = { readonly tools: ReadonlyArray<{ readonly name: string }>; readonly nextCursor?: unknown }

/** As the gateway reads lists. */
const most = { pages: 100, tools: 5_000, characters: 8 * 1024 * 1024 }

/** A server's whole list, whatever pages it makes of it: it is pinned and told as one. Throws where the list goes on beyond a limit. */
export async function listAllTools(
  listPage: (cursor: string | undefined) => Promise<ToolPage>,
): Promise<readonly ToolDefinition[]> {
  const tools: ToolDefinition[] = []
  const asked = new Set<string>()
  let cursor: string | undefined
  let characters = 0
  for (let page = 0; page < most.pages; page += 1) {
    const listed = await listPage(cursor)
    tools.push(...(listed.tools as unknown as readonly ToolDefinition[]))
    characters += JSON.stringify(listed.tools).length
    if (tools.length > most.tools || characters > most.characters) break
    if (typeof listed.nextCursor !== "string" || listed.nextCursor === "") return tools
    cursor = listed.nextCursor
    if (asked.has(cursor)) throw new AdapterError("failed", "The server's list of tools leads back to an earlier page.")
    asked.add(cursor)
  }
  const limits = `${most.pages} pages, ${most.tools} tools or ${most.characters / 1024 / 1024} MiB`
  throw new AdapterError("failed", `The server's list of tools is too long: more than ${limits}.`)
}
