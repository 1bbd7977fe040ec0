import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * Patterns that end with a repetition and an end of text, and may begin anywhere. Such a pattern is tried again from each character that it repeats, which takes
 * quadratic time on long runs of them: look at the end of the text by its index instead. These are safe for the reason given.
 */
const allowed = new Map([
  ["apps/inbox/src/pages/policy/editor/code-editor/next-indent.ts /\\s#.*$/", "one line: the first match is the last"],
  ["packages/core/src/policy/risks/named-secret.ts /[.!?]+$/", "two hundred characters"],
  ["packages/core/src/policy/risks/urls-in.ts /[a-z][a-z0-9+.-]*$/i", "twelve characters"],
  ["packages/formats/src/read/read-service.ts /:[0-9]+$/", "what it repeats is not what it begins with"],
  [
    "packages/formats/src/read/servers/credential-name.ts /(?:token|secret|passw(?:or)?d|passphrase|passcode|pwd|pass|key|cookie|credential|auth|authorization|jwt|pat|pin|otp|bearer)s?[_-]?\\d*$/i",
    "what it repeats is not what it begins with",
  ],
  ["packages/ui/src/card/arguments/address-pieces.ts /:\\d*$/", "what it repeats is not what it begins with"],
  ["packages/ui/src/diff/risk-places.ts /^.*@|:\\d+$/g", "what it repeats is not what it begins with"],
  ["packages/ui/src/verdict/remember/path-scopes.ts /\\/[^/]*$/", "what it repeats is not what it begins with"],
])

it("no pattern looks for a repetition at the end of a text from each place in it", () => {
  const found = sources().flatMap((file) =>
    patternsIn(readFileSync(join(root, file), "utf8"))
      .filter(isRisky)
      .map((pattern) => `${file} ${pattern}`),
  )
  expect(found.toSorted()).toEqual([...allowed.keys()].toSorted())
})

it.each([
  ["/ +$/", true],
  ["/^a|[\\t ]+$/g", true],
  ["/[^.][. ]+$/", true],
  ["/(?:a|b*)$/", true],
  ["/x{2,}$/", true],
  ["/^ +$/", false],
  ["/^a+$|^b*$/", false],
  ["/:\\d{0,5}$/", false],
  ["/(?<!a)a+$/", false],
])("%s is risky: %s", (pattern, risky) => {
  expect(isRisky(pattern)).toBe(risky)
})

/** Unicode's normal forms take quadratic time on marks in a row. */
const normalizing = new Map([
  ["packages/core/src/call/text/normalize-text.ts", "it takes them apart"],
  ["apps/cli/src/files/sealed-key.ts", "what a person types in"],
  ["apps/cli/src/files/real-paths.ts", "names that a file system has, or could have"],
])

it("somebody's text is brought into a normal form in one place", () => {
  const found = sources().filter((file) => /\.normalize\((?:"NF|form)/.test(readFileSync(join(root, file), "utf8")))
  expect(found.toSorted()).toEqual([...normalizing.keys()].toSorted())
})

function sources(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "packages", "apps"], { cwd: root, encoding: "utf8" }).split("\n")
  return listed.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/fixtures\/|\/workbench\//.test(file))
}

const literal =
  /(?<=[(,=:[!&|?{};+\n]\s{0,80}|return )\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g

function patternsIn(source: string): readonly string[] {
  return source.replaceAll(/^\s{0,80}(?:\/\/|\*).*$/gm, "").match(literal) ?? []
}

/** An anchor, or a look back at what stands before, leaves it one place to begin. */
const isAnchored = /^(?:\(\?:)*(?:\^|\(\?<[=!])/
const endsWithRepetition = /(?:[*+]|\{\d+,\})\??\)*\$$/

function isRisky(pattern: string): boolean {
  const body = pattern.slice(1, pattern.lastIndexOf("/"))
  return alternatives(body).some((each) => endsWithRepetition.test(each) && !isAnchored.test(each))
}

/** Those of the whole pattern; classes and groups stay as they are. */
function alternatives(body: string): readonly string[] {
  const all = [""]
  let depth = 0
  for (const part of body.match(/\\.|\[(?:[^\]\\]|\\.)*\]|[\s\S]/g) ?? []) {
    if (part === "(") depth += 1
    if (part === ")") depth -= 1
    if (part === "|" && depth === 0) all.push("")
    else all[all.length - 1] += part
  }
  return all
}
