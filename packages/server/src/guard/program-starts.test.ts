import { expect, it } from "vitest"
import { createProgramStarts, mostStarts, type ProgramStart } from "./program-starts.ts"

/** Requests whose work takes `ms` of the thread; `order` has their names, a `.` for what was ready and a `-` for each turn of others. */
function open(ms: number) {
  const seen = { order: [] as string[], now: 0 }
  const told = (mark: string) => () =>
    new Promise<void>((resolve) => {
      setImmediate(() => {
        seen.order.push(mark)
        resolve()
      })
    })
  const { begin } = createProgramStarts({ now: () => seen.now, nextTurn: told("-"), soon: told(".") })
  const request = async (
    name: string,
    { program = "ci", ...start }: Partial<ProgramStart & { program: string }> = {},
  ) => {
    if (!(await begin(program, { bytes: 0, ...start }))) return void seen.order.push(`${name} refused`)
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

it("I1: others have several turns after a request that took long, and after those that follow it", async () => {
  const { seen, request } = open(300)
  await Promise.all([request("a"), request("b")])
  expect(seen.order).toEqual(["a", ".", ...eightTurns, "b"])
})

it("I1: a program has short turns again once several of its requests have taken no longer", async () => {
  const { seen, request } = open(1)
  const long = request("long")
  seen.now += 300
  const names = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
  await Promise.all([long, ...names.map((name) => request(name))])
  const turnsBefore = (name: string) =>
    seen.order.slice(0, seen.order.indexOf(name)).filter((mark) => mark === "-").length
  expect(names.map(turnsBefore)).toEqual([8, 16, 24, 32, 40, 48, 56, 64, 64])
})

it("I1: programs do not wait for each other", async () => {
  const { seen, request } = open(300)
  await Promise.all([request("a"), request("b", { program: "other" })])
  expect(seen.order).toEqual(["a", "b"])
})

it.each([
  { name: "in number", bytes: 0, fits: mostStarts.requests },
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
  const others = Array.from({ length: mostStarts.requests + 1 }, (_, n) => request(String(n)))
  const ends = [request("end", { ends: "run 1", bytes: mostStarts.bytes }), request("again", { ends: "run 1" })]
  await ends[0]
  expect(seen.order).toEqual(["0", "again refused", ".", "end"])
  await Promise.all([...others, ...ends])
  expect(seen.order.filter((mark) => mark.endsWith("refused"))).toEqual(["again refused"])
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
