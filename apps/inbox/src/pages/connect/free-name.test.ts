import { expect, it } from "vitest"
import { freeName } from "./free-name.ts"

it.each([
  { taken: [], name: "codex" },
  { taken: ["codex"], name: "codex-2" },
  { taken: ["codex", "codex-2", "codex-4"], name: "codex-3" },
])("beside $taken a token is named $name", ({ taken, name }) => {
  expect(freeName("codex", new Set(taken))).toBe(name)
})
