import { compileGlob, literalOf } from "@byleave/core"
import { globCovers, globsDisjoint } from "@byleave/core/compare"
import type { TextPosition } from "../../problem.ts"
import type { Findings, FoundRule } from "./found-rules.ts"

/** Tools that a part of a text is about, as globs. */
export type Reach = { readonly server: string; readonly tool: string }

export const everyTool: Reach = { server: "*", tool: "*" }

export function everyToolOf(server: string): Reach {
  return { server, tool: "*" }
}

/** Something that restricts tools, or may do so, in a way that cannot be said here. */
export type Doubt = Reach & { readonly at: TextPosition; readonly written: string; readonly why: string }

/** The only servers that a program connects to. */
export type ServerList = { readonly names: readonly string[]; readonly at: TextPosition; readonly written: string }

/**
 * The rules without the allows that a doubt is about. Where an allow is wider than a doubt, it stays, and an ask stands before it. Each
 * doubt is reported, and each allow that is left out.
 */
export function withoutDoubtful(
  found: readonly FoundRule[],
  doubts: readonly Doubt[],
  lose: Findings["lose"],
): readonly FoundRule[] {
  const allows = found.filter(({ effect }) => effect === "allow")
  const leftOut = new Set<FoundRule>()
  const asks: FoundRule[] = []
  for (const doubt of doubts) {
    const touched = allows.filter((rule) => !leftOut.has(rule) && overlaps(doubt, rule))
    const covered = touched.filter((rule) => covers(doubt, rule))
    for (const rule of covered) {
      lose("stricter", rule.at, rule.written, `${doubt.written} may restrict it`, unsaid)
      leftOut.add(rule)
    }
    const { server, tool, at, written, why } = doubt
    const isCut = covered.length < touched.length
    if (isCut) asks.push({ effect: "ask", server, tool, at, written, partial: true })
    const became = [
      ...(covered.length === 0
        ? []
        : [`${covered.length === 1 ? "1 allow is" : `${covered.length} allows are`} left out`]),
      ...(isCut ? [`ask: "${server}(${tool})"`] : []),
    ]
    if (touched.length === 0) lose("dropped", at, written, why, leftOut.size > 0 ? "nothing more" : "nothing")
    else lose("stricter", at, written, why, became.join(", "))
  }
  return [...asks, ...found.filter((rule) => !leftOut.has(rule))]
}

/** The rules without the allows for servers that are not in each of the lists. */
export function withinLists(
  found: readonly FoundRule[],
  lists: readonly ServerList[],
  lose: Findings["lose"],
): readonly FoundRule[] {
  return found.filter((rule) => {
    const name = literalOf(rule.server)
    const list = lists.find(({ names }) => name === null || !names.includes(name))
    if (rule.effect !== "allow" || list === undefined) return true
    lose(
      "stricter",
      rule.at,
      rule.written,
      `its server is not in ${list.written}, the only servers that are used`,
      unsaid,
    )
    return false
  })
}

const unsaid = "nothing, so that the default applies"

function overlaps(doubt: Reach, rule: FoundRule): boolean {
  return !globsDisjoint(doubt.server, rule.server) && !globsDisjoint(doubt.tool, rule.tool)
}

function covers(doubt: Reach, rule: FoundRule): boolean {
  return isCovered(rule.server, doubt.server) && isCovered(rule.tool, doubt.tool)
}

function isCovered(narrow: string, wide: string): boolean {
  const name = literalOf(narrow)
  return name === null ? globCovers(wide, narrow) : compileGlob(wide)(name)
}
