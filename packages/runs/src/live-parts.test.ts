import { expect, it } from "vitest"
import { createLiveParts, type RunNews } from "./live-parts.ts"

it("whoever comes late hears the leg from its beginning, but no more than is kept", () => {
  const live = createLiveParts((trouble) => {
    throw trouble
  })
  const heard = (run: string): readonly RunNews[] => {
    const news: RunNews[] = []
    live.watch(run, (each) => news.push(each))()
    return news
  }
  live.begin("short", 1)
  live.begin("long", 1)
  for (let n = 0; n < 100; n++) {
    const part = (text: string): RunNews => ({ type: "part", leg: 1, part: { type: "text-delta", id: "t", text } })
    live.tell("short", part("a word"))
    live.tell("long", part("x".repeat(10_000)))
  }
  expect(heard("short")).toHaveLength(100)
  expect(JSON.stringify(heard("long")).length).toBeLessThan(300_000)
  expect(heard("long").length).toBeGreaterThan(20)
})
