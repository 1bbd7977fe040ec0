import type { JournalLine } from "@byleave/core"
import { expect, it } from "vitest"
import { storyOf } from "./story.ts"

const answer = (...parts: readonly object[]): JournalLine => ({
  run: "r",
  seq: 1,
  name: "answer 1.0",
  at: 1,
  text: JSON.stringify({ parts }),
})

it.each([
  { length: 20_000, isCut: false },
  { length: 20_001, isCut: true },
])("says whether reasoning of $length characters is told whole", async ({ length, isCut }) => {
  const line = answer({ type: "reasoning-delta", id: "0", delta: "x".repeat(length) })
  const { items } = await storyOf({ journal: async () => [line] }, "r", 0)
  expect(items).toMatchObject([{ kind: "answer", reasoning: "x".repeat(20_000), isReasoningCut: isCut }])
})
