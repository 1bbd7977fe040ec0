import { Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import type { LinkError } from "../link.ts"
import { openInput } from "./child-input.ts"

/** An input that is read only when told: each reading takes what was written at once. From `catchUp` on, every write is taken at once. */
function slowInput() {
  const writes: string[] = []
  let taken: (() => void) | null = null
  let isFast = false
  const stdin = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      writes.push(text)
      if (isFast) done()
      else taken = done
    },
  })
  const read = async (): Promise<void> => {
    const done = taken
    taken = null
    done?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const catchUp = (): Promise<void> => {
    isFast = true
    return read()
  }
  return { stdin, writes, read, catchUp }
}

const unheard = (): void => {}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("the input of a server's process", () => {
  it("writes together what comes together", async () => {
    const { stdin, writes } = slowInput()
    const input = openInput(stdin)
    for (const text of ["1\n", "2\n", "3\n"]) input.write({ text, done: unheard }, "ann")
    await turn()
    expect(writes).toEqual(["1\n2\n3\n"])
  })

  it("I1: takes agents in turn when the server reads slowly", async () => {
    const { stdin, writes, read } = slowInput()
    const input = openInput(stdin)
    const long = "a".repeat(70_000)
    for (let n = 0; n < 20; n++) input.write({ text: long, done: unheard }, "ann")
    await turn()
    input.write({ text: "bob\n", done: unheard }, "bob")
    await read()
    await read()
    expect(writes.slice(0, 3).join("")).toContain("bob")
  })

  it("I2: refuses what is too much of one agent, and takes another's", async () => {
    const { stdin, read } = slowInput()
    const input = openInput(stdin)
    const told: string[] = []
    const note = (name: string) => (error: Error | null) => void told.push(`${name}: ${error?.message ?? "written"}`)
    input.write({ text: "first\n", done: unheard }, "ann")
    await turn()
    const part = "a".repeat(6 * 1024 * 1024)
    for (const name of ["one", "two", "three"]) input.write({ text: part, done: note(name) }, "ann")
    expect(told).toEqual([expect.stringMatching(/^three: The server reads its input too slowly/)])
    input.write({ text: "bob\n", done: note("bob") }, "bob")
    for (let n = 0; n < 6; n++) await read()
    expect(told.slice(1).sort()).toEqual(["bob: written", "one: written", "two: written"])
  })

  it("I3: writes what may still leave when its turn comes, and nothing that was taken back", async () => {
    const { stdin, writes, read } = slowInput()
    const input = openInput(stdin)
    const told: Array<string | null> = []
    const done = (error: LinkError | null): void => void told.push(error?.code ?? null)
    input.write({ text: "a".repeat(70_000), done: unheard }, "ann")
    await turn()
    let isAllowed = true
    input.write({ text: "1\n", request: 1, mayLeave: () => isAllowed, done }, "ann")
    input.write({ text: "2\n", request: 2, mayLeave: () => true, done: unheard }, "ann")
    input.write({ text: "3\n", request: 3, done: unheard }, "bob")
    input.write({ text: "4\n", request: 4, done }, "ann")
    isAllowed = false
    for (const request of [2, 3, 2, 5]) input.forget(request)
    await read()
    expect(writes.slice(1)).toEqual(["4\n"])
    await read()
    expect(told).toEqual(["outdated", null])
  })

  it("I4: hands over one line at a time while the server reads slowly, and together what comes once it has caught up", async () => {
    const { stdin, writes, read, catchUp } = slowInput()
    const input = openInput(stdin)
    let isAllowed = true
    const lines = (...texts: string[]) => {
      for (const text of texts) input.write({ text, mayLeave: () => isAllowed, done: unheard }, "ann")
    }
    lines("1\n", "2\n")
    await turn()
    lines("3\n", "4\n", "5\n")
    await read()
    await read()
    isAllowed = false
    await read()
    expect(writes).toEqual(["1\n2\n", "3\n", "4\n"])
    isAllowed = true
    await catchUp()
    for (const late of ["6\n", "7\n", "8\n"]) lines(late)
    await turn()
    lines("9\n", "10\n")
    await turn()
    expect(writes.slice(3)).toEqual(["6\n", "7\n", "8\n", "9\n10\n"])
  })

  it("hands over all that waits before its end, and tells what comes later that nobody reads", async () => {
    const { stdin, writes, read } = slowInput()
    const input = openInput(stdin)
    const told: Array<string | null> = []
    for (let n = 0; n < 3; n++) input.write({ text: "a".repeat(70_000), done: unheard }, "ann")
    input.flush()
    stdin.end()
    input.write({ text: "late\n", done: (error) => void told.push(error?.code ?? null) }, "ann")
    for (let n = 0; n < 4; n++) await read()
    expect(writes.join("")).toHaveLength(210_000)
    expect(told).toEqual(["cut-off"])
  })
})
