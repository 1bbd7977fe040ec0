import type { HealthView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { eraWords, healthMark, healthWords } from "./health-words.ts"

const health: HealthView = {
  state: "idle",
  era: null,
  lastConnectedAt: null,
  lastError: "spawn ENOENT",
  retryAt: 5,
  links: 0,
}
const server = { transport: "stdio", stopped: false, health } as const

describe("healthWords", () => {
  it.each([
    { state: "connected", links: 1, word: "Connected", sentence: "1 open connection." },
    { state: "connected", links: 3, word: "Connected", sentence: "3 open connections." },
    { state: "idle", links: 0, word: "Idle", sentence: "Not in use. The next call starts it." },
    { state: "connecting", links: 0, word: "Connecting", sentence: "Starting." },
    { state: "failing", links: 0, word: "Failing", sentence: "Calls fail until the next retry." },
  ] as const)("says of a server that is $state with $links links: $sentence", ({ word, sentence, ...now }) => {
    const asked = { ...server, health: { ...health, ...now } }
    expect(healthMark(asked).word).toBe(word)
    expect(healthWords(asked, 1).sentence).toBe(sentence)
  })

  it("tells the error and the next try only while it fails", () => {
    const failing = { ...server, health: { ...health, state: "failing" } } as const
    expect(healthWords(failing, 1)).toMatchObject({ error: "spawn ENOENT", retryAt: 5 })
    expect(healthWords(failing, 5)).toMatchObject({ sentence: "The next call retries.", retryAt: null })
    expect(healthWords(server, 1)).toMatchObject({ error: null, retryAt: null })
  })

  it("calls stopped what a person stopped, whatever its last connection says", () => {
    const stopped = { ...server, stopped: true, health: { ...health, state: "failing" } } as const
    expect(healthMark(stopped).word).toBe("Stopped")
    expect(healthWords(stopped, 1)).toMatchObject({ error: null, retryAt: null })
  })
})

it("says of a server that a client runs that nothing can be done to it here", () => {
  const wrapped = { ...server, transport: "program" } as const
  expect(healthMark(wrapped).word).toBe("Run by a client")
  expect(healthWords(wrapped, 1)).toMatchObject({ sentence: expect.stringContaining("byleave wrap"), error: null })
})

it("says that an era is not known before the first connection", () => {
  expect(eraWords(null)).toBe("Unknown until it connects")
})
