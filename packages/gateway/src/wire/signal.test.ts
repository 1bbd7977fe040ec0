import { describe, expect, it } from "vitest"
import { createSignal, type Signal, unlessAborted, whenAborted } from "./signal.ts"

/** A signal that counts who listens to it. */
function countedSignal() {
  const own = createSignal()
  const listeners = new Set<() => void>()
  const signal: Signal = {
    get aborted() {
      return own.aborted
    },
    addEventListener: (type, listener) => {
      listeners.add(listener)
      own.addEventListener(type, listener)
    },
    removeEventListener: (type, listener) => {
      listeners.delete(listener)
      own.removeEventListener(type, listener)
    },
  }
  return { signal, abort: own.abort, listeners }
}

const given = () => Promise.resolve("given")

describe("work under a signal that lasts longer", () => {
  it("leaves nothing at the signal once it is over, however it ends", async () => {
    const { signal, listeners } = countedSignal()
    for (let i = 0; i < 100; i++) {
      await expect(unlessAborted(signal, Promise.resolve(String(i)), given)).resolves.toBe(String(i))
      await expect(unlessAborted(signal, Promise.reject(new Error("no")), given)).rejects.toThrow("no")
      whenAborted(signal).end()
    }
    expect(listeners.size).toBe(0)
  })

  it("ends with what is given instead, also where the signal has said so before", async () => {
    const { signal, abort } = countedSignal()
    const working = unlessAborted(signal, new Promise<string>(() => {}), given)
    const told = whenAborted(signal).given
    abort()
    expect([await working, await told]).toEqual(["given", undefined])
    expect(await unlessAborted(signal, new Promise<string>(() => {}), given)).toBe("given")
    expect(await whenAborted(signal).given).toBeUndefined()
  })

  it("goes on where nothing is given instead", async () => {
    const { signal, abort } = countedSignal()
    const { promise, resolve } = Promise.withResolvers<string>()
    const working = unlessAborted(signal, promise, () => undefined)
    abort()
    resolve("done")
    expect(await working).toBe("done")
  })
})
