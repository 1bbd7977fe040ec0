export type HiddenKind = "control" | "bidirectional" | "invisible" | "space" | "unknown"

export function hiddenKind(codePoint: number): HiddenKind {
  const character = String.fromCodePoint(codePoint)
  if (/\p{Bidi_Control}/u.test(character)) return "bidirectional"
  if (/\p{Cc}/u.test(character)) return "control"
  if (/\p{Z}/u.test(character)) return "space"
  if (/[\p{Co}\p{Cs}]/u.test(character)) return "unknown"
  return /\p{Cn}/u.test(character) && !/\p{Default_Ignorable_Code_Point}/u.test(character) ? "unknown" : "invisible"
}

/** The character's name for people; the words for its kind if it has no well-known name. */
export function hiddenName(codePoint: number): string {
  return names.get(codePoint) ?? nameOfRange(codePoint) ?? kindInWords[hiddenKind(codePoint)]
}

function nameOfRange(codePoint: number): string | undefined {
  return ranges.find(([first, last]) => codePoint >= first && codePoint <= last)?.[2]
}

const kindInWords = {
  control: "control character",
  bidirectional: "bidirectional control",
  invisible: "invisible character",
  space: "unusual space",
  unknown: "character without a known shape",
} as const satisfies Record<HiddenKind, string>

const ranges: ReadonlyArray<readonly [number, number, string]> = [
  [0xd800, 0xdfff, "half of a surrogate pair"],
  [0xe000, 0xf8ff, "private-use character"],
  [0xfe00, 0xfe0f, "variation selector"],
  [0xe0000, 0xe007f, "tag character"],
  [0xe0100, 0xe01ef, "variation selector"],
  [0xf0000, 0x10ffff, "private-use character"],
]

const names: ReadonlyMap<number, string> = new Map([
  [0x00, "null"],
  [0x07, "bell"],
  [0x08, "backspace"],
  [0x09, "tab"],
  [0x0a, "line feed"],
  [0x0d, "carriage return"],
  [0x1b, "escape"],
  [0x7f, "delete"],
  [0x9b, "control sequence introducer"],
  [0xa0, "no-break space"],
  [0xad, "soft hyphen"],
  [0x061c, "Arabic letter mark"],
  [0x200b, "zero-width space"],
  [0x200c, "zero-width non-joiner"],
  [0x200d, "zero-width joiner"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x2028, "line separator"],
  [0x2029, "paragraph separator"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "pop directional formatting"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x202f, "narrow no-break space"],
  [0x2060, "word joiner"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first strong isolate"],
  [0x2069, "pop directional isolate"],
  [0x2800, "blank braille pattern"],
  [0x3000, "ideographic space"],
  [0x3164, "Hangul filler"],
  [0xfeff, "byte order mark"],
  [0xfffc, "object replacement character"],
])
