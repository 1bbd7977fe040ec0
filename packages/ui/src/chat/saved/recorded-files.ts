import type { CurrentContentView } from "@byleave/api"
import { fileChanges } from "@byleave/api/page"
import type { JsonObject } from "@byleave/core"
import type { RecordedThread, ReplayedCall } from "./read-recording.ts"

/**
 * The contents of files as a recording shows them: what was read whole, and what was written since. A recording keeps no file besides; a change of
 * one that the agent had not read has no difference to show.
 */
export type RecordedFiles = {
  readonly heard: (call: ReplayedCall, text: string) => void
  /** The file that a call would change, as it was by then; null: the recording does not have it. */
  readonly before: (call: ReplayedCall) => CurrentContentView | null
}

export function createRecordedFiles({ tools }: Pick<RecordedThread, "tools">): RecordedFiles {
  const contents = new Map<string, Extract<CurrentContentView, { kind: "text" }>>()
  const keyOf = (server: string, path: string): string => JSON.stringify([server, path])
  const changesOf = ({ server, tool, args }: ReplayedCall) =>
    fileChanges(tool, args, tools.get(`${server} ${tool}`)?.inputSchema ?? null)
  return {
    heard: (call, text) => {
      const { server, tool, args } = call
      const by = { server, tool }
      for (const { path, how, edits } of changesOf(call)) {
        if (path === null) continue
        const [edit] = edits
        if (how === "write" && edits.length === 1 && edit !== undefined)
          contents.set(keyOf(server, path), { kind: "text", path, text: edit.after, by })
        else contents.delete(keyOf(server, path))
      }
      const path = readWhole(tool, args)
      if (path !== null) contents.set(keyOf(server, path), { kind: "text", path, text, by })
    },
    before: (call) => {
      const [change] = changesOf(call)
      return change?.path == null ? null : (contents.get(keyOf(call.server, change.path)) ?? null)
    },
  }
}

/** The file that a call reads, where it names that and nothing else: no part of it, no line numbers. */
function readWhole(tool: string, args: JsonObject): string | null {
  const [only, ...others] = Object.entries(args)
  if (only === undefined || others.length > 0 || !/^(?:read|get|cat|view)(?:_|$)/.test(tool)) return null
  const [name, path] = only
  return typeof path === "string" && /path|file/i.test(name) ? path : null
}
