import { expect, it } from "vitest"
import type { OwnItems } from "./own-items.ts"
import { planResponse } from "./plan-response.ts"
import type { InputItem } from "./request-body.ts"

it("reads the state of a run once, however many of its calls earlier answers name", async () => {
  const answers = ["one", "two"].flatMap((run) =>
    Array.from({ length: 100 }, (_, at): InputItem => {
      return { type: "mcp_approval_response", approval_request_id: `mcpr_${run}_c${at}`, approve: false }
    }),
  )
  const read: string[] = []
  const ownItems: OwnItems = {
    state: async (id) => {
      read.push(id)
      return null
    },
    run: async () => null,
    resolve: async (items) => items,
  }
  const input: readonly InputItem[] = [...answers, { type: "message", role: "user", content: "And now?" }]
  expect(await planResponse({} as never, { input }, ownItems)).toMatchObject({ kind: "begins" })
  expect(read).toEqual(["one", "two"])
})
