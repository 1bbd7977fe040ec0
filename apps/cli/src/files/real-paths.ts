/**
 * Where a path leads, found as the system finds it: one name after the other, with links followed where they stand.
 *
 * I1. A file opened by the path, made or not yet made, is at one of the places, or there are none.
 * I2. `..` leaves the folder that a link leads to, not the one the link is in; Windows shortens the text first, and so does this there.
 * I3. What cannot be followed to its end has no places.
 * I4. One look, at however many paths, walks a bounded number of names, and lists folders of a bounded size.
 * I5. Some servers find a name that does not exist by another spelling that Unicode calls the same: where that leads is among the places, too.
 */
import { isUtf8 } from "node:buffer"
import { lstatSync, opendirSync, readlinkSync, type Stats } from "node:fs"
import { posix, win32 } from "node:path"
import type { FindPlaces } from "@byleave/core"

/** As many links as Linux follows; others follow fewer. */
const mostLinks = 40
/** Of a path in bytes, with the end of the text; and of all the names that links add to it. */
const mostBytes = 4_096
const mostNames = 4_096
/** Of all names of one look: paths in the same folder take one each, and those of the folder once. */
const mostNamesInAll = 4_096
/** Of the folders listed for other spellings, together: nobody else is answered while they are read. */
const mostListed = 4_096
/** To open a folder takes as long as to read so many names. */
const opening = 16

/** The one call to the file system that costs: given by tests that count. */
export type LookAtName = (path: string) => Stats | undefined

/**
 * Finds the places an absolute path may lead to: what its last link points at, and that link itself where there is one, since programs also remove
 * and replace links. Names that do not exist stay as they are. Null: it cannot be told. The returned function looks at each folder only once.
 */
export function realPaths(
  platform: NodeJS.Platform = process.platform,
  lookAt: LookAtName = (path) => lstatSync(path, { throwIfNoEntry: false }),
): FindPlaces {
  const style = platform === "win32" ? win32 : posix
  const look: Look = {
    style,
    lookAt,
    folders: new Map(),
    listings: new Map(),
    namesLeft: mostNamesInAll,
    listedLeft: mostListed,
  }
  return (path) => {
    if (path.includes("\0") || Buffer.byteLength(path) >= mostBytes) return null
    try {
      return placesOf(style === win32 ? win32.normalize(path) : path, look)
    } catch {
      // Not allowed to look, a name that is too long, something replaced while it was looked at.
      return null
    }
  }
}

type Style = typeof posix | typeof win32

type Look = {
  readonly style: Style
  readonly lookAt: LookAtName
  /** Where folders lead, by their text. */
  readonly folders: Map<string, Reached | null>
  /** The names in folders, by their composed form. */
  readonly listings: Map<string, Listing>
  namesLeft: number
  listedLeft: number
}

type Listing = ReadonlyMap<string, string | readonly string[]>

/** How far a path has been followed. */
type Reached = {
  readonly place: string
  readonly links: number
  /** Of all names so far. */
  readonly names: number
  /** The last name, where it is a link. */
  readonly asLink: string | null
  /** How many names deep in what does not exist: there are no links there, and nothing to look at. */
  readonly missing: number
}

function placesOf(path: string, look: Look): readonly string[] | null {
  const end = path.lastIndexOf(look.style.sep)
  const last = path.slice(end + 1)
  const isWhole = end <= 0 || last === "" || last === "." || last === ".."
  const folder = isWhole ? null : folderAt(path.slice(0, end), look)
  const reached = isWhole ? follow(path, atStart, look) : followIn(folder, last, look)
  if (reached === null) return null
  if (reached.missing === 0 || !mayBeSpelledOtherwise(path, reached, look)) return asPlaces(reached)
  // A folder that is there as it is written leads nowhere else; `..` may have left what is not.
  const isThere = folder?.missing === 0 && !path.includes("..")
  const otherwise = isThere ? followIn(folder, last, look, "any-spelling") : follow(path, atStart, look, "any-spelling")
  return otherwise === null ? null : [...new Set([...asPlaces(reached), ...asPlaces(otherwise)])]
}

function asPlaces({ place, asLink }: Reached): readonly string[] {
  return asLink === null ? [place] : [place, asLink]
}

