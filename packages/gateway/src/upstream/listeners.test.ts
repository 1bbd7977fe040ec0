import type { JsonObject } from "@byleave/core"
import { expect, it } from "vitest"
import type { Notice } from "../wire/message.ts"
import { resourceNotices } from "../wire/methods/resource-notices.ts"
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

it.each([...resourceNotices])(
  "a storm of %s about one resource is told once at first, one about another at once",
  (method) => {
    const heard: Notice[] = []
    const listeners = createListeners(1_000, plainly)
    listeners.add({ onNotice: (notice) => heard.push(notice), onInquiry: () => Promise.reject(), onEnd: () => {} })
    for (const uri of ["a://1", "a://1", "a://2", "a://1"]) listeners.tell({ method, params: { uri } })
    expect(heard.map(({ params }) => params?.uri)).toEqual(["a://1", "a://2"])
    listeners.end()
  },
)
