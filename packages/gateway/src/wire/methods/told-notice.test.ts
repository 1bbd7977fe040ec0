import { expect, it } from "vitest"
import { legacyVersions, modernVersions } from "../versions.ts"
import { methodTable } from "./methods.ts"
import { toldNotice } from "./told-notice.ts"

const rows = methodTable.filter(({ from, form }) => from === "server" && form === "notification")
const cases = rows.flatMap((row) => [...legacyVersions, ...modernVersions].map((revision) => ({ ...row, revision })))

it.each(cases)("$method, $handling, for a client of $revision", ({ method, handling, revisions, params, revision }) => {
  const given = { uri: "a://1", _meta: { trace: "1" } }
  const [first, last] = revisions
  const isTold = first <= revision && revision <= last && handling !== "here" && handling !== "dropped"
  const told = toldNotice({ method, params: given }, revision)
  if (!isTold) expect(told).toBeNull()
  else if (params === undefined) expect(told).toEqual({ method, params: given })
})

it("a notification of nobody's is not told", () => {
  expect(toldNotice({ method: "notifications/vendor" }, "2026-07-28")).toBeNull()
})
