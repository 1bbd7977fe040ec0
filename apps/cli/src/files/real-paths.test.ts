/** Compared with the real system: random trees of links in a folder of their own, and files opened by random paths through them. */
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { realPaths } from "./real-paths.ts"

const isLinux = process.platform === "linux"
let root = ""
beforeAll(() => {
  root = realpathSync.native(mkdtempSync(join(tmpdir(), "byleave-paths-")))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

let trees = 0
/** A new folder. */
function newTree(): string {
  trees += 1
  const tree = join(root, String(trees))
  mkdirSync(tree)
  return tree
}

/** Where the system puts a file that is opened, and made if need be, by this path; null when it opens none. */
function opened(path: string): string | null {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      return readlinkSync(`/proc/self/fd/${file}`)
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

const name = fc.constantFrom("a", "b", "c")
const step = fc.oneof({ weight: 4, arbitrary: name }, { weight: 2, arbitrary: fc.constantFrom("..", ".", "", "new") })
const way = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join("/"))
const entry = fc.record({
  at: fc.array(name, { minLength: 1, maxLength: 3 }),
  what: fc.oneof(
    fc.constant({ kind: "folder" } as const),
    fc.constant({ kind: "file" } as const),
    fc.record({ kind: fc.constant("link" as const), to: way, absolute: fc.boolean() }),
  ),
})

type Entry = typeof entry extends fc.Arbitrary<infer Made> ? Made : never

function plant(tree: string, entries: readonly Entry[]): void {
  for (const { at, what } of entries) {
    const path = join(tree, ...at)
    try {
      if (what.kind === "folder") mkdirSync(path, { recursive: true })
      else if (what.kind === "file") writeFileSync(path, "")
      else symlinkSync(what.absolute ? `${tree}/${what.to}` : what.to === "" ? "." : what.to, path)
    } catch {
      // There is something of that name already, or nothing to put it in.
    }
  }
}

const places = (path: string) => realPaths()(path)

describe("where a path leads", () => {
  it("I1, I2: is where a file that is opened by it is, made or not yet made", ({ skip }) => {
    if (!isLinux) skip("only Linux tells where an open file is")
    const cases = fc.tuple(
      fc.array(entry, { minLength: 4, maxLength: 12 }),
      fc.array(way, { minLength: 4, maxLength: 8 }),
    )
    let compared = 0
    fc.assert(
      fc.property(cases, ([entries, ways]) => {
        const tree = newTree()
        plant(tree, entries)
        for (const each of ways) {
          const path = `${tree}/${each}`
          const found = realPaths()(path)
          const real = opened(path)
          if (real === null) continue
          compared += 1
          expect(found?.[0]).toBe(real)
          expect(realpathSync.native(path)).toBe(real)
        }
        rmSync(tree, { recursive: true, force: true })
      }),
      { numRuns: 200 },
    )
    expect(compared).toBeGreaterThan(50)
  })

  it("is what a dangling link points at, and the link itself", () => {
    const tree = newTree()
    symlinkSync("../elsewhere/new", join(tree, "link"))
    expect(places(`${tree}/link`)).toEqual([join(root, "elsewhere", "new"), join(tree, "link")])
    expect(places(`${tree}/link/more`)).toEqual([join(root, "elsewhere", "new", "more")])
  })

  it("I5: is also where another spelling leads that Unicode calls the same, unless the name is there as it is written", ({
    skip,
  }) => {
    if (!isLinux) skip("other systems take the spellings for one name")
    const tree = newTree()
    mkdirSync(join(tree, "drafts"))
    symlinkSync("../outside", join(tree, "drafts", "\u00dc"))
    mkdirSync(join(tree, "\u212aeys"))
    expect(places(`${tree}/drafts/U\u0308/x`)).toEqual([`${tree}/drafts/U\u0308/x`, `${tree}/outside/x`])
    expect(places(`${tree}/drafts/U\u0308`)).toEqual([
      `${tree}/drafts/U\u0308`,
      `${tree}/outside`,
      `${tree}/drafts/\u00dc`,
    ])
    expect(places(`${tree}/Keys/a`)).toEqual([`${tree}/Keys/a`, `${tree}/\u212aeys/a`])
    expect(places(`${tree}/drafts/\u00e9/a`)).toEqual([`${tree}/drafts/\u00e9/a`])
    mkdirSync(join(tree, "Keys"))
    expect(places(`${tree}/Keys/a`)).toEqual([`${tree}/Keys/a`])
    mkdirSync(join(tree, "\u212b"))
    mkdirSync(join(tree, "\u00c5"))
    expect(places(`${tree}/A\u030a/a`)).toBeNull()
  })

  it("I2: is outside where `..` follows a link, and a link to a link is followed to its end", () => {
    const tree = newTree()
    mkdirSync(join(tree, "drafts"))
    mkdirSync(join(tree, "project", "src"), { recursive: true })
    symlinkSync(join(tree, "project", "src"), join(tree, "drafts", "src"))
    symlinkSync("src", join(tree, "drafts", "again"))
    for (const link of ["src", "again"]) {
      expect(places(`${tree}/drafts/${link}/../Makefile`)).toEqual([join(tree, "project", "Makefile")])
    }
    expect(places(`${tree}/drafts/again/`)).toEqual([join(tree, "project", "src"), join(tree, "drafts", "again")])
    expect(places("/")).toEqual(["/"])
  })

  it("I3: cannot be told of a loop, of too many links, of a path that is too long, of NUL, and of what is another's to each process", () => {
    const tree = newTree()
    symlinkSync("one", join(tree, "two"))
    symlinkSync("two", join(tree, "one"))
    symlinkSync("end", join(tree, "l0"))
    for (let at = 1; at <= 41; at += 1) symlinkSync(`l${at - 1}`, join(tree, `l${at}`))
    symlinkSync("/proc/self/cwd", join(tree, "mine"))
    symlinkSync(Buffer.from([0x61, 0xff]), join(tree, "bytes"))
    expect(places(`${tree}/l39`)).toEqual([join(tree, "end"), join(tree, "l39")])
    const long = `${tree}/${"a/".repeat(2_048)}`
    for (const path of [`${tree}/one`, `${tree}/l40`, long, `${tree}/${"a".repeat(300)}`, `${tree}/\0`])
      expect(places(path), path.slice(0, 100)).toBeNull()
    if (isLinux) for (const link of ["mine", "bytes"]) expect(places(join(tree, link))).toBeNull()
  })

  it("I3: cannot be told where this process may not look", ({ skip }) => {
    if (process.getuid?.() === 0) skip("root may look everywhere")
    const tree = newTree()
    mkdirSync(join(tree, "closed"))
    chmodSync(join(tree, "closed"), 0)
    expect(places(join(tree, "closed", "a"))).toBeNull()
    chmodSync(join(tree, "closed"), 0o700)
  })

  it("I3: takes bounded time, however links multiply the names to be walked", () => {
    const tree = newTree()
    for (let at = 0; at < 30; at += 1) symlinkSync(`l${at + 1}/${"../".repeat(500)}`, join(tree, `l${at}`))
    expect(places(join(tree, "l0"))).toBeNull()
  })
})

it("names below what does not exist are not looked at one by one", () => {
  const deep = `/no-such-folder-here/${"a/".repeat(2_000)}file`
  expect(places(deep)).toEqual([deep])
  expect(places(`/no-such-folder-here/${"a/../".repeat(700)}file`)).toEqual(["/no-such-folder-here/file"])
})

describe("one look", () => {
  function counted() {
    let looks = 0
    const find = realPaths(process.platform, (path) => {
      looks += 1
      return lstatSync(path, { throwIfNoEntry: false })
    })
    return { find, looks: () => looks }
  }

  it("I4: takes one look at each further name in a folder it has seen", () => {
    const tree = newTree()
    symlinkSync(".", join(tree, "here"))
    const { find, looks } = counted()
    expect(find(`${tree}/here/0`)).toEqual([join(tree, "0")])
    const before = looks()
    for (let at = 1; at <= 100; at += 1) expect(find(`${tree}/here/${at}`)).toEqual([join(tree, `${at}`)])
    expect(looks() - before).toBe(100)
  })

  it("I4: walks 4,096 names in all, and can tell of no path beyond", () => {
    const tree = newTree()
    const { find, looks } = counted()
    const thousands = Array.from({ length: 5_000 }, (_, at) => find(`${tree}/${at}`))
    expect(thousands[0]).toEqual([join(tree, "0")])
    expect(thousands.at(-1)).toBeNull()
    expect(looks()).toBe(4_096)
    const deep = counted()
    const missing = Array.from({ length: 40 }, (_, at) => deep.find(`/no-such-folder-here/${at}/${"a/".repeat(400)}b`))
    expect(missing.filter((found) => found !== null).length).toBeLessThan(12)
  })

  it("I4: reads 4,096 names of folders for other spellings, and can tell of no path beyond that needs more", ({
    skip,
  }) => {
    if (!isLinux) skip("other systems take the spellings for one name")
    const tree = newTree()
    for (const folder of ["one", "two", "three"]) {
      mkdirSync(join(tree, folder))
      for (let at = 0; at < 2_000; at += 1) writeFileSync(join(tree, folder, `${at}`), "")
    }
    const find = realPaths()
    for (const folder of ["one", "two", "one"]) expect(find(`${tree}/${folder}/Key`)).toEqual([`${tree}/${folder}/Key`])
    expect(find(`${tree}/three/Key`)).toBeNull()
    mkdirSync(join(tree, "empty"))
    expect(find(`${tree}/empty/Key`)).toBeNull()
    expect(find(`${tree}/three/plain`)).toEqual([`${tree}/three/plain`])
    expect(realPaths()(`${tree}/three/Key`)).toEqual([`${tree}/three/Key`])
  })

  it("I4: takes one more look at a name that may be spelled otherwise, in a folder that is there", () => {
    const tree = newTree()
    const { find, looks } = counted()
    expect(find(`${tree}/plain`)).toEqual([join(tree, "plain")])
    const before = looks()
    expect(find(`${tree}/Key`)).toEqual([join(tree, "Key")])
    expect(looks() - before).toBe(2)
  })
})
