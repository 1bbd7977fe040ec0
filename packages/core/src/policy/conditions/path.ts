import { normalizeText } from "../../call/text/normalize-text.ts"
import type { Judgement } from "./judgement.ts"

/** Which system's paths these are: it decides what separates folders and whether case matters. */
export type PathStyle = "posix" | "windows"

/** An absolute path without `.`, `..` and doubled separators. `climbs`: there was a `..`, which links may lead astray. */
export type Path = {
  readonly style: PathStyle
  readonly root: string
  readonly segments: readonly string[]
  readonly climbs: boolean
}

/** A path, or what makes it doubtful. */
export type ReadPath =
  | { readonly ok: true; readonly path: Path }
  /** `isRelative`: nothing else is doubtful about it. */
  | { readonly ok: false; readonly doubt: string; readonly isRelative: boolean }

const control = /\p{Cc}/u

/** The style of an absolute path; null when it is not absolute. */
function pathStyle(text: string): PathStyle | null {
  if (/^[a-z]:[\\/]/i.test(text) || text.startsWith("\\\\")) return "windows"
  return text.startsWith("/") ? "posix" : null
}

/** Reads a path that a caller sent; a relative one starts at `base`. A path that systems read in different ways is doubtful. */
export function readPath(text: string, style: PathStyle, base: Path | null): ReadPath {
  const doubt = commonDoubt(text) ?? (style === "posix" ? posixDoubt(text) : windowsDoubt(text))
  if (doubt !== null) return { ok: false, doubt, isRelative: false }
  const root = style === "posix" ? posixRoot(text) : windowsRoot(text)
  if (root !== null) return { ok: true, path: resolve(style, root.root, [], text.slice(root.length)) }
  const noBase = { ok: false, isRelative: true } as const
  if (base === null) return { ...noBase, doubt: "is relative, and the folder it starts from is not known" }
  if (base.style !== style) return { ...noBase, doubt: "is relative to a path of another system" }
  return { ok: true, path: resolve(style, base.root, base.segments, text) }
}

/** A path of the policy itself: absolute, and trusted to mean what it says. */
export function readFolder(text: string): Path | null {
  const style = pathStyle(text)
  if (style === null || control.test(text)) return null
  const root = style === "posix" ? posixRoot(text) : windowsRoot(text)
  return root === null ? null : resolve(style, root.root, [], text.slice(root.length))
}

/** Whether a path says itself where it starts. */
export function isAbsolutePath(text: string): boolean {
  return readFolder(text) !== null
}

/**
 * Whether `path` is the folder or in it. Letters beyond ASCII that differ only in case leave it in doubt, and so do names that Unicode calls the same and
 * writes differently: some systems and servers find one by the other.
 */
export function isWithin(path: Path, folder: Path, ignoreCase: boolean): Judgement {
  if (path.style !== folder.style || path.segments.length < folder.segments.length) return "fails"
  const fold = ignoreCase || path.style === "windows"
  let answer = sameSegment(path.root, folder.root, fold)
  for (let at = 0; at < folder.segments.length && answer !== "fails"; at += 1) {
    const same = sameSegment(path.segments[at] as string, folder.segments[at] as string, fold)
    if (same !== "holds") answer = same
  }
  return answer
}

export function isSamePath(path: Path, other: Path, ignoreCase: boolean): Judgement {
  return path.segments.length === other.segments.length ? isWithin(path, other, ignoreCase) : "fails"
}

export function formatPath(path: Path): string {
  const separator = path.style === "posix" ? "/" : "\\"
  return path.root + separator + path.segments.join(separator)
}

function sameSegment(a: string, b: string, fold: boolean): Judgement {
  if (a === b) return "holds"
  const isAscii = ascii.test(a) && ascii.test(b)
  if (isAscii) return fold && a.toLowerCase() === b.toLowerCase() ? "holds" : "fails"
  if (fold ? wideFold(a) !== wideFold(b) : normalizeText(a, "NFC") !== normalizeText(b, "NFC")) return "fails"
  return { unjudged: "has letters that some systems take for the same and others do not" }
}

const ascii = /^\p{ASCII}*$/u

/** Whether a text is written as Unicode's composed form writes it: then no other text in ASCII is another spelling of it. */
export function isComposed(text: string): boolean {
  return ascii.test(text) || normalizeText(text, "NFC") === text
}

function wideFold(text: string): string {
  return normalizeText(text, "NFKC").toUpperCase().toLowerCase()
}

/** As long as a path can be on the systems that have the longest. */
export const longestPath = 4_096

function commonDoubt(text: string): string | null {
  if (text === "") return "is empty"
  if (text.length > longestPath) return `is longer than ${longestPath} characters`
  if (control.test(text)) return "has a control character"
  if (text !== text.trim()) return "begins or ends with a space"
  if (/^[~$]/.test(text)) return "begins with a sign that some programs expand"
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return "is an address rather than a path"
  if (/%(?:00|25|2e|2f|5c)/i.test(text)) return "has dots or separators in percent code"
  return null
}

function posixDoubt(text: string): string | null {
  if (text.includes("\\")) return "has a backslash, which separates folders on some systems"
  return /^[a-z]:/i.test(text) ? "begins with a drive letter" : null
}

function windowsDoubt(text: string): string | null {
  if (/^[\\/]{2}[?.]/.test(text)) return "names a device"
  if (/^[a-z]:(?![\\/])/i.test(text)) return "is relative to a drive"
  if (/^[\\/](?![\\/])/.test(text)) return "is relative to a drive"
  const rest = text.replace(/^[a-z]:/i, "")
  if (/[:<>"|?*]/.test(rest)) return "has a character that file names cannot have"
  if (rest.split(/[\\/]/).some(hasTwoSpellings)) return "has a name with two spellings"
  return null
}

/** Windows drops dots and blanks at the end of a name, and gives long names short ones. */
function hasTwoSpellings(name: string): boolean {
  if (name === "." || name === "..") return false
  return name.endsWith(".") || name.endsWith(" ") || /~\d/.test(name)
}

type Root = { readonly root: string; readonly length: number }

function posixRoot(text: string): Root | null {
  return text.startsWith("/") ? { root: "", length: 1 } : null
}

function windowsRoot(text: string): Root | null {
  if (/^[a-z]:[\\/]/i.test(text)) return { root: text.slice(0, 2), length: 3 }
  const share = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(text)
  return share === null ? null : { root: `\\\\${share[1]}\\${share[2]}`, length: share[0].length }
}

function resolve(style: PathStyle, root: string, base: readonly string[], rest: string): Path {
  const segments = [...base]
  let climbs = false
  for (const segment of rest.split(style === "posix" ? "/" : /[\\/]/)) {
    if (segment === "" || segment === ".") continue
    if (segment === "..") {
      climbs = true
      segments.pop()
    } else segments.push(segment)
  }
  return { style, root, segments, climbs }
}
