import { basename } from "node:path"
import type { CurrentContentView } from "@byleave/api"
import type { Approval } from "@byleave/core"
import { alignedTo } from "./accepted-text.ts"
import { cannotMask, inStore } from "./config-words.ts"
import type { ConfigKeeper } from "./keep-config.ts"
import { changeTool, ownServer } from "./reserved-rule.ts"

export type ProposedPorts = {
  readonly file: string
  readonly isShared: boolean
  readonly keeper: Pick<ConfigKeeper, "waiting" | "acceptedText">
  readonly redactText: (text: string) => string
}

/** The text that an edit of the file was accepted with last, and the text that waits; null for a call that is no such edit. */
export async function proposedText(ports: ProposedPorts, { id, tool }: Approval): Promise<CurrentContentView | null> {
  if (tool.server !== ownServer || tool.tool !== changeTool) return null
  if (ports.isShared) return unavailable(inStore)
  const waiting = ports.keeper.waiting()
  if (waiting?.approval !== id) return unavailable("The file has changed since.")
  const [before, after] = [await ports.keeper.acceptedText(), waiting.text]
  if (after === null) return unavailable(cannotMask)
  // A secret that became one only later may still stand in the older text. What stands in the newer one, too, is shown anyway.
  const gone = before === null ? "" : linesWithout(before.text, after.text)
  if (before === null || ports.redactText(gone) !== gone) return unavailable(nothingBefore)
  const file = basename(ports.file)
  return { kind: "configuration", file, before: before.text, after: alignedTo(before, after) }
}

function linesWithout(text: string, others: string): string {
  const known = new Set(others.split("\n"))
  return text
    .split("\n")
    .filter((line) => !known.has(line))
    .join("\n")
}

const nothingBefore = "The last accepted text is not available, or cannot be shown without revealing a secret."

function unavailable(why: string): CurrentContentView {
  return { kind: "unavailable", why }
}
