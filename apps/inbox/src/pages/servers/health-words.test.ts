import type { HealthView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { eraWords, healthWords } from "./health-words.ts"

const health: HealthView = {
  state: "idle",
  era: null,
  lastConnectedAt: null,
  lastError: "spawn ENOENT",
  retryAt: 5,
  links: 0,
}

describe("healthWords", () => {
  it.each([
    { state: "connected", links: 1, word: "Connected", sentence: "One connection is open." },
    { state: "connected", links: 3, word: "Connected", sentence: "3 connections are open." },
    { state: "idle", links: 0, word: "Idle", sentence: "It is not needed now. The next call starts it." },
    { state: "connecting", links: 0, word: "Connecting", sentence: "It is being started." },
    { state: "failing", links: 0, word: "Failing", sentence: "It is tried again by itself." },
  ] as const)("says $word of $links links in words", ({ word, sentence, ...now }) => {
    const said = healthWords({ transport: "stdio", stopped: false, health: { ...health, ...now } })
    expect(said).toMatchObject({ word, sentence })
  })

  it("tells the error and the next try only while it fails", () => {
    const failing = healthWords({ transport: "http", stopped: false, health: { ...health, state: "failing" } })
    expect(failing).toMatchObject({ error: "spawn ENOENT", retryAt: 5 })
    expect(healthWords({ transport: "http", stopped: false, health })).toMatchObject({ error: null, retryAt: null })
  })

  it("calls stopped what a person stopped, whatever its last connection says", () => {
    const said = healthWords({ transport: "stdio", stopped: true, health: { ...health, state: "failing" } })
    expect(said).toMatchObject({ word: "Stopped", error: null, retryAt: null })
  })
})

it("says that an era is not known before the first connection", () => {
  expect(eraWords(null)).toBe("Not known until it has connected")
})
