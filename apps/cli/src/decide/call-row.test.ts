import type { ApprovalSummaryView, SessionView } from "@byleave/api"
import { expect, it } from "vitest"
import { callRow } from "./call-row.ts"
import { lineWidth } from "./cut-line.ts"

it("a call's row fits its terminal, also where names are two columns wide a letter", () => {
  const view = {
    ...{ tool: { server: "files", tool: "write_file" }, createdAt: 0, risks: null, pin: "accepted" },
    ...{ session: { principal: "agent", id: "s", named: true }, preview: [{ name: "note", text: "x".repeat(200) }] },
  } as unknown as ApprovalSummaryView
  const session = { label: "\u5b57".repeat(9), client: null, folder: null, firstCall: null } as unknown as SessionView
  const row = callRow(view, { head: "a111111", now: 0, paint: (_, text) => text, session, columns: 80 })
  expect(lineWidth(row.replace("…", "."))).toBeLessThanOrEqual(80)
  expect(row).toContain("files(write_file)")
})
