import { describe, expect, it } from "vitest"
import { lastingForGood, readLasting } from "./lasting.ts"

const now = new Date("2026-03-01T12:00").getTime()

describe("readLasting", () => {
  it.each([
    { name: "for good", draft: {}, lasting: {} },
    { name: "30 minutes", draft: { ends: "30 minutes" }, lasting: { until: now + 30 * 60_000 } },
    {
      name: "8 hours, 5 times",
      draft: { ends: "8 hours", uses: " 5 " },
      lasting: { until: now + 8 * 3_600_000, uses: 5 },
    },
    {
      name: "a time of the reader's own clock",
      draft: { ends: "at", at: "2026-03-01T13:30" },
      lasting: { until: now + 90 * 60_000 },
    },
  ] as const)("reads $name", ({ draft, lasting }) => {
    expect(readLasting({ ...lastingForGood, ...draft }, now)).toEqual({ ok: true, lasting })
  })

  it.each([
    { draft: { uses: "0" }, field: "uses" },
    { draft: { uses: "-1" }, field: "uses" },
    { draft: { uses: "1.5" }, field: "uses" },
    { draft: { uses: "1e3" }, field: "uses" },
    { draft: { uses: "9999999" }, field: "uses" },
    { draft: { ends: "at", at: "" }, field: "at" },
    { draft: { ends: "at", at: "2026-02-30" }, field: "at" },
    { draft: { ends: "at", at: "2026-03-01T11:59" }, field: "at" },
  ] as const)("refuses $draft at its field", ({ draft, field }) => {
    expect(readLasting({ ...lastingForGood, ...draft }, now)).toMatchObject({ ok: false, field })
  })
})
