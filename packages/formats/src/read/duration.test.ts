import fc from "fast-check"
import { expect, it } from "vitest"
import { formatDuration, parseDuration } from "./duration.ts"

it.each([
  ["250ms", 250],
  ["50s", 50_000],
  ["1.5m", 90_000],
  ["8h", 28_800_000],
  ["2d", 172_800_000],
])("%s is %d ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

it.each(["", "8", "8 h", "h", "-1s", "0s", "1e3s", "0x10s", "8H", "1h30m", "9999999d", "NaNs", "Infinitys"])(
  "%j is no duration",
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

it("reads back what it writes", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3650 * 86_400_000 }), (ms) => parseDuration(formatDuration(ms)) === ms),
  )
})
