/** What a card predicts of a file, and what servers make of it: the reference filesystem server, and others that read edits in their own way. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, expect, it } from "vitest"
import { fileChanges, foreseen } from "../../packages/api/src/page.ts"

type Edit = { readonly oldText: string; readonly newText: string }
type EditingServer = { readonly applyFileEdits: (path: string, edits: readonly Edit[]) => Promise<string> }

const entry = import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js")
const server = (await import(new URL("./lib.js", entry).href)) as EditingServer
const folder = mkdtempSync(join(tmpdir(), "byleave-foreseen-"))
const file = join(folder, "a.txt")

afterAll(() => rmSync(folder, { recursive: true }))

type Made = (edits: readonly Edit[], current: string) => string | null | Promise<string | null>

/** Every way in which servers are known to read edits; null: they refuse. One that is added stands here, too. */
const readings: Readonly<Record<string, Made>> = {
  "the reference server": madeByServer,
  "text as it is": oneByOne((text, before, after) => text.split(before).join(after)),
  "replacement patterns": oneByOne((text, before, after) => text.replace(before, after)),
  "replacement patterns, everywhere": oneByOne((text, before, after) => text.replaceAll(before, after)),
  "replacement patterns of a regular expression": oneByOne((text, before, after) =>
    text.replace(new RegExp(before.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")), after),
  ),
  "line ends of Windows": withLineEnds(/\r\n/g),
  "line ends of every kind": withLineEnds(/\r\n?/g),
}

async function madeByServer(edits: readonly Edit[], current: string): Promise<string | null> {
  writeFileSync(file, current)
  try {
    await server.applyFileEdits(file, edits)
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}

function oneByOne(made: (text: string, before: string, after: string) => string): Made {
  return (edits, current) =>
    edits.reduce<string | null>(
      (text, { oldText, newText }) =>
        text === null || oldText === "" || !text.includes(oldText) ? null : made(text, oldText, newText),
      current,
    )
}

function withLineEnds(ends: RegExp): Made {
  const read = (text: string) => text.replace(ends, "\n")
  const made = oneByOne((text, before, after) => text.replace(before, () => after))
  return (edits, current) =>
    made(
      edits.map(({ oldText, newText }) => ({ oldText: read(oldText), newText: read(newText) })),
      read(current),
    )
}

function told(edits: readonly Edit[], current: string) {
  const [change] = fileChanges("edit_file", { path: "a.txt", edits })
  if (change === undefined) throw new Error("These are edits.")
  return foreseen(change, current)
}

it.each(Object.entries(readings))(
  "a file that is told is the file left by %s, but for line ends that may change",
  async (_, makes) => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", ":", " ", "\n", "\r\n", "\r", "\n  "), maxLength: 12 })
    const signs = ["$", "$$", "$&", "$`", "$'", "$1", "$<a>"]
    const newText = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "\r\n", "'", ...signs), maxLength: 6 })
    const cut = fc.record({
      ...{ from: fc.nat(11), length: fc.integer({ min: 1, max: 6 }), newText: fc.oneof(text, newText) },
      ends: fc.constantFrom("\n", "\r\n", null),
    })
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 2 }), text, async (cuts, current) => {
        const edits = cuts.map(({ from, length, newText, ends }) => {
          const oldText = current.slice(from, from + length)
          return { oldText: ends === null ? oldText : oldText.replace(/\r?\n/g, ends), newText }
        })
        const predicted = told(edits, current)
        const made = await makes(edits, current)
        if (predicted.kind !== "told" || made === null) return
        compared += 1
        if (predicted.mayChangeLineEnds) expect(plain(made)).toBe(plain(predicted.text))
        else expect(made).toBe(predicted.text)
      }),
      { numRuns: 1_000 },
    )
    expect(compared).toBeGreaterThan(50)
  },
)

it("another place than the exact one is not told", async () => {
  const current = "production:\n  approval: required\nsandbox:\n  # as in production:\r\n  approval: required\r\n"
  const edits = [{ oldText: "production:\r\n  approval: required", newText: "production:\r\n  approval: none" }]
  expect(await madeByServer(edits, current)).toMatch(/^production:\n {2}approval: none/)
  expect(told(edits, current).kind).not.toBe("told")
})

function plain(text: string): string {
  return text.replace(/\r\n?/g, "\n")
}
