/**
 * A configuration's text as a page may show it: what is secret in it is masked, and a mask that comes back unchanged stands for the same
 * secret again. Lines stay lines, so that places in the one are places in the other.
 *
 * Where a secret is written in a way that cannot be masked for sure, nothing is shown.
 */
import { looksSecret } from "@byleave/core"
import type { Config, ConfigProblem } from "@byleave/formats"
import { secretsIn } from "@byleave/server"

export type MaskedText = {
  readonly text: string
  /** The masked values, as they are written. */
  readonly secrets: readonly string[]
  /** The text as it goes into the file; null where a line with a mask is not one of the file's: masks are not copied about. */
  readonly restore: (edited: string) => string | null
  /** Where a column of the file's line is in the line that people see. */
  readonly columnIn: (editedLine: string, column: number) => number
}

export type ToMask = {
  readonly text: string
  readonly config: Config
  readonly warnings: readonly ConfigProblem[]
  readonly redactText: (text: string) => string
}

const mark = /‹secret-(\d+)-of-\d+-characters›/g
const byteOrderMark = "\uFEFF"

export function maskText({ text, config, warnings, redactText }: ToMask): MaskedText | null {
  if (text.includes("‹secret-")) return null
  const hasMark = text.startsWith(byteOrderMark)
  const hasCarriageReturns = text.includes("\r\n") && !/[^\r]\n/.test(text)
  const plain = (hasMark ? text.slice(1) : text).replaceAll("\r\n", hasCarriageReturns ? "\n" : "\r\n")
  const known = new Map<string, string>()
  const masked = plain.replaceAll(anyOf(needlesOf(plain, config)), (secret) => {
    const found = known.get(secret) ?? `‹secret-${known.size + 1}-of-${secret.length}-characters›`
    known.set(secret, found)
    return found
  })
  if (redactText(masked) !== masked || !coversAll(masked, warnings)) return null
  const secrets = [...known.keys()]
  const secretOf = (number: string | undefined): string | undefined => secrets[Number(number) - 1]
  return {
    text: masked,
    secrets,
    restore: (edited) => {
      if (!hasOnlyLinesOf(edited, masked)) return null
      const whole = edited.replaceAll(mark, (_mark, number: string) => secretOf(number) ?? "")
      const lines = hasCarriageReturns ? whole.replaceAll(/\r?\n/g, "\r\n") : whole
      return hasMark ? byteOrderMark + lines : lines
    },
    columnIn: (line, column) => {
      let shift = 0
      for (const { 0: shown, 1: number, index } of line.matchAll(mark)) {
        if (index - shift >= column) break
        shift += (secretOf(number)?.length ?? shown.length) - shown.length
      }
      return Math.max(1, column - shift)
    },
  }
}

/** The same text, its masks numbered otherwise. */
export function renumberMasks(text: string, numberOf: (number: number) => number): string {
  return text.replaceAll(mark, (shown: string, number: string) => shown.replace(/\d+/, `${numberOf(Number(number))}`))
}

/** Shorter ones occur everywhere by chance. */
const shortest = 4
const shortestLine = 8

function needlesOf(text: string, { servers, secrets }: Config): readonly string[] {
  const values = [...secrets, ...servers.flatMap(({ transport }) => secretsIn(transport))]
  const lines = values.flatMap((value) =>
    value.includes("\n") ? value.split("\n").filter((line) => line.trim().length >= shortestLine) : [value],
  )
  const runs = (text.match(/[^\s"'`,{}[\]()]{20,}/g) ?? []).filter((run) => looksSecret("", run))
  const all = [...lines, ...runs].map((line) => line.trim()).filter((needle) => needle.length >= shortest)
  return [...new Set(all.flatMap(writtenForms))].sort((one, other) => other.length - one.length)
}

/** As it stands in the text, in double quotes, and in single ones. */
function writtenForms(secret: string): readonly string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), secret.replaceAll("'", "''")]
}

function anyOf(needles: readonly string[]): RegExp {
  if (needles.length === 0) return /(?!)/g
  return new RegExp(needles.map((needle) => needle.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g")
}

/** Whether each line with a mask is one of the original's, and none is there more often. */
function hasOnlyLinesOf(edited: string, original: string): boolean {
  const left = new Map<string, number>()
  for (const line of maskedLines(original)) left.set(line, (left.get(line) ?? 0) + 1)
  return maskedLines(edited).every((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count > 0
  })
}

function maskedLines(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.includes("‹secret-"))
}

/** Whether each secret that the loader found in the file is masked on its line. */
function coversAll(masked: string, warnings: readonly ConfigProblem[]): boolean {
  const lines = masked.split("\n")
  return warnings
    .filter(({ code }) => code === "secret-in-file")
    .every(({ line }) => lines[line - 1]?.includes("‹secret-") === true)
}
