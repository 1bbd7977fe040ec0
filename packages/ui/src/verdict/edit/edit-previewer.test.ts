import type { EditPreviewView } from "@byleave/api"
import type { JsonObject } from "@byleave/core"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type ArgumentDraft, createEditPreviewer, versionOf, whyNotShown } from "./edit-previewer.ts"

const previewOf = (why: string): EditPreviewView => ({
  risks: [],
  current: { kind: "unavailable", why },
  refused: null,
})

function previewed() {
  const asked: { args: JsonObject; answer: (preview: EditPreviewView) => void; fail: (cause: Error) => void }[] = []
  const told: (ArgumentDraft | null)[] = []
  const previewer = createEditPreviewer(
    (args) => new Promise((answer, fail) => asked.push({ args, answer, fail })),
    (draft) => told.push(draft),
  )
  return { asked, told, previewer, rest: () => vi.advanceTimersByTimeAsync(300) }
}

describe("what edited arguments would do", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("is being checked from the first keystroke on, and asked for once the typing rests", async () => {
    const { asked, told, previewer, rest } = previewed()
    for (const path of ["a", "ab", "abc"]) previewer.edit({ path })
    expect(told.map((draft) => draft?.state)).toEqual(["checking", "checking", "checking"])
    await rest()
    expect(asked.map(({ args }) => args)).toEqual([{ path: "abc" }])
    asked[0]?.answer(previewOf("abc"))
    await rest()
    expect(told.at(-1)).toMatchObject({ args: { path: "abc" }, state: "checked", preview: previewOf("abc") })
  })

  it("I1: a late answer never shows for newer text", async () => {
    const { asked, told, previewer, rest } = previewed()
    previewer.edit({ path: "old" })
    await rest()
    previewer.edit({ path: "new" })
    asked[0]?.answer(previewOf("old"))
    await rest()
    expect(told.at(-1)).toMatchObject({ args: { path: "new" }, state: "checking" })
    asked[1]?.answer(previewOf("new"))
    await rest()
    expect(told.at(-1)).toMatchObject({ args: { path: "new" }, state: "checked", preview: previewOf("new") })
  })

  it("I2: the same arguments in another order are not asked for again", async () => {
    const { asked, previewer, rest } = previewed()
    previewer.edit({ path: "a", text: "b" })
    await rest()
    previewer.edit({ text: "b", path: "a" })
    await rest()
    expect(asked).toHaveLength(1)
  })

  it("says why it could not be told, and asks again when it is told to", async () => {
    const { asked, told, previewer, rest } = previewed()
    previewer.edit({ path: "a" })
    await rest()
    asked[0]?.fail(new Error("Byleave did not respond."))
    await rest()
    expect(told.at(-1)).toMatchObject({ state: "failed", why: "Byleave did not respond." })
    previewer.again()
    await rest()
    asked[1]?.answer(previewOf("a"))
    await rest()
    expect(told.at(-1)).toMatchObject({ state: "checked" })
  })

  it("is dropped when the edit is", async () => {
    const { asked, told, previewer, rest } = previewed()
    previewer.edit({ path: "a" })
    await rest()
    previewer.edit(null)
    asked[0]?.answer(previewOf("a"))
    await rest()
    expect(told.at(-1)).toBeNull()
  })
})

describe("whether an edit can be allowed", () => {
  const args = { path: "a" }
  const draft = { args, version: versionOf(args) }
  const checked: ArgumentDraft = { ...draft, state: "checked", preview: previewOf("") }

  it("can once the card shows what exactly these arguments would do", () => {
    expect(whyNotShown({ path: "a" }, checked)).toBeNull()
    expect(whyNotShown(null, null)).toBeNull()
  })

  it.each<[string, JsonObject, ArgumentDraft | null]>([
    ["nothing is known yet", args, null],
    ["it is being checked", args, { ...draft, state: "checking" }],
    ["what is shown belongs to other arguments", { path: "b" }, checked],
    ["it could not be checked", args, { ...draft, state: "failed", why: "It is gone." }],
    ["policy refuses it", args, { ...checked, preview: { ...previewOf(""), refused: "A rule denies it." } }],
  ])("cannot while %s", (_, toSend, shown) => {
    expect(whyNotShown(toSend, shown)).toMatch(/\w/)
  })
})
