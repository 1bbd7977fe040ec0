/** A notebook inside the extension, so that somebody without a server can see how calls wait: a few tools, and notes kept in this browser. */
import type { JsonObject, ToolDefinition } from "@byleave/core"
import type { ListedServer, ToolCallData } from "../wire/messages.ts"
import { CallRefused } from "./carry-out.ts"

export const notebookId = "notebook"

const prefix = "note:"
const longest = 100_000

const nameSchema = { type: "string", description: "The name of the note, such as notes.md" }

const tools: readonly ToolDefinition[] = [
  tool("list_notes", "Lists the notes by name.", {}, true),
  tool("read_note", "Reads a note.", { name: nameSchema }, true),
  tool("write_note", "Writes a note, replacing the one of that name.", {
    name: nameSchema,
    text: { type: "string", description: "The whole text of the note" },
  }),
  tool("delete_note", "Deletes a note.", { name: nameSchema }),
]

export const notebook: ListedServer = {
  tools,
  instructions: null,
  title: "Notebook in this browser",
  icon: null,
  address: null,
}

function tool(name: string, description: string, properties: JsonObject, isRead = false): ToolDefinition {
  const required = Object.keys(properties)
  return {
    name,
    description,
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    annotations: { readOnlyHint: isRead },
  }
}

export async function callNotebook(name: string, args: JsonObject): Promise<ToolCallData> {
  switch (name) {
    case "list_notes":
      return said((await names()).join("\n") || "There are no notes yet.")
    case "read_note":
      return said(await noteNamed(textOf(args, "name")))
    case "write_note":
      return said(await write(textOf(args, "name"), textOf(args, "text")))
    case "delete_note": {
      const note = textOf(args, "name")
      await noteNamed(note)
      await chrome.storage.local.remove(prefix + note)
      return said(`Deleted ${note}.`)
    }
    default:
      throw new CallRefused(`The notebook has no tool called ${name}.`)
  }
}

async function names(): Promise<readonly string[]> {
  const all = Object.keys(await chrome.storage.local.get(null))
  return all
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .sort()
}

async function noteNamed(name: string): Promise<string> {
  const { [prefix + name]: text } = await chrome.storage.local.get(prefix + name)
  if (typeof text !== "string") throw new CallRefused(`There is no note called ${name}.`)
  return text
}

async function write(name: string, text: string): Promise<string> {
  if (name === "" || text.length > longest)
    throw new CallRefused("A note needs a name, and at most 100,000 characters.")
  await chrome.storage.local.set({ [prefix + name]: text })
  return `Wrote ${text.length} characters to ${name}.`
}

function textOf(args: JsonObject, name: string): string {
  const value = new Map(Object.entries(args)).get(name)
  if (typeof value !== "string") throw new CallRefused(`The argument ${name} must be text.`)
  return value
}

function said(text: string): ToolCallData {
  return { content: [{ type: "text", text }] }
}
