import { Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import { openInput } from "./child-input.ts"

/** An input that is read only when told: each reading takes what was written at once. */
function slowInput() {
  const writes: string[] = []
  let taken: (() => void) | null = null
  const stdin = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      writes.push(text)
      taken = done
    },
  })
  const read = async (): Promise<void> => {
    const done = taken
    taken = null
    done?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { stdin, writes, read }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("the input of a server's process", () => {
  it("writes together what comes together", async () => {
    const { stdin, writes } = slowInput()
    const input = openInput(stdin)
    for (const line of ["1\n", "2\n", "3\n"]) input.write(line, "ann", () => {})
    await turn()
    expect(writes).toEqual(["1\n2\n3\n"])
  })

  it("I1: takes agents in turn when the server reads slowly", async () => {
    const { stdin, writes, read } = slowInput()
    const input = openInput(stdin)
    const long = "a".repeat(70_000)
    for (let n = 0; n < 20; n++) input.write(long, "ann", () => {})
    await turn()
    input.write("bob\n", "bob", () => {})
    await read()
    await read()
    expect(writes.slice(0, 3).join("")).toContain("bob")
  })

  it("I2: refuses what is too much of one agent, and takes another's", async () => {
    const { stdin, read } = slowInput()
    const input = openInput(stdin)
    const told: string[] = []
    const note = (name: string) => (error: Error | null) => void told.push(`${name}: ${error?.message ?? "written"}`)
    input.write("first\n", "ann", () => {})
    await turn()
    const part = "a".repeat(6 * 1024 * 1024)
    for (const name of ["one", "two", "three"]) input.write(part, "ann", note(name))
    expect(told).toEqual([expect.stringMatching(/^three: The server reads its input too slowly/)])
    input.write("bob\n", "bob", note("bob"))
    for (let n = 0; n < 6; n++) await read()
    expect(told.slice(1).sort()).toEqual(["bob: written", "one: written", "two: written"])
  })

  it("hands over all that waits before its end, and tells what comes later that nobody reads", async () => {
    const { stdin, writes, read } = slowInput()
    const input = openInput(stdin)
    const told: Array<string | null> = []
    for (let n = 0; n < 3; n++) input.write("a".repeat(70_000), "ann", () => {})
    input.flush()
    stdin.end()
    input.write("late\n", "ann", (error) => void told.push(error?.code ?? null))
    for (let n = 0; n < 4; n++) await read()
    expect(writes.join("")).toHaveLength(210_000)
    expect(told).toEqual(["cut-off"])
  })
})
