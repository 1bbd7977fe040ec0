import { expect, it } from "vitest"
import { budgetOf, isTimeLimit } from "./budgets.ts"

it.each([
  { name: "codex-mcp-client", token: true, budget: 290_000 },
  { name: "codex-mcp-client", token: false, budget: 290_000 },
  { name: "goose", token: true, budget: 290_000 },
  { name: "goose", token: false, budget: 290_000 },
  { name: "claude-code", token: true, budget: 400_000 },
  { name: "claude-code", token: false, budget: 400_000 },
  { name: "gemini-cli-mcp-client", token: true, budget: 400_000 },
  { name: "gemini-cli-mcp-client", token: false, budget: 400_000 },
  { name: "qwen-cli-mcp-client-files", token: true, budget: 400_000 },
  { name: "qwen-cli-mcp-client-files", token: false, budget: 400_000 },
  { name: "opencode", token: true, budget: 400_000 },
  { name: "copilot-cli", token: false, budget: 170_000 },
  { name: "copilot-cli", token: true, budget: 400_000 },
  { name: "opencode", token: false, budget: 50_000 },
  { name: "somebody-else", token: true, budget: 50_000 },
])("$name is held $budget ms (progress token: $token), before it gives up", ({ name, token, budget }) => {
  expect(budgetOf({ name, version: "1" }, token, 50_000)).toBe(budget)
})

it.each([
  { elapsed: 296_000, isClock: true },
  { elapsed: 304_000, isClock: true },
  { elapsed: 290_000, isClock: false },
  { elapsed: 310_000, isClock: false },
])("a cancellation by codex after $elapsed ms is its clock: $isClock", ({ elapsed, isClock }) => {
  expect(isTimeLimit({ name: "codex", version: "1" }, true, elapsed)).toBe(isClock)
})

it("a client nobody knows has no limit to cancel at", () => {
  expect(isTimeLimit({ name: "unknown", version: "1" }, true, 60_000)).toBe(false)
})

it("a client that was never seen to give up has no limit to cancel at", () => {
  expect(isTimeLimit({ name: "claude-code", version: "1" }, true, 420_000)).toBe(false)
})
