import { type JsonObject, readJson } from "@byleave/core"
import { readText } from "./files/read-text.ts"
import type { Io } from "./io.ts"

export type ReadArgs =
  | { readonly ok: true; readonly args: JsonObject | undefined }
  | { readonly ok: false; readonly problem: string }

/**
 * A call's arguments from `--args`: JSON, `@file` or `-` for standard input, read as strictly as those of a real call.
 * A wrong text is not repeated, for it may be megabytes long.
 */
export async function readArgs(written: string | undefined, io: Io): Promise<ReadArgs> {
  if (written === undefined) return { ok: true, args: undefined }
  const source = await textOf(written, io)
  if ("unreadable" in source) return { ok: false, problem: `--args: ${source.unreadable}` }
  const read = readJson(source.text)
  if (!read.ok) {
    const { offset, message } = read.problem
    const words = message.replace(/ at offset \d+/, " here")
    return { ok: false, problem: `--args${source.from}, character ${offset + 1}: ${words}` }
  }
  if (isObject(read.value)) return { ok: true, args: read.value }
  return { ok: false, problem: `--args${source.from} must be a JSON object, such as --args '{"path":"a.txt"}'.` }
}

type Source = { readonly text: string; readonly from: string } | { readonly unreadable: string }

async function textOf(written: string, io: Io): Promise<Source> {
  const path = written.startsWith("@") ? written.slice(1) : undefined
  if (path === undefined && written !== "-") return { text: written, from: "" }
  if (path === "") return { unreadable: "Put a file name after the @, such as --args @arguments.json." }
  const read = await readText(path ?? null, io)
  return read.ok ? { text: read.text.replace(/^\uFEFF/, ""), from: ` in ${read.name}` } : { unreadable: read.problem }
}

function isObject(value: unknown): value is JsonObject {
  return JSON.stringify(value).startsWith("{")
}
