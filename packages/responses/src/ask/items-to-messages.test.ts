import { expect, it } from "vitest"
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
