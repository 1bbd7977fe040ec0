import type { AuditReportView } from "@byleave/api"
import { sizeInWords } from "@byleave/core"
import { expect, it } from "vitest"
import { checkedInWords, foundProblems, notesOf } from "./report-words.ts"
import { saveStream } from "./save-stream.ts"

const report: AuditReportView = {
  ...{ ok: true, records: 1_204, chains: 1, problems: [], problemCount: 0, unsigned: 0, unfinished: 0, heads: [] },
}

it("says what was checked, what is not finished and what is not signed yet", () => {
  expect(checkedInWords(report)).toBe("1,204 records in 1 chain were checked from first to last.")
  expect(notesOf(report)).toEqual([])
  expect(notesOf({ ...report, unfinished: 1, unsigned: 2 }).map((note) => note.split(":")[0])).toEqual([
    "1 call unfinished",
    "2 records not signed yet",
  ])
})

it("tells each problem and where it is, and never nothing", () => {
  const problems = [
    { code: "hash-broken", writer: "w", seq: 7, sentence: "Record 7 of w was changed." },
    { code: "second-run", subject: "call-1", sentence: "It ran twice." },
    { odd: true },
  ]
  expect(foundProblems({ ...report, problems })).toEqual([
    { sentence: "Record 7 of w was changed.", where: "w/7", call: null },
    { sentence: "It ran twice.", where: null, call: "call-1" },
    { sentence: "Problem: no reason given.", where: null, call: null },
  ])
})

it("copies a stream as it comes and leaves nothing half-written behind", async () => {
  const written: string[] = []
  const target = {
    write: async (chunk: Uint8Array) => void written.push(new TextDecoder().decode(chunk)),
    close: async () => void written.push("closed"),
    abort: async () => void written.push("aborted"),
  }
  const told: number[] = []
  const chunks = ["ab", "cde"].map((text) => new TextEncoder().encode(text))
  expect(await saveStream(ReadableStream.from(chunks), target, (bytes) => told.push(bytes))).toBe(5)
  expect(written.splice(0)).toEqual(["ab", "cde", "closed"])
  expect(told).toEqual([2, 5])

  const broken = ReadableStream.from(
    (async function* () {
      yield new TextEncoder().encode("ab")
      throw new Error("cut off")
    })(),
  )
  await expect(saveStream(broken, target, () => undefined)).rejects.toThrow("cut off")
  expect(written).toEqual(["ab", "aborted"])
})

it.each([
  { bytes: 412, words: "412 bytes" },
  { bytes: 3_400, words: "3.4 kB" },
  { bytes: 12_000_000, words: "12 MB" },
])("says $words", ({ bytes, words }) => {
  expect(sizeInWords(bytes)).toBe(words)
})
