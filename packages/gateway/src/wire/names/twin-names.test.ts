import { expect, it } from "vitest"
import { hasTwin, withOwn } from "./twin-names.ts"

it.each([
  { key: "resultType", is: false },
  { key: "ResultType", is: true },
  { key: "reſulttype", is: true },
  { key: "resultTypes", is: false },
])("$key is a twin of resultType: $is", ({ key, is }) => {
  expect(hasTwin({ [key]: 1 }, ["resultType"])).toBe(is)
})

it("what is added stands alone, in whatever case others wrote it", () => {
  expect(withOwn({ TaskID: "theirs", taskId: "theirs", status: "working" }, { taskId: "ours" })).toEqual({
    taskId: "ours",
    status: "working",
  })
})
