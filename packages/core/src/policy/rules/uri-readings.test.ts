import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import { uriReaders } from "../fixtures/uri-readers.ts"
import type { Effect } from "./rule.ts"
import { compileTarget, parseTargetPattern } from "./target-pattern.ts"
import { uriReadings } from "./uri-readings.ts"

const enough = (): boolean => true

function matcher(glob: string): (uri: string, effect: Effect) => boolean {
  const parsed = parseTargetPattern(`s(resource:${glob})`)
  if (!parsed.ok) throw new Error(parsed.problem)
  const matches = compileTarget(parsed.pattern)
  return (name, effect) => matches({ server: "s", kind: "resource", name }, effect)
}

const pieces = [
  ...["/", "/", "/", "..", "..", ".", "a", "b%20c", "secret", "secret", "open", "k", "C:", "C|", "@", ":", ";", "ü"],
  ...[
    "%2e%2e",
    ".%2E",
    "%2f",
    "%2F",
    "%5c",
    "\\",
    "?",
    "#",
    "%3F",
    "%23",
    "%252e",
    "%252f",
    "%253f",
    "%25",
    "%73ecret",
  ],
  ...["\t", "%09", "%0a", " ", "%20", "%ff", "%", "//"],
]
/** Schemes and hosts that all readers take for the same place, and what stands for it in rules. */
const places = [
  { prefix: "file://", begins: ["file://", "file://", "FILE://", "file:", "file://localhost", "file:///"] },
  {
    prefix: "https://intra.example",
    begins: ["https://intra.example", "https:\\\\u@intra.example:443", "https:intra.example"],
  },
  { prefix: "db://prod", begins: ["db://prod", "DB://prod"] },
]

const anyUri = (begins: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...begins),
      fc.constantFrom("/", "/", "/secret/", "/open/", "/C:/"),
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 10 }),
      fc.constantFrom("", "/secret/k", "/%2e%2e/secret/k", "/../../open/k", "/C:/secret/k"),
      fc.constantFrom("", "", "?id=7", "?id=7#", "?id=7#z", "?id=7#a.txt", "?id=a.txt#/../?"),
    )
    .map(([begin, root, middle, end, tail]) => begin + root + middle.join("") + end + tail)

