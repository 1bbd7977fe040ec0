import { describe, expect, it } from "vitest"
import { messagesOf } from "./items-to-messages.ts"
import type { InputItem } from "./request-body.ts"

const request = (id: string): InputItem => ({
  type: "mcp_approval_request",
  id,
  server_label: "files",
  name: "write",
  arguments: "{}",
})
const no = (id: string, reason?: string): InputItem => ({
  type: "mcp_approval_response",
  approval_request_id: id,
  approve: false,
  ...(reason === undefined ? {} : { reason }),
})
const told = (items: readonly InputItem[]) =>
  JSON.stringify(
    messagesOf(
      items,
      (_, tool) => tool,
      () => undefined,
    ),
  )

it.each([
  { name: "its reason", items: [request("a"), no("a", "Not today.")], reason: "Not today." },
  {
    name: "the first reason of several",
    items: [request("a"), no("a"), no("a", "One."), no("a", "Two.")],
    reason: "One.",
  },
  {
    name: "the reason of its own answer",
    items: [request("a"), no("b", "Other."), no("a")],
    reason: "This call was denied.",
  },
])("a call that was denied is told with $name", ({ items, reason }) => {
  expect(told(items)).toContain(`"output":{"type":"execution-denied","reason":"${reason}"}`)
})

it("looks at every answer a few times, however many calls were denied", () => {
  let looks = 0
  const ids = Array.from({ length: 200 }, (_, at) => `mcpr_${at}`)
  const answers = ids.map((id): InputItem => {
    const answer = no(id)
    return Object.defineProperty({ ...answer }, "type", {
      get: () => {
        looks += 1
        return "mcp_approval_response"
      },
    })
  })
  expect(told([...ids.map(request), ...answers]).match(/execution-denied/g)).toHaveLength(200)
  expect(looks).toBeLessThan(ids.length * 10)
})

describe("arguments of earlier calls", () => {
  const lists = (values: number): string =>
    `{"lists":[${Array(values - 2)
      .fill("[]")
      .join(",")}]}`
  const made = (args: string): InputItem => ({
    ...{ type: "mcp_call", id: "m", server_label: "files", name: "write", output: "" },
    arguments: args,
  })
  const call = (values: number): InputItem => made(lists(values))
  const named: InputItem = { type: "function_call", call_id: "f", name: "write", arguments: lists(30_000) }
  const unreadable = made("[".repeat(60_000))

  it.each([
    { name: "of one call", items: [call(50_000)] },
    { name: "of several", items: [call(20_000), call(30_000)] },
    { name: "that cannot be read", items: [unreadable, call(50_000)] },
  ])("are read up to 50,000 values: $name", ({ items }) => {
    expect(told(items)).toContain("tool-call")
  })

  it.each([
    { name: "of one call", items: [call(50_001)] },
    { name: "of several", items: [call(20_001), named] },
    {
      name: "of a call that was denied",
      items: [call(40_000), { ...request("a"), arguments: lists(30_000) }, no("a")],
    },
  ])("of more values together are refused: $name", ({ items }) => {
    expect(() => told(items)).toThrow(/more than 50000 values together.*previous_response_id/)
  })
})
