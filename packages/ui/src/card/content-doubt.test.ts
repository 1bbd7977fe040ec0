import { fileChanges } from "@byleave/api/page"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { FileChanges } from "./changes/file-changes.tsx"

const changes = fileChanges("write_file", { path: "a", content: "new" })
const secrets = { hidden: new Set<string>(), all: [], reveal: () => undefined }

function shown(doubt: object): string {
  const current = {
    kind: "text",
    path: "a",
    text: "old",
    by: { server: "files", tool: "read_file" },
    ...doubt,
  } as const
  const props = { changes, current, notAgain: null, secrets, isPending: true, hasHeading: false }
  return renderToStaticMarkup(createElement(FileChanges, props))
}

it("a change against a text that may not be the file as it is says so", () => {
  expect(shown({ doubt: "partial" })).toContain("only part of the file")
  expect(shown({ doubt: "not-utf8" })).toContain("not valid UTF-8")
  expect(shown({})).not.toMatch(/part of the file|UTF-8/)
})
