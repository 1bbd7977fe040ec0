/**
 * The digest that putting a file back is bound to: the program that shows it computes it from what it shows, and the service from what it reads
 * right before. For pages, too: no schemas here.
 *
 * I1. Another approval, server, tool or argument, and another content of the file by then, each give another digest.
 */
import { canonicalJson, type JsonObject, type ToolRef } from "@byleave/core"
import { sha256 } from "../client/sha256.ts"

/** An undo as it is shown; a ready `UndoView` has all but the approval. */
export type ShownUndo = { readonly tool: ToolRef; readonly args: JsonObject; readonly now: string }

export function shownUndoText(approval: string, { tool, args, now }: ShownUndo): string {
  return canonicalJson({ version: 1, undoes: approval, server: tool.server, tool: tool.tool, arguments: args, now })
}

export function undoDigest(approval: string, undo: ShownUndo): Promise<string> {
  return sha256(shownUndoText(approval, undo))
}
