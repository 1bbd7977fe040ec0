/** Dot segments of a URI's path, resolved in the ways of its readers. */
import { isWebScheme } from "./host-spellings.ts"

type Manner = {
  /** `%2e` is a dot, as to URL parsers. */
  readonly encoded: boolean
  /** An empty segment is a folder that `..` leaves, as to URL parsers; to file systems it is none. */
  readonly keepsEmpty: boolean
  /** `..` does not leave a drive. */
  readonly keepsDrive: boolean
  /** What stands behind `//` is the first folder, as where a server takes `docs://` off and joins the rest to a folder. */
  readonly hostIsFolder: boolean
}

const begins = /^(?:([a-z][a-z0-9+.-]*):)?(\/\/[^/]*)?/i
const hasDots = /(?:^|[/:])(?:\.|%2e){1,2}(?:\/|$)/i

/** All that the URI may become; none where it has no dot segments. */
export function resolveDots(uri: string): readonly string[] {
  if (!hasDots.test(uri)) return []
  const [, scheme = "", host = ""] = begins.exec(uri) ?? []
  const either = (isSo: boolean): readonly boolean[] => (isSo ? [false, true] : [false])
  const manners = either(/%2e/i.test(uri)).flatMap((encoded) =>
    either(uri.includes("//", scheme.length + 2)).flatMap((keepsEmpty) =>
      either(scheme.toLowerCase() === "file" && /\/[a-z][:|]\//i.test(uri)).flatMap((keepsDrive) =>
        either(host.length > 2 && !isWebScheme(scheme)).map(
          (hostIsFolder): Manner => ({ encoded, keepsEmpty, keepsDrive, hostIsFolder }),
        ),
      ),
    ),
  )
  return [...new Set(manners.map((manner) => resolved(uri, manner)))]
}

function resolved(uri: string, { encoded, keepsEmpty, keepsDrive, hostIsFolder }: Manner): string {
  const [whole = "", scheme, host] = begins.exec(uri) ?? []
  const before = hostIsFolder && host !== undefined ? `${scheme === undefined ? "" : `${scheme}:`}//` : whole
  const path = uri.slice(before.length)
  const start = path.startsWith("/") ? "/" : ""
  const segments = path.slice(start.length).split("/")
  const kept: string[] = []
  let isFolder = false
  for (const segment of segments) {
    const dots = dotsOf(segment, encoded)
    isFolder = dots > 0 || segment === ""
    if (dots === 2 && !(keepsDrive && kept.length === 1 && /^[a-z][:|]$/i.test(kept[0] ?? ""))) kept.pop()
    if (dots === 0 && (segment !== "" || keepsEmpty)) kept.push(segment)
  }
  // An empty segment that was kept at the end is the final slash already.
  const ends = isFolder && kept.length > 0 && kept.at(-1) !== "" ? "/" : ""
  return `${before}${start}${kept.join("/")}${ends}`
}

function dotsOf(segment: string, encoded: boolean): 0 | 1 | 2 {
  if (segment.length > 6) return 0
  const plain = encoded ? segment.replaceAll(/%2e/gi, ".") : segment
  return plain === "." ? 1 : plain === ".." ? 2 : 0
}

/** Without empty segments in the path, as file systems and many servers read it. */
export function withoutEmptySegments(uri: string): string {
  const [before = ""] = begins.exec(uri) ?? []
  const [path = ""] = uri.slice(before.length).split(/[?#]/, 1)
  return before + path.replaceAll(/\/{2,}/g, "/") + uri.slice(before.length + path.length)
}
