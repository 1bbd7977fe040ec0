import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { listedCall } from "../fixtures/waiting-call.ts"
import { DeniedCall, unfoldedAtFirst } from "./denied-call.tsx"

const about = (id: string, text: string) => listedCall({ id, preview: [{ name: "entities", text, isSecret: false }] })

it("unfolds the arguments of calls that would read alike, and of all where they are few", () => {
  const many = [about("a", "Ada"), about("b", "Ada"), ...["c", "d", "e", "f"].map((id) => about(id, id))]
  expect([...unfoldedAtFirst(many)]).toEqual(["a", "b"])
  expect([...unfoldedAtFirst(many.slice(1, 4))]).toEqual(["b", "c", "d"])
})

it("shows the beginning of the arguments of a call that is denied, and offers all of them", () => {
  const drawn = (isOpenAtFirst: boolean) =>
    renderToStaticMarkup(
      createElement(DeniedCall, {
        approval: about("a", "Ada"),
        isOpenAtFirst,
        loadCalls: async () => [],
        loadCurrent: undefined,
      }),
    )
  expect(drawn(false)).toMatch(/Ada.*<summary>All arguments/)
  expect(drawn(true)).toContain("open")
})
