import { AdapterError } from "./adapter-error.ts"

/** The name policy knows a tool by. Undefined: it is not one of this server's, and is left alone. */
export type NameAtServer = (tool: string) => string | undefined

/** Where a program names the tools alone, they have the server's own names. */
export function nameAtServer(tools: readonly string[] | NameAtServer): NameAtServer {
  return typeof tools === "function" ? tools : (name) => (tools.includes(name) ? name : undefined)
}

/** Two tools with one name would be judged as one: `nameOf` has the names that policy knows the program's tools by. */
export function requireOneNameEach(nameOf: ReadonlyMap<string, string>): void {
  const keyOf = new Map<string, string>()
  for (const [key, name] of nameOf) {
    const other = keyOf.get(name)
    if (other !== undefined) {
      const advice = "Gate the tools of each server by themselves."
      throw new AdapterError("bad-options", `The tools ${other} and ${key} have the same name, ${name}. ${advice}`)
    }
    keyOf.set(name, key)
  }
}
