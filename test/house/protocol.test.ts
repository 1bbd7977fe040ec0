import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { protocolTables } from "./protocol-table.ts"

it("docs/protocol.md shows the table of methods as it is", () => {
  const page = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8")
  expect(page.slice(page.indexOf("## Requests from clients")).trimEnd()).toBe(protocolTables())
})
