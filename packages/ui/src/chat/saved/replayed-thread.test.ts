import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { storyTurns } from "../../run/story-turns.ts"
import { chatMessages } from "../messages/chat-messages.ts"
import { waitingCalls } from "../messages/waiting-calls.ts"
import { readThreadRecording } from "./read-recording.ts"
import { listedApproval, replayedThread } from "./replayed-thread.ts"

const folder = fileURLToPath(new URL("../../../../../recordings", import.meta.url))
const ofRuns = globSync("{run-*,threads/*}.jsonl", { cwd: folder })

function read(name: string) {
  const recording = readThreadRecording(readFileSync(join(folder, name), "utf8"))
  if (!recording.ok) throw new Error(recording.problem)
  return recording.thread
}

function waitingAfter(name: string, played: number): readonly string[] {
  const { items, approvals } = replayedThread(read(name), played, 0)
  const listed = new Map([...approvals].map(([toolCall, approval]) => [toolCall, listedApproval(approval)]))
  return waitingCalls(chatMessages(storyTurns(items, null)), listed).map(({ tool }) => tool.tool)
}

describe("a recorded thread", () => {
  it.each(ofRuns)(
    "R192, R194: %s plays to its end in the page's own messages, and each call is asked about",
    (name) => {
      const thread = read(name)
      const asks = thread.steps.filter(({ kind }) => kind === "asked").length
      expect(asks).toBeGreaterThan(0)
      const end = replayedThread(thread, thread.steps.length, 0)
      expect([...end.approvals.values()].filter(({ status }) => status === "pending")).toEqual([])
      const last = chatMessages(storyTurns(end.items, null)).at(-1)
      expect(last?.kind === "reply" && last.parts.at(-1)?.kind).toBe("text")
    },
  )

  it("I2: two calls wait from their step on, and the recorded answers settle them", () => {
    const name = "run-two-calls-one-denied.jsonl"
    const { steps } = read(name)
    const asked = steps.findIndex(({ kind }) => kind === "asked") + 1
    expect(waitingAfter(name, asked - 1)).toEqual([])
    expect(waitingAfter(name, asked)).toEqual(["write", "write"])
    expect(replayedThread(read(name), asked, 0).awaited.map(({ approve }) => approve)).toEqual([true, false])
    const after = [...replayedThread(read(name), steps.length, 0).approvals.values()]
    expect(after.map(({ status }) => status)).toEqual(["succeeded", "denied"])
  })

  it.each([
    { text: "", problem: "It is empty." },
    { text: "{", problem: "Line 1 is not a JSON object." },
    { text: '{"a":1}', problem: "It does not begin like a recording of Byleave." },
    {
      text: '{"recording":{"format":1,"of":"responses"}}',
      problem: "It is a recording of requests of a program, not of a thread.",
    },
  ])("I1: $text is refused", ({ text, problem }) => {
    expect(readThreadRecording(text)).toEqual({ ok: false, problem })
  })

  it("I1: whatever its lines hold, reading and playing it throws nothing", () => {
    const head = '{"recording":{"format":1,"of":"run"}}'
    const types = ["model.answered", "call.asked", "call.ended", "call.denied", "constructor"]
    const event = fc.record({
      type: fc.constantFrom(...types),
      tool_call: fc.anything(),
      tool: fc.anything(),
      args: fc.anything(),
      parts: fc.anything(),
      outcome: fc.anything(),
    })
    const request = fc.record({
      messages: fc.anything(),
      answers: fc.anything(),
      tools: fc.anything(),
      servers: fc.anything(),
    })
    const line = fc.oneof(
      fc.record({ leg: fc.nat(), ms: fc.nat(), event }),
      fc.record({ leg: fc.nat(), ms: fc.nat(), request }),
    )
    const asText = (value: unknown): string => {
      try {
        return JSON.stringify(value, (_, member) => (typeof member === "bigint" ? `${member}` : member)) ?? "{}"
      } catch {
        return "{}"
      }
    }
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const recording = readThreadRecording([head, ...lines.map(asText)].join("\n"))
        if (!recording.ok) return
        for (let played = 0; played <= recording.thread.steps.length; played++)
          replayedThread(recording.thread, played, 0)
      }),
    )
  })
})
