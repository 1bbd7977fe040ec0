import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { createKeptFiles, pieceBytes } from "./kept-files.ts"

function open() {
  const folder = mkdtempSync(join(tmpdir(), "kept-files-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return { files: createKeptFiles(folder), write: (text: string) => writeFileSync(join(folder, "page.js"), text) }
}

describe("files for anybody", () => {
  it("I1: answers share the memory of one file, also where nobody reads them on", async () => {
    const { files, write } = open()
    write("x".repeat(100_000))
    const asked = Array.from({ length: 20 }, () => files.file("page.js")?.body().getReader().read())
    const pieces = (await Promise.all(asked)).map((read) => read?.value)
    expect(new Set(pieces.map((piece) => piece?.buffer)).size).toBe(1)
  })

  it("I1: a file that was replaced is read anew, and one that is gone is not there", async () => {
    const { files, write } = open()
    expect(files.file("page.js")).toBeUndefined()
    write("before")
    expect(await new Response(files.file("page.js")?.body()).text()).toBe("before")
    write("afterwards")
    expect(await new Response(files.file("page.js")?.body()).text()).toBe("afterwards")
  })

  it("I2: gives all of a file, in small pieces, and none that nobody has asked for", async () => {
    const { files, write } = open()
    const text = Array.from({ length: 10_000 }, (_, at) => `${at}`).join(" ")
    write(text)
    const file = files.file("page.js")
    const sizes: number[] = []
    const taken: Uint8Array[] = []
    for await (const piece of file?.body() ?? []) {
      sizes.push(piece.byteLength)
      taken.push(piece)
    }
    expect(Buffer.concat(taken).toString()).toBe(text)
    expect(file?.bytes).toBe(text.length)
    expect(Math.max(...sizes)).toBe(pieceBytes)
  })
})
