/**
 * Whether a path lies in a folder: a guard-rail, not a sandbox.
 *
 * I1. What holds for an allow is in the folder by its text and, where it can be seen, in reality.
 * I2. What fails for a deny or ask is in the folder neither by its text nor, where it can be seen, in reality.
 * I3. A path that systems read in different ways is left to a person.
 */
import { both, either, type Judgement } from "./judgement.ts"
import { formatPath, isWithin, type Path, readFolder, readPath } from "./path.ts"

export type PathContext = {
  /** Where a relative path starts. Absolute. */
  readonly cwd?: string
  readonly caseInsensitivePaths?: boolean
  /** The real path of the nearest existing ancestor joined with the rest; null when it cannot be seen. */
  readonly realPath?: (path: string) => string | null
}

/** `wanted`: what a path that some reading puts inside and another outside counts as. */
export function compileUnder(
  folderText: string,
  wanted: "surely-inside" | "maybe-inside",
  context: PathContext,
): (text: string) => Judgement {
  const folder = readFolder(folderText)
  if (folder === null) return always({ unjudged: "is compared with a folder that is not an absolute path" })
  const base = context.cwd === undefined ? null : readFolder(context.cwd)
  const ignoreCase = context.caseInsensitivePaths === true
  const combine = wanted === "surely-inside" ? both : either
  const { realPath } = context

  const judge = (text: string): Judgement => {
    const read = readPath(text, folder.style, base)
    if (!read.ok) return { unjudged: read.doubt }
    const byText = isWithin(read.path, folder, ignoreCase)
    if (realPath === undefined) return byText
    const realFolder = seen(realPath, formatPath(folder)) ?? folder
    let answer = byText
    for (const path of pathsToSee(text, read.path, base)) {
      const real = seen(realPath, path)
      if (real !== null) answer = combine(answer, isWithin(real, realFolder, ignoreCase))
    }
    return answer
  }
  if (realPath !== undefined || ignoreCase || folder.style !== "posix") return judge
  return withFastPath(folder, judge)
}

function always(judgement: Judgement): () => Judgement {
  return () => judgement
}

function seen(realPath: (path: string) => string | null, path: string): Path | null {
  const real = realPath(path)
  return real === null ? null : readFolder(real)
}

/** Behind a link, `..` leads elsewhere for a program that does not shorten the path first: both readings are looked at. */
function pathsToSee(text: string, path: Path, base: Path | null): readonly string[] {
  const short = formatPath(path)
  if (!path.climbs) return [short]
  const isRelative = readFolder(text) === null
  return [short, isRelative && base !== null ? `${formatPath(base)}/${text}` : text]
}

function withFastPath(folder: Path, judge: (text: string) => Judgement): (text: string) => Judgement {
  const exact = formatPath(folder)
  const inside = exact.endsWith("/") ? exact : `${exact}/`
  return (text) => {
    if (!isPlain(text)) return judge(text)
    return text.startsWith(inside) || text === exact ? "holds" : "fails"
  }
}

/** Absolute, with nothing to normalise and nothing doubtful in it. */
export function isPlain(text: string): boolean {
  if (text.charCodeAt(0) !== 0x2f) return false
  let previous = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 || code >= 0x7f || code === 0x25 || code === 0x5c) return false
    if (previous === 0x2f && (code === 0x2e || code === 0x2f)) return false
    previous = code
  }
  return true
}
