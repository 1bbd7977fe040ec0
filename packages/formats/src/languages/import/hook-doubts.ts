import type { MapNode, YamlNode } from "../../text/tree.ts"
import { everyTool, type Reach } from "./doubts.ts"
import type { Findings } from "./found-rules.ts"
import { entryOf } from "./source-tree.ts"

export type HookProgram = {
  readonly name: string
  /** The tools that a matcher means; none where it is about tools of the program itself. */
  readonly meantBy: (matcher: string) => readonly Reach[]
}

/** `PreToolUse`, `BeforeTool` and their like: events before a call. */
const beforeCalls = /^(?:pre|before)_?(?:tool|mcp)/i

/** Hooks may refuse calls that rules allow: every tool that one of them looks at is in doubt. `{ EVENT: [{ matcher, hooks }] }`. */
export function doubtHooks(hooks: MapNode | undefined, program: HookProgram, findings: Findings): void {
  for (const { key, value } of hooks?.entries ?? []) {
    const written = `hooks.${key}`
    for (const item of value.kind === "list" ? value.items : [value]) {
      const reaches = beforeCalls.test(key) ? reachOf(item, program) : []
      const why = `a hook of ${program.name} may refuse calls, and Byleave does not run it`
      for (const reach of reaches) findings.doubt({ ...reach, at: item, written, why })
      if (reaches.length > 0) continue
      findings.lose("dropped", item, written, "it does not decide about calls of tools of servers", "nothing")
    }
  }
}

function reachOf(item: YamlNode, { meantBy }: HookProgram): readonly Reach[] {
  const matcher = item.kind === "map" ? entryOf(item, "matcher")?.value : undefined
  if (matcher?.kind !== "scalar" || typeof matcher.value !== "string") return [everyTool]
  return matcher.value === "" || matcher.value === "*" ? [everyTool] : meantBy(matcher.value)
}

/** A matcher that is a regular expression: only one that is tied to names of the program's own tools is about no other. */
export function meantByExpression(prefix: string): HookProgram["meantBy"] {
  return (matcher) => {
    const [, alternatives] = /^\^\(?([A-Za-z0-9_|]+)\)?\$$/.exec(matcher) ?? []
    const isTied = alternatives !== undefined && (matcher.startsWith("^(") || !alternatives.includes("|"))
    const isNative = isTied && alternatives.split("|").every((name) => name !== "" && !name.startsWith(prefix))
    return isNative ? [] : [everyTool]
  }
}
