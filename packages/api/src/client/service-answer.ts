import { type JsonObject, readJson } from "@byleave/core"

/** Numbers keep their source text here too. */
export function readAnswer<T>(text: string): T {
  const read = readJson(text, { bytes: 64 * 1024 * 1024, values: Number.POSITIVE_INFINITY, depth: 1_000 })
  if (!read.ok) throw new Error(`The service answered with something that is not JSON: ${read.problem.message}`)
  return read.value as T
}

export function answerOf<T>({ status, text }: { readonly status: number; readonly text: string }): T {
  if (status !== 200) throw new Error(problemOf(status, text))
  return readAnswer<T>(text)
}

export function problemOf(status: number, text: string): string {
  try {
    const { detail, title } = JSON.parse(text) as JsonObject
    return String(detail ?? title ?? `the service answered ${status}`)
  } catch {
    return `The service answered ${status}.`
  }
}