/** Letters beyond ASCII, and the three in it that Unicode has twice. */
const hasOtherSpelling = /[^\p{ASCII}]|[K;`]/u

/** Only names that do not exist are found by other spellings; `..` may have left some of them behind. */
function mayBeSpelledOtherwise(path: string, { place, missing }: Reached, { style }: Look): boolean {
  if (path.includes("..") && hasOtherSpelling.test(path)) return true
  return place
    .split(style.sep)
    .slice(-missing)
    .some((name) => hasOtherSpelling.test(name))
}

const atStart: Reached = { place: "", links: 0, names: 0, asLink: null, missing: 0 }

function folderAt(folder: string, look: Look): Reached | null {
  const known = look.folders.get(folder)
  if (known !== undefined) return known
  const reached = follow(folder, atStart, look)
  look.folders.set(folder, reached)
  return reached
}

type Spelling = "as-written" | "any-spelling"

function followIn(folder: Reached | null, name: string, look: Look, spelling?: Spelling): Reached | null {
  return folder === null ? null : follow(name, { ...folder, asLink: null }, look, spelling)
}

function follow(path: string, from: Reached, look: Look, spelling: Spelling = "as-written"): Reached | null {
  const { style } = look
  const { root, names } = taken(path, style)
  let place = root === "" ? from.place : root
  let { links, missing, asLink } = from
  let count = from.names + names.length
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (look.namesLeft === 0) return null
    look.namesLeft -= 1
    if (name === "..") {
      place = style.dirname(place)
      missing = Math.max(0, missing - 1)
      continue
    }
    // Names are plain here: joining them any other way would read the whole place again for each.
    const inPlace = place.endsWith(style.sep) || place === "" ? place : `${place}${style.sep}`
    let next = `${inPlace}${name}`
    let found = missing > 0 ? undefined : look.lookAt(next)
    if (found === undefined && missing === 0 && spelling === "any-spelling" && hasOtherSpelling.test(name)) {
      const [other, ...more] = spellingsIn(place, name, look)
      if (more.length > 0) return null
      if (other !== undefined) {
        next = `${inPlace}${other}`
        found = look.lookAt(next)
      }
    }
    if (found?.isSymbolicLink() !== true) {
      if (found === undefined) missing += 1
      place = next
      continue
    }
    links += 1
    if (names.length === 0) asLink ??= next
    const target = targetOf(next, style)
    if (target === null || links > mostLinks) return null
    const led = taken(target, style)
    count += led.names.length
    if (count > mostNames) return null
    if (led.root !== "") place = led.root
    names.push(...led.names)
  }
  return { place, links, names: count, asLink, missing }
}

/** The names in a folder that Unicode calls the same as this one. Throws where the folder cannot be listed, or is too large. */
function spellingsIn(folder: string, name: string, look: Look): readonly string[] {
  const listing = look.listings.get(folder) ?? listed(folder, look)
  look.listings.set(folder, listing)
  const found = listing.get(name.normalize("NFC")) ?? []
  return typeof found === "string" ? [found] : found
}

function listed(path: string, look: Look): Listing {
  const names = new Map<string, string | readonly string[]>()
  spend(look, opening)
  const folder = opendirSync(path)
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      spend(look, 1)
      const composed = entry.name.normalize("NFC")
      const same = names.get(composed)
      names.set(composed, same === undefined ? entry.name : [same, entry.name].flat())
    }
  } finally {
    folder.closeSync()
  }
  return names
}

/** What could not be listed to its end leaves nothing for folders after it, which would each be begun in vain. */
function spend(look: Look, names: number): void {
  look.listedLeft -= names
  if (look.listedLeft < 0) throw new RangeError("too many names to look for another spelling among them")
}

/** A path's root and names, the first name last. */
function taken(path: string, style: Style): { readonly root: string; readonly names: string[] } {
  const { root } = style.parse(path)
  const names = path.slice(root.length).split(style === win32 ? /[\\/]+/ : "/")
  return { root, names: names.filter((name) => name !== "" && name !== ".").reverse() }
}

/** Returns the target of a link; null where that is no text, or another for each process that asks, as below `/proc`. */
function targetOf(link: string, style: Style): string | null {
  if (link.startsWith("/proc/")) return null
  const bytes = readlinkSync(link, "buffer")
  if (!isUtf8(bytes)) return null
  const target = bytes.toString("utf8")
  return style === win32 ? target.replace(/^\\\\\?\\(?=[a-z]:)/i, "") : target
}
