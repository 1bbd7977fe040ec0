import { isRawNumber, type JsonObject, type JsonValue, pointerTo } from "@byleave/core"

/** A piece of exact JSON; a masked one stands for a value that is not shown yet. */
export type JsonPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "masked"; readonly pointer: string; readonly length: number }

export type JsonLine = { readonly depth: number; readonly pieces: readonly JsonPiece[] }

/** A value as JSON, a line each; numbers keep the text they were written with. */
export function jsonLines(value: JsonValue, masked: ReadonlySet<string> = new Set()): readonly JsonLine[] {
  const lines: JsonLine[] = []
  write(value, { lines, masked }, { pointer: "", depth: 0, head: "", tail: "" })
  return lines
}

/** The same as one text. */
export function jsonText(value: JsonValue): string {
  return jsonLines(value)
    .map(
      ({ depth, pieces }) =>
        "  ".repeat(depth) + pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join(""),
    )
    .join("\n")
}

type Sheet = { readonly lines: JsonLine[]; readonly masked: ReadonlySet<string> }
type Place = { readonly pointer: string; readonly depth: number; readonly head: string; readonly tail: string }

function write(value: JsonValue, sheet: Sheet, place: Place): void {
  const { pointer, depth, head, tail } = place
  if (sheet.masked.has(pointer)) {
    const mask: JsonPiece = { kind: "masked", pointer, length: lengthOf(value) }
    sheet.lines.push({ depth, pieces: [text(head.trimEnd()), mask, text(tail)].filter(isSomething) })
  } else if (typeof value !== "object" || value === null || isRawNumber(value)) {
    put(sheet, place, head + scalar(value) + tail)
  } else if (Array.isArray(value)) {
    const entries = (value as readonly JsonValue[]).map((item) => ["", item] as const)
    writeInner(entries, sheet, place, "[]")
  } else writeInner(Object.entries(value as JsonObject), sheet, place, "{}")
}

function writeInner(
  entries: ReadonlyArray<readonly [string, JsonValue]>,
  sheet: Sheet,
  place: Place,
  brackets: "[]" | "{}",
): void {
  const { pointer, depth, head, tail } = place
  if (entries.length === 0) {
    put(sheet, place, head + brackets + tail)
    return
  }
  put(sheet, place, head + brackets[0])
  entries.forEach(([key, value], at) => {
    const isList = brackets === "[]"
    write(value, sheet, {
      pointer: pointerTo(pointer, isList ? `${at}` : key),
      depth: depth + 1,
      head: isList ? "" : `${JSON.stringify(key)}: `,
      tail: at === entries.length - 1 ? "" : ",",
    })
  })
  put(sheet, place, brackets[1] + tail)
}

function put(sheet: Sheet, { depth }: Place, words: string): void {
  sheet.lines.push({ depth, pieces: [text(words)] })
}

function text(words: string): JsonPiece {
  return { kind: "text", text: words }
}

function isSomething(piece: JsonPiece): boolean {
  return piece.kind === "masked" || piece.text !== ""
}

function scalar(value: JsonValue): string {
  return isRawNumber(value) ? value.rawJSON : JSON.stringify(value)
}

function lengthOf(value: JsonValue): number {
  if (typeof value === "string") return value.length
  return isRawNumber(value) ? value.rawJSON.length : String(value).length
}
