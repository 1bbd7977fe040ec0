import type { JsonObject } from "@byleave/core"
import { expect, it } from "vitest"
import type { Notice } from "../wire/message.ts"
import { createListeners } from "./listeners.ts"

const plainly = (work: () => void): void => work()

it.each<[string, JsonObject]>([
  ["an object that is no text", { uri: { toString: 1 } }],
  ["a list", { uri: [{ toString: null }] }],
  ["nothing", {}],
])("tells of a resource whose name is %s", (_, params) => {
  const heard: Notice[] = []
  const listeners = createListeners(1_000, plainly)
  listeners.add({ onNotice: (notice) => heard.push(notice), onInquiry: () => Promise.reject(), onEnd: () => {} })
  const notice = { method: "notifications/resources/updated", params }
  listeners.tell(notice)
  expect(heard).toEqual([notice])
  listeners.end()
})
