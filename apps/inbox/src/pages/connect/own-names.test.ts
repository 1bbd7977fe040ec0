import { expect, it } from "vitest"
import { ownServers, serverRule } from "../../../../../packages/formats/src/languages/programs/claude-code-names.ts"
import { isServerNamed, ownListed } from "../../../../../packages/formats/src/languages/programs/copilot-names.ts"
import { clientSetups } from "./client-setups.ts"
import { isClaudeServer, isCopilotServer } from "./own-names.ts"

const odd = ["files", "my-notes_2", "a__b", "a b", "@scope/notes", "it's", "a:b", "*", "", "Shell", "IDE"]
const names = [...ownServers, ...ownListed, ...odd]

it.each(names)("a server called %j is told of as in the rule languages", (name) => {
  expect(isCopilotServer(name)).toBe(isServerNamed(name))
  expect(isClaudeServer(name)).toBe(serverRule(name) !== null)
})

it.each([
  { id: "copilot-cli", name: "shell", allows: false },
  { id: "copilot-cli", name: "memory", allows: false },
  { id: "copilot-cli", name: "ide", allows: true },
  { id: "claude-code", name: "ide", allows: false },
  { id: "claude-code", name: "a__b", allows: false },
  { id: "claude-code", name: "shell", allows: true },
])("the setup of $id for a server called $name allows its tools: $allows", ({ id, name, allows }) => {
  const setup = clientSetups.find((each) => each.id === id)
  const last = setup?.steps.wrap.at(-1)?.text({ name, url: "", command: ["x"] }) ?? ""
  expect(/--allow-tool|mcp__/.test(last)).toBe(allows)
})
