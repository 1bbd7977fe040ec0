import type { SessionView } from "@byleave/api"
import { expect, it } from "vitest"
import { endingWords } from "./ending-words.ts"

const quiet = { waiting: 0, grants: [], refused: [], mode: "ask" } as unknown as SessionView

it("always says that the agent goes on", () => {
  expect(endingWords(quiet)).toEqual([expect.stringContaining("The agent itself is not stopped")])
})

it("says what is withdrawn, forgotten and lifted", () => {
  const busy = { ...quiet, waiting: 2, mode: "autonomous", refused: [{ server: "files", tool: "rm" }] } as const
  expect(endingWords(busy)).toEqual([
    "2 calls that wait are withdrawn; none of them runs.",
    "Its mode ends: calls are asked about again.",
    "1 refused tool may be asked for again.",
    expect.any(String),
  ])
})
