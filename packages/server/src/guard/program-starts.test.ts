import { expect, it } from "vitest"
import { createProgramStarts, mostStarts, type StartingRequest } from "./program-starts.ts"

/** Requests whose work takes `ms` of the thread; `order` has their names, a `.` for what was ready and a `-` for each turn of others. */
function open(ms: number, onMark = (_marks: number, _seen: { now: number }): void => {}) {
  const seen = { order: [] as string[], now: 0 }
  const told = (mark: string) => () =>
    new Promise<void>((resolve) => {
      setImmediate(() => {
        onMark(seen.order.push(mark), seen)
        resolve()
      })
    })
  const { begin } = createProgramStarts({ now: () => seen.now, nextTurn: told("-"), soon: told(".") })
  const request = async (
    name: string,
    { program = "ci", wrap = "", ...start }: Partial<StartingRequest & { wrap: string }> = {},
  ) => {
    if (!(await begin(program, { bytes: 0, ...start, program: wrap }))) return void seen.order.push(`${name} refused`)
    seen.order.push(name)
    seen.now += ms
  }
  return { seen, begin, request }
}

const eightTurns = Array.from({ length: 8 }, () => "-")

it("I1: others have a turn between two requests of a program, in whose order they begin", async () => {
  const { seen, request } = open(1)
  await Promise.all(["a", "b", "c"].map((name) => request(name)))
  expect(seen.order).toEqual(["a", ".", "b", ".", "c"])
})

it("I1: others have several turns after a request that took long", async () => {
  const { seen, request } = open(300)
  await Promise.all([request("a"), request("b")])
  expect(seen.order).toEqual(["a", ".", ...eightTurns, "b"])
})

it("I1: others have several turns also where what requests ask for takes long only some turns later", async () => {
  const { seen, request } = open(0, (marks, seen) => {
    // The first in its own turn, and again in the third turn of others.
    if (marks === 2 || marks === 5) seen.now += 300
  })
  await Promise.all(["long", "second", "third"].map((name) => request(name)))
  expect(seen.order).toEqual(["long", ".", ...eightTurns, "second", ".", ...eightTurns, "third"])
})

it("I1: programs do not wait for each other", async () => {
  const { seen, request } = open(300)
  await Promise.all([request("a"), request("b", { program: "other" })])
  expect(seen.order).toEqual(["a", "b"])
})

it.each([
  { name: "in number", bytes: 0, fits: mostStarts.pieces },
  { name: "in bytes", bytes: mostStarts.bytes / 4, fits: 4 },
])("I2: a program has no more waiting than it may, $name; another's count for themselves", async ({ bytes, fits }) => {
  const { begin } = open(1)
  const begun = await begin("ci", { bytes })
  const waiting = Array.from({ length: fits }, () => begin("ci", { bytes }))
  expect(await begin("ci", { bytes })).toBe(false)
  expect(await begin("other", { bytes })).toBe(true)
  expect([begun, await waiting[0]]).toEqual([true, true])
  expect(await begin("ci", { bytes })).toBe(true)
})

it("I2: one request alone may wait however large it is", async () => {
  const { begin } = open(1)
  await begin("ci", { bytes: 0 })
  expect(await begin("ci", { bytes: mostStarts.bytes + 1 })).toBe(true)
})

it("I3: what ends something begins before the others, also where as many wait as may; ending it twice does not", async () => {
  const { seen, request } = open(1)
  const others = Array.from({ length: mostStarts.pieces + 1 }, (_, n) => request(String(n)))
  const ends = [request("end", { ends: "run 1", bytes: mostStarts.bytes }), request("again", { ends: "run 1" })]
  await ends[0]
  expect(seen.order).toEqual(["0", "again refused", ".", "end"])
  await Promise.all([...others, ...ends])
  expect(seen.order.filter((mark) => mark.endsWith("refused"))).toEqual(["again refused"])
})

it("I5: programs that share a credential begin in turn", async () => {
  const { seen, request } = open(1)
  const wraps = { a: "one", b: "two", c: "three" } as const
  const names = ["a0", "a1", "a2", "a3", "b1", "b2", "c1"]
  await Promise.all(names.map((name) => request(name, { wrap: wraps[name.charAt(0) as keyof typeof wraps] })))
  expect(seen.order.filter((mark) => mark !== ".")).toEqual(["a0", "a1", "b1", "c1", "a2", "b2", "a3"])
})

it("I2: a program leaves room for those that share its credential, and for what goes first of its own", async () => {
  const { begin } = open(1)
  await begin("ci", { program: "one", bytes: 0 })
  for (let n = 0; n < mostStarts.pieces; n++) void begin("ci", { program: "one", bytes: 1 })
  expect(await begin("ci", { program: "one", bytes: 1 })).toBe(false)
  const others = [
    begin("ci", { program: "one", bytes: 1, goesFirst: true }),
    begin("ci", { program: "two", bytes: mostStarts.bytes / 8 }),
    begin("ci", { program: "two", bytes: 1 }),
  ]
  expect(await Promise.all(others)).toEqual([true, true, true])
})

it("I3: what goes first begins before its program's others, and before nobody else's", async () => {
  const { seen, request } = open(1)
  const waiting = ["a0", "a1", "b1", "b2"].map((name) => request(name, { wrap: name.charAt(0) }))
  await Promise.all([...waiting, request("b first", { wrap: "b", goesFirst: true })])
  expect(seen.order.filter((mark) => mark !== ".")).toEqual(["a0", "a1", "b first", "b1", "b2"])
})

it("I4: a program that waits for its answers begins at once", async () => {
  const { seen, request } = open(1)
  const answered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  for (const name of ["a", "b", "c"]) {
    const length = seen.order.length
    const begun = request(name)
    await Promise.resolve().then(() => {})
    expect(seen.order.slice(length)).toEqual([name])
    await begun
    await answered()
  }
})
