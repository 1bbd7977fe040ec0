import type { RiskLevel } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { changeTree } from "../review/change-tree.ts"
import { ChangeTreeView, type ReviewedFile } from "../review/change-tree-view.tsx"
import { AlsoWaitingRow } from "../verdict/batch/also-waiting-row.tsx"
import { listedCall, waitingCall } from "../verdict/fixtures/waiting-call.ts"
import { callInWords } from "./head/ask-words.ts"
import { Risks } from "./risks/risks.tsx"
import { ApprovalRow, type ApprovalRowProps } from "./row/approval-row.tsx"

const nothing = () => undefined
const shown = (html: string) => html.replaceAll(/<span class="only-read-aloud">.*?<\/span><\/span>/g, "")

describe("warnings on a card", () => {
  const notice = { kind: "large-value", key: "content", sentence: "A notice." } as const
  const strong = { kind: "sensitive-file", key: "path", sentence: "A strong one." } as const
  const drawn = (risks: Parameters<typeof Risks>[0]["risks"]) => renderToStaticMarkup(createElement(Risks, { risks }))

  it("begin with the strong ones, and look as strong as in the list", () => {
    const html = drawn([notice, strong])
    expect(html.indexOf("A strong one.")).toBeLessThan(html.indexOf("A notice."))
    expect(html).toMatch(/<section[^>]*data-strong="true"/)
    expect(drawn([notice])).toMatch(/<section[^>]*data-strong="false"/)
  })
})

describe("a call with a name of thousands of letters", () => {
  const letter = "ก"
  const tool = { server: "docs", tool: `file:///${letter.repeat(8_000)}.end` }
  const letters = (html: string) => html.split(letter).length - 1

  it("takes little room in a row, which has its beginning and its end", () => {
    const approval = { ...listedCall(), kind: "resource", tool } as ApprovalRowProps["approval"]
    const row = { approval, session: null, isOpen: false, onOpen: nothing, onTick: nothing }
    const html = renderToStaticMarkup(createElement(ApprovalRow, row))
    expect(letters(html)).toBeLessThan(3 * 200)
    expect(html).toContain("docs(resource:file:///")
    expect(html).toContain(".end)")
  })

  it("is all there to be seen where calls are answered together", () => {
    const approval = waitingCall({ kind: "resource", tool })
    const also = { approval, whyNot: null, atFirst: false }
    const row = { also, answered: approval, isChosen: false, onChoose: nothing }
    const html = renderToStaticMarkup(createElement(AlsoWaitingRow, row))
    expect(letters(html)).toBeLessThan(1_000)
    expect(html).toMatch(/Show [\d,]+ more characters/)
  })
})

describe("a row of the list", () => {
  const preview = [
    { name: "path", text: "src/app.ts", isSecret: false },
    { name: "edits", text: "let a = 2", isSecret: false },
  ]
  const props: ApprovalRowProps = {
    approval: { ...listedCall(), preview },
    session: null,
    isOpen: false,
    onOpen: nothing,
  }
  const drawn = (more: Partial<ApprovalRowProps>) =>
    renderToStaticMarkup(createElement(ApprovalRow, { ...props, ...more }))

  it("begins with the tool, and below a heading of its tool with what tells it from the others", () => {
    expect(shown(drawn({}))).toContain("write_file")
    const nested = drawn({ isNested: true })
    expect(shown(nested)).not.toContain("write_file")
    expect(nested).toContain("write_file")
    expect(nested.match(/src\/<wbr\/?>app\.ts|src\/app\.ts/g)?.length).toBeGreaterThan(0)
    expect(nested).toContain("let a = 2")
  })
})

describe("a call whose card is covered", () => {
  it("is named with its file", () => {
    expect(callInWords(waitingCall())).toBe("files(write_file) on /home/me/notes.md")
    expect(callInWords(waitingCall({ args: { path: "x".repeat(200), content: "" } }))).toBe("files(write_file)")
    expect(callInWords(waitingCall({ args: { query: "a" } }))).toBe("files(write_file)")
    expect(callInWords(waitingCall({ args: null }))).toBe("files(write_file)")
  })
})

describe("the tree of a review", () => {
  const file = (state: ReviewedFile["state"], risk: RiskLevel): ReviewedFile => ({
    ...{ key: "1", path: "a.ts", counts: null, comments: 0, callId: "c1" },
    ...{ state, risk },
  })
  const drawn = (each: ReviewedFile) =>
    renderToStaticMarkup(createElement(ChangeTreeView, { tree: changeTree([each]), at: null, onGo: nothing }))

  it("marks what to check, until it is denied or decided", () => {
    expect(drawn(file("open", "strong"))).toContain("Strong warning: check before allowing")
    expect(drawn(file("allow", "notice"))).toContain("Check before allowing")
    expect(drawn(file("open", "none"))).not.toContain("check before allowing")
    for (const state of ["deny", "allowed", "denied", "gone"] as const) {
      expect(drawn(file(state, "strong"))).not.toContain("check before allowing")
    }
  })

  it("keeps what was decided apart", () => {
    expect(drawn(file("allowed", "none"))).toMatch(/title="allowed"/)
    expect(drawn(file("denied", "none"))).toMatch(/title="denied"/)
  })
})
