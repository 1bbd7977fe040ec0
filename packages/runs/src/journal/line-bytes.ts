import { bytesPerValue, type JournalLine, keptBytes, valuesIn } from "@byleave/core"
import type { Answer } from "./journal.ts"

/**
 * What a line counts for in the size of its run: its text, and what its values take in memory once it is read. The arguments of a model's calls are
 * texts in its answer, and values to the leg that runs them.
 */
export function lineBytes({ name, text }: Pick<JournalLine, "name" | "text">): number {
  if (!name.startsWith("answer ")) return keptBytes(text)
  const { parts } = JSON.parse(text) as Answer
  const ofArguments = parts.reduce((sum, part) => sum + (part.type === "tool-call" ? argumentBytes(part.input) : 0), 0)
  return keptBytes(text) + ofArguments
}

/** The bytes that arguments count for beside their text. */
export function argumentBytes(input: string): number {
  return bytesPerValue * valuesIn(input)
}

export function bytesOf(lines: ReadonlyArray<Pick<JournalLine, "name" | "text">>): number {
  return lines.reduce((sum, line) => sum + lineBytes(line), 0)
}
