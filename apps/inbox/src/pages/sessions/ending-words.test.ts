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
    "2 waiting calls are withdrawn and will not run.",
    "Its mode ends: calls need approval again.",
    "1 blocked tool may be called again.",
    expect.any(String),
  ])
})