describe.each(places)("rules about $prefix", ({ prefix, begins }) => {
  const readers = Object.entries(uriReaders(prefix))
  const deny = matcher(`${prefix}/secret/*`)
  const denyOnDrive = matcher(`${prefix}/C:/secret/*`)
  const denyQuery = matcher(`${prefix}/*[?]id=7`)
  const allow = matcher(`${prefix}/open/*`)
  const allowQuery = matcher(`${prefix}/open/*[?]id=*.txt`)

  it("I2: what any reader takes for a denied address is denied, and what any of them takes elsewhere is not allowed", () => {
    fc.assert(
      fc.property(anyUri(begins), (uri) => {
        const [isAllowed, isDenied] = [allow(uri, "allow"), deny(uri, "deny")]
        const isQueryAllowed = allowQuery(uri, "allow")
        for (const [name, read] of readers) {
          const path = opened(read, uri)
          if (path === null) continue
          const why = `${uri} is ${path} to ${name}`
          if (/^\/secret\/./.test(path)) expect(isDenied, why).toBe(true)
          if (/^C:\/secret\/./.test(path)) expect(denyOnDrive(uri, "deny"), why).toBe(true)
          if (/^\/.*\?id=7$/.test(path)) expect(denyQuery(uri, "deny"), why).toBe(true)
          if (isAllowed) expect(`${path}/`, why).toMatch(/^\/open\//)
          if (isQueryAllowed && path.includes("?id=")) expect(path, why).toMatch(/\.txt$/)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

const ignorable = [..."\u00ad\u034f\u115f\u180b\u180e\u200b\u200d\u2060\u3164\ufe0f\ufeff\t\n", "\u{e0100}"]
/** Other ways to write a character, of which the web's parser takes some for the same. */
const insteadOf = (character: string): readonly string[] => {
  const code = character.charCodeAt(0)
  const percent = `%${code.toString(16).padStart(2, "0")}`
  const wide = code > 0x20 && code < 0x7f ? [String.fromCharCode(code + 0xfee0)] : []
  const ofKind =
    { ".": ["\u3002", "\uff61"], "/": ["\\", "//", "/./"], ":": [":0", ":@"], "@": ["@@", ":@"] }[character] ?? []
  return [character.toUpperCase(), percent, ...wide, ...ofKind, `${character}@`, `${character}:`]
}

it.each([
  "https://intra.example/private/a",
  "http://10.0.0.5/private/a",
  "https://[::1]/private/a",
  "https://b\u00fccher.example/private/a",
  "db://main/private/a",
  "db://main:5432/private/a",
])("I2: all that the web's parser takes for %s is denied with it", (uri) => {
  const deny = matcher(uri.replace("[", "[[]").replace(/a$/, "*"))
  const { href } = new URL(uri)
  const edit = fc.record({ at: fc.nat(uri.length - 1), how: fc.nat(30), adds: fc.boolean() })
  let met = 0
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      const written = edits.reduce((text, { at, how, adds }) => {
        const letters = Array.from(text)
        const others = adds ? ignorable : insteadOf(letters[at] ?? "")
        letters.splice(at, adds ? 0 : 1, others[how % others.length] ?? "")
        return letters.join("")
      }, uri)
      if (!URL.canParse(written) || new URL(written).href !== href) return
      met += 1
      expect(deny(written, "deny"), JSON.stringify(written)).toBe(true)
    }),
    { numRuns: 3_000 },
  )
  expect(met).toBeGreaterThan(50)
})

/** The path without what systems ignore in it; null where the reader refuses the URI. */
function opened(read: (uri: string) => string, uri: string): string | null {
  try {
    return read(uri).replaceAll(/\/{2,}/g, "/")
  } catch {
    return null
  }
}

it.each([
  ["file:///etc/*", "file:///x%3F/%2e%2e/etc/passwd"],
  ["file:///etc/*", "file:///x%23/%2E%2E/etc/passwd"],
  ["file:///etc/*", "file:///a%2Fb/%2e%2e/etc/passwd"],
  ["file:///etc/*", "file:///srv/x?/../../etc/passwd"],
  ["file:///etc/*", "file:///a\\b/../etc/passwd"],
  ["file:///etc/*", "file:///x/../etc//../passwd"],
  ["file:///etc/*", "file:///x/../etc/%2e%2e/../passwd"],
  ["file:///etc/passwd", "file:///etc/passwd/"],
  ["file:///C:/Users/*", "file:///C:/../Users/ada"],
  ["file:///C:/Users/*", "file:///C|/Users/ada"],
  ["file:///my%20files/*", "file:///my files/a"],
  ["file:///my%20files/*", "file:///m%79%20files/a"],
  ["https://intra.example/secret/*", "https://intra.example/x%3F/%2e%2e/secret/k"],
  ["https://intra.example/secret?id=*", "https://intra.example/a//../../secret?id=1&x=/../.."],
  ["db://prod/secret/*", "db://prod/a%2Fb/%2e%2e/secret/k"],
  ["docs://secret/*", "docs://open/../secret/k"],
  ["https://intra.example/a?id=7", "https://intra.example/a?id=7#"],
  ["https://intra.example/a[?]id=7", "https://intra.example/a?id=7#z"],
  ["https://intra.example/a[?]id=7", "https://intra.example/b/%2e%2e/a?id=7#z"],
  ["https://intra.example/a[?]id=7", "https://intra.example/a%3Fid=7%23z"],
  ["https://intra.example/a#b[?]id=7", "https://intra.example/a%23b?id=7#z"],
  ["*.key", "https://intra.example/get?file=prod.key#z"],
  ["note://team/c#1", "note://team/c#1?z"],
  ["file:///secret/*", "file://secret#/"],
  ["https://intra.example/*", "https://intra.example?z"],
  ["docs://secret/*", "docs:/secret/k"],
  ["docs://secret/*", "docs:secret/k"],
  ["docs://secret/*", "DOCS:Secret/k"],
  ["docs://secret/*", "docs:%2fsecret/k"],
  ["docs://secret/*", "docs:open/../secret/k"],
  ["docs://open/secret/*", "docs:open/../secret/k"],
  ["docs:secret/*", "docs://secret/k"],
  ["docs:/secret/*", "docs://secret/k"],
  ["docs:/secret/*", "docs:secret/k"],
  ["docs://secret/*", "docs://secret:/k"],
  ["docs://secret/*", "docs://@secret/k"],
  ["docs://secret/*", "docs://:@secret/k"],
  ["docs://secret/*", "docs://me@secret/k"],
  ["docs://secret/*", "docs://a@b@secret/k"],
  ["docs://secret/*", "docs://secret:8080/k"],
  ["docs://secret/*", "docs://secret%3a/k"],
  ["docs://secret/*", "docs://x%40secret/k"],
  ["docs://secret/*", "docs://Secret.:/k"],
  ["docs://secret:80/*", "docs://secret:0080/k"],
  ["docs:secret/*", "docs://me@secret:/k"],
  ["https://intra.example/*", "https://intra.\ufeffe\ufe0fxample/k"],
  ["http://127.0.0.1/*", "http://127.0\ufeff0.1/k"],
  ["prompts://secret", "prompts://se\u115fcr\ufeffet"],
])("I2: a deny, ask or hide of %s holds for %s", (glob, uri) => {
  const matches = matcher(glob)
  for (const effect of ["hide", "deny", "ask"] as const) expect(matches(uri, effect)).toBe(true)
})

it.each([
  ["file:///srv/*", "file:///srv/x%3F/%2e%2e/%2e%2e/etc/passwd"],
  ["file:///srv/*", "file:///srv/x?/../../etc/passwd"],
  ["file:///srv/*.txt", "file:///srv/secret.key?x.txt"],
  ["docs://open/*", "docs://open/../secret/k"],
  ["docs://open*", "docs://open@secret/k"],
  ["docs://open*", "docs://open%40secret/k"],
  ["https://a.example*", "https://a.example@b.example/k"],
  ["https://a.example/get[?]file=*.txt", "https://a.example/get?file=secret.key#.txt"],
  ["https://a.example/*[?]file=*.txt", "https://a.example/get?file=secret.key#.txt"],
  ["https://a.example/*[?]file=*.txt", "https://a.example/get?file=secret.key%23.txt"],
])("I2: an allow of %s does not hold for %s", (glob, uri) => {
  expect(matcher(glob)(uri, "allow")).toBe(false)
})

it.each([
  ["https://a.example/x?y=1", "https://a.example/x?y=1"],
  ["https://a.example/x[?]y=*", "https://a.example/x?y=1&z=2#top"],
  ["https://a.example/go?to=https://b.example/*", "https://a.example/go?to=https://b.example/c"],
  ["https://a.example/x[?]y=*#*", "https://a.example/x?y=1#top"],
  ["https://a.example/x?y=1#top", "https://a.example/x?y=1#top"],
  ["note://team/c#*", "note://team/c#1"],
  ["note://team/c[#]*", "note://team/c#1"],
  ["note://team/c[?#]*", "note://team/c#1"],
  ["urn:isbn:*", "urn:isbn:0451450523"],
  ["mailto:*@a.example", "mailto:ann@a.example"],
  ["mail://ann@a.example/*", "mail://ann@a.example/inbox"],
  ["mail://*", "mail://ann@a.example/inbox"],
  ["docs:open/*", "docs:open/a"],
  ["file://host/share/*", "file://host/share/a%20b"],
  ["docs://open/*", "docs://open/a/../b"],
])("an allow of %s holds for %s", (glob, uri) => {
  expect(matcher(glob)(uri, "allow")).toBe(true)
})

describe("a URI with more readings than can be told", () => {
  const uri = "https://a.example//a/%2e%2e/\\b//../%252e%252e/?c/../%253f//\t../%5c#/..//d"

  it("I3: has none, so every deny holds for it and no allow does", () => {
    expect(uriReadings(uri, () => [], enough)).toBe(null)
    expect(matcher("file:///etc/*")(uri, "deny")).toBe(true)
    expect(matcher("*")(uri, "allow")).toBe(false)
  })

  it("I3: the same where there is no work left to read them", () => {
    let readings = 0
    const mayRead = (): boolean => ++readings <= 2
    expect(uriReadings("https://a.example/%20a?b", () => [], mayRead)).toBe(null)
    expect(uriReadings("https://a.example/a", () => [], mayRead)).toBe(null)
    const long = `file:%2f%2fx/%2e/C|/${"xy/".repeat(2_500)}?a#b`
    expect(matcher("file:///etc/*")(long, "deny")).toBe(true)
    expect(matcher("*")(long, "allow")).toBe(false)
  })

  it.each(["/", "a/../", "%2e%2e/", "a//..%2f\\", "?/../", "%25", "\t", "@"])(
    "I3: takes time linear in its length: %j",
    (piece) => {
      const long = `https://a.example/${piece.repeat(60_000 / piece.length)}`
      expect(growthOf((text) => uriReadings(text, () => [], enough), long)).toBeLessThan(3)
    },
  )
})
