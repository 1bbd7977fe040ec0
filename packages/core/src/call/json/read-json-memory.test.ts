import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, it } from "vitest"
import type { JsonValue } from "./json.ts"
import { readJson } from "./read-json.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void
const length = 1_000_000
const texts = 32

/** The reachable memory, as a number of such texts. */
function textsInMemory(): number {
  collect()
  return process.memoryUsage().heapUsed / length
}

it.each([
  { name: "a string", written: (at: number) => `"a://resource/number/${at}"` },
  { name: "a string with an escape", written: (at: number) => `"a://resource/number/${at}\\n"` },
  { name: "a number", written: (at: number) => `0.1000000000000000000000000${at + 1}` },
])("I6: $name of a long text is kept without the text", ({ written }) => {
  const kept: JsonValue[] = []
  const before = textsInMemory()
  for (let at = 0; at < texts; at += 1) {
    const read = readJson(`[${written(at)},"${"x".repeat(length)}"]`)
    if (read.ok && Array.isArray(read.value)) kept.push(read.value[0])
  }
  expect(kept).toHaveLength(texts)
  expect(textsInMemory() - before).toBeLessThan(texts / 4)
})
