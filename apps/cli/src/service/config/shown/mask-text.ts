/**
 * A configuration's text as a page may show it: what is secret in it is masked, and a mask that comes back unchanged stands for the same
 * secret again. Lines stay lines, so that places in the one are places in the other.
 *
 * Where a secret is written in a way that cannot be masked for sure, nothing is shown.
 *
 * I1. What a server or a model is given hides nothing in rules and settings: none of their words is masked for being the same.
 */
import { looksSecret } from "@byleave/core"
import { joinedSpans, type Span, secretSpans } from "@byleave/core/secret-spans"
import { type Config, type ConfigProblem, secretParts, type Transport } from "@byleave/formats"
import { secretsIn } from "@byleave/server"
import { type ConfigPiece, configPieces } from "./config-pieces.ts"

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
  /** Texts of template files that are shown below it; they say nothing of servers. */
  readonly below?: string
  readonly config: Config
  readonly warnings: readonly ConfigProblem[]
  readonly redactText: (text: string) => string
}

const begin = "‹secret-"
const mark = /‹secret-(\d+)-of-\d+-characters›/g
const byteOrderMark = "\uFEFF"

export function maskText({ text, below = "", config, warnings, redactText }: ToMask): MaskedText | null {
  const hasMark = text.startsWith(byteOrderMark)
  const hasCarriageReturns = text.includes("\r\n") && !/[^\r]\n/.test(text)
  const plain = (hasMark ? text.slice(1) : text).replaceAll("\r\n", hasCarriageReturns ? "\n" : "\r\n")
  const known = new Map<string, string>()
  const maskFor = (secret: string): string => {
    const found = known.get(secret) ?? `${begin}${known.size + 1}-of-${secret.length}-characters›`
    known.set(secret, found)
    return found
  }
  const find = secretFinder(config)
  const pieces = [...configPieces(plain), { text: below, kind: "other" } as const]
  const shown = pieces.map((piece) => ({ ...piece, masked: withMasks(piece.text, find(piece), maskFor) }))
  const masked = shown.map((piece) => piece.masked).join("")
  const isClean = shown.every(({ kind, masked: words }) => kind !== "given" || redactText(words) === words)
  if (!isClean || !coversAll(masked, pieces, warnings)) return null
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

function withMasks(text: string, spans: readonly Span[], maskFor: (secret: string) => string): string {
  let [masked, from] = ["", 0]
  for (const { start, end } of joinedSpans(spans)) {
    masked += text.slice(from, start) + maskFor(text.slice(start, end))
    from = end
  }
  return masked + text.slice(from)
}

/** Shorter ones occur everywhere by chance, in comments still more. */
const shortest = 4
const shortestInComment = 8
const shortestLine = 8
const run = /[^\s"'`,{}[\]()]{20,}/g
const comment = /(?:#|\/[/*]).*/g
const eachLine = /\S(?:.*\S)?/g
const fakeBegin = new RegExp(begin, "g")

/** The places of a piece that are masked. A text that looks like the beginning of a mask is one, so that each mask that people see is ours. */
function secretFinder(config: Config): (piece: ConfigPiece) => readonly Span[] {
  const needles = needlesOf(config)
  const anyNeedle = anyOf(needles)
  const anyInComment = anyOf(needles.filter(({ length }) => length >= shortestInComment))
  return ({ text, kind }) => {
    if (kind === "secret") return spansOf(text, eachLine)
    return [...looksOf(text), ...spansOf(text, fakeBegin), ...known(text, kind)]
  }

  function known(text: string, kind: ConfigPiece["kind"]): readonly Span[] {
    if (kind === "given") return spansOf(text, anyNeedle)
    if (kind !== "between") return []
    return spansOf(text, comment).flatMap(({ start: from, end }) =>
      spansOf(text.slice(from, end), anyInComment).map((span) => ({ start: from + span.start, end: from + span.end })),
    )
  }
}

/** The credential in an address or a path; else the whole run. */
function looksOf(text: string): readonly Span[] {
  return spansOf(text, run).flatMap((span) => {
    const word = text.slice(span.start, span.end)
    if (!looksSecret("", word)) return []
    const within = secretSpans(word).map(({ start, end }) => ({ start: span.start + start, end: span.start + end }))
    return within.length === 0 && !isPlace.test(word) ? [span] : within
  })
}

const isPlace = /^(?:[a-z][a-z\d+.-]*:\/\/|~?[\\/]|\.{1,2}[\\/]|[a-z]:[\\/])/i

function spansOf(text: string, pattern: RegExp): readonly Span[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({ start: index, end: index + found.length }))
}

function needlesOf({ servers, secrets }: Config): readonly string[] {
  const values = [...secrets, ...servers.flatMap(({ transport }) => givenSecrets(transport))]
  const lines = values.flatMap((value) =>
    value.includes("\n") ? value.split("\n").filter((line) => line.trim().length >= shortestLine) : [value],
  )
  const all = lines.map((line) => line.trim()).filter((needle) => needle.length >= shortest)
  return [...new Set(all.flatMap(writtenForms))].sort((one, other) => other.length - one.length)
}

function givenSecrets(transport: Transport): readonly string[] {
  if (transport.kind !== "stdio") return secretsIn(transport)
  const parts = [...transport.env].flatMap(([name, value]) =>
    secretParts(name, value).map(({ start, end }) => value.slice(start, end)),
  )
  return [...parts, ...secretsIn({ ...transport, env: new Map() })]
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
  return text.split(/\r?\n/).filter((line) => line.includes(begin))
}

/** Whether each secret that the loader found in the file is masked as a whole, or on its line. */
function coversAll(masked: string, pieces: readonly ConfigPiece[], warnings: readonly ConfigProblem[]): boolean {
  const whole = new Set(pieces.flatMap(({ kind, path }) => (kind === "secret" ? [path] : [])))
  const lines = masked.split("\n")
  return warnings
    .filter(({ code }) => code === "secret-in-file")
    .every(({ line, path }) => whole.has(path) || lines[line - 1]?.includes(begin) === true)
}
