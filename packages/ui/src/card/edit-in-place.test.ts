import type { CurrentContentView } from "@byleave/api"
import { fileChanges } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import type { TextInPlace } from "../verdict/edit/text-in-place.ts"
import { FileChanges, type FileChangesProps } from "./changes/file-changes.tsx"

const current: CurrentContentView = {
  kind: "text",
  path: "notes.txt",
  text: "Buy milk.\n",
  by: { server: "files", tool: "read_text_file" },
}
const nothing = () => undefined
const box = (changes: Partial<TextInPlace> = {}): TextInPlace => ({
  ...{ text: "Buy <b>tea</b>.\n", problem: null, isOpen: false, isEdited: false, isOff: false },
  ...{ start: nothing, change: nothing, showChange: nothing, discard: nothing },
  ...changes,
})

const drawn = (inPlace: TextInPlace | null, more: Partial<FileChangesProps> = {}) =>
  renderToStaticMarkup(
    createElement(FileChanges, {
      changes: fileChanges("write_file", { path: "notes.txt", content: "Buy bread.\n" }),
      current,
      notAgain: null,
      secrets: { all: [], hidden: new Set<string>(), reveal: nothing },
      isPending: true,
      inPlace,
      ...more,
    }),
  )

describe("the place of a difference", () => {
  it("has a button to edit the new text, where that can be done", () => {
    expect(drawn(box())).toContain("Edit the new text")
    expect(drawn(box())).toContain("1 line removed")
    expect(drawn(null)).not.toContain("Edit the new text")
  })

  it("is a box with the new text while that is edited, below the file's name, and no difference", () => {
    const html = drawn(box({ isOpen: true }))
    expect(html).toMatch(/<textarea[^>]*>\s*Buy &lt;b&gt;tea&lt;\/b&gt;/)
    expect(html.indexOf("notes.txt")).toBeLessThan(html.indexOf("<textarea"))
    expect(html).toContain("Done")
    expect(html).not.toContain("removed")
    expect(drawn(box({ isOpen: true }), { notYet: "checking" })).toContain("<textarea")
  })

  it("says what is wrong, and is not done before that is right", () => {
    const html = drawn(box({ isOpen: true, problem: "It must be shorter." }))
    expect(html).toMatch(/role="alert"[^>]*>It must be shorter\./)
    expect(html).toMatch(/<button[^>]*disabled=""[^>]*>Done/)
  })

  it("lets the keys answer once an edit is done, and none while it is not begun", () => {
    const button = (html: string) => html.match(/<button[^>]*aria-label="Edit the new text"[^>]*>/)?.[0]
    expect(button(drawn(box()))).toContain('data-answer="other"')
    expect(button(drawn(box({ isEdited: true })))).not.toContain("data-answer")
  })

  it("is the difference with the edit once that is done, or says that it is not known yet", () => {
    expect(drawn(box({ isEdited: true }))).toContain("with your edit")
    const html = drawn(box({ isEdited: true }), { notYet: "checking" })
    expect(html).toContain("Checking the effect of your edit…")
    expect(html).toContain("notes.txt")
    expect(html).not.toContain("removed")
  })
})
