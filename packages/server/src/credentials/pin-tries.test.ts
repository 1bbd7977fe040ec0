import { describe, expect, it } from "vitest"
import { openPorts } from "./fixtures/open-ports.ts"
import { takePinTry } from "./pin-tries.ts"

describe("tries of a PIN", () => {
  it("I1, I2: made at the same moment are five, and one a minute after that", async () => {
    const ports = openPorts()
    const guess = async (times: number): Promise<number> => {
      const taken = await Promise.all(Array.from({ length: times }, () => takePinTry(ports, "ana")))
      return taken.filter((isTaken) => isTaken).length
    }
    let given = 0
    for (let round = 0; round < 20; round += 1) given += await guess(10)
    expect(given).toBe(5)
    expect(await takePinTry(ports, "ben")).toBe(true)
    ports.clock.now += 60_000
    expect(await guess(50)).toBe(1)
  })

  it("I3: that cannot be counted are not given", async () => {
    const ports = openPorts()
    const commit: typeof ports.store.commit = async () =>
      ({ ok: false, conflict: { kind: "pin-tries", id: "ana" } }) as never
    expect(await takePinTry({ ...ports, store: { ...ports.store, commit } }, "ana")).toBe(false)
  })
})
