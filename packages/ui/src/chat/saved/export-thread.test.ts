import { expect, it } from "vitest"
import { runView, storyItems } from "../../run/fixtures/runs.ts"
import { storyTurns } from "../../run/story-turns.ts"
import { listedCall } from "../../verdict/fixtures/waiting-call.ts"
import { chatMessages } from "../messages/chat-messages.ts"
import { threadAsJson, threadAsMarkdown } from "./export-thread.ts"

const denied = { status: "denied", settledAt: 1, by: "ada", refusal: { by: "reviewer" } }
const thread = {
  run: runView(0, { principal: "chat" }),
  messages: chatMessages(storyTurns(storyItems(0), null)),
  approvals: new Map([
    ["c2", listedCall({ id: "a1" })],
    ["c3", listedCall({ id: "a2", ...denied } as never)],
  ]),
}

it("R84, R85, R183: an exported thread has a block per request, with its state and everything that was asked", () => {
  const { messages } = JSON.parse(threadAsJson(thread))
  const blocks = messages[1].blocks
  expect(blocks.map(({ type }: { type: string }) => type)).toEqual([
    ...["reasoning", "text", "tool_call", "text", "tool_call_permission", "tool_call_permission", "tool_call"],
  ])
  expect(blocks[4]).toMatchObject({
    status: "pending",
    content: "held for approval because no rule matches files(write_file)",
    tool_call: { id: "c2", name: "files__write_file", server_name: "files" },
    extra: { permissionType: "write", serverName: "files", toolName: "write_file", needsUserAction: true },
    approval: { id: "a1", status: "pending" },
  })
  expect(blocks[5]).toMatchObject({ status: "denied", extra: { needsUserAction: false } })
})

it("as Markdown it reads like the thread", () => {
  const text = threadAsMarkdown(thread)
  expect(text).toMatch(/^# Tidy my notes\n\n## You\n\nTidy my notes\n\n## main\n\nLet me see/)
  expect(text).toContain("ada denied it. It did not run.")
})
