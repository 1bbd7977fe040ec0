/** Arguments that a person changes before the call runs. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "@playwright/test"
import { answer, bar, dialog, fileIn, openCall, propose, verdictsSent, waiting } from "../fixtures/deciding.ts"
import { alsoAtNight, atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

test("arguments are changed in place, the change is marked, and the call runs with it", async ({ page, world }) => {
  const { result, call } = await propose(world)
  await openCall(page, world, call.id)
  await answer(page, "Edit arguments").click()
  await expect(answer(page, "Allow once with edits")).toBeDisabled()
  await bar(page).getByLabel("content").fill("Goodbye.")
  await expect(bar(page).getByText('"Goodbye."')).toBeVisible()
  await expectAccessible(page)
  await answer(page, "Allow once with edits").click()
  const told = await result
  expect(told.isError ?? false).toBe(false)
  expect(readFileSync(fileIn(world, "a.txt"), "utf8")).toBe("Goodbye.")
})

/** Opens the editor the way there is at this width. */
async function edit(page: Page): Promise<void> {
  if (await answer(page, "Edit arguments").isVisible()) return answer(page, "Edit arguments").click()
  await bar(page).getByRole("button", { name: "More options" }).click()
  await page.getByRole("menuitem", { name: /^Edit arguments/ }).click()
}

for (const { width, height } of alsoAtNight([{ width: 390, height: 844 }], [{ width: 1440, height: 900 }])) {
  test(`at ${width} px the editor opens in sight, its answers stay there and cover nothing, and then what happened is in sight`, async ({
    page,
    world,
  }) => {
    await page.setViewportSize({ width, height })
    const { result, call } = await propose(world, "a.txt", "A line of many.\n".repeat(40))
    await openCall(page, world, call.id)
    await edit(page)
    const allow = answer(page, "Allow once with edits")
    await expect(bar(page).getByLabel("path")).toBeFocused()
    await expect(page.getByText("Edit arguments")).toBeInViewport({ ratio: 1 })
    await expect(allow).toBeInViewport({ ratio: 1 })
    for (const label of ["path", "content"]) {
      await bar(page).getByLabel(label).focus()
      const field = await bar(page).getByLabel(label).boundingBox()
      const row = await allow.boundingBox()
      if (field === null || row === null) throw new Error("nothing to see")
      expect(field.y + field.height).toBeLessThanOrEqual(row.y)
    }
    await page.getByRole("article").getByRole("heading", { level: 2 }).scrollIntoViewIfNeeded()
    await expect(page.getByText("Edit arguments")).not.toBeInViewport()
    await expect(allow).toBeInViewport({ ratio: 1 })
    await bar(page).getByLabel("content").fill("Goodbye.")
    await bar(page).getByRole("button", { name: "Show what would change" }).click()
    await expect(page.getByRole("article").getByRole("heading", { level: 2 })).toBeInViewport({ ratio: 1 })
    await allow.click()
    expect((await result).isError ?? false).toBe(false)
    const happened = page.getByRole("region", { name: "What happened" })
    await expect(happened.getByText(/allowed it/)).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole("region", { name: "Selected call" })).toBeFocused()
  })
}

test("R166: Esc in the editor asks before changes are lost, and decides nothing; so does leaving the call", async ({
  page,
  world,
}) => {
  const { call } = await propose(world)
  const sent = verdictsSent(page)
  await openCall(page, world, call.id)
  const content = bar(page).getByLabel("content")
  await edit(page)
  await page.keyboard.press("Escape")
  await expect(content).toHaveCount(0)
  await expect(answer(page, "Edit arguments")).toBeFocused()

  await edit(page)
  await content.fill("Goodbye.")
  for (const press of [
    () => page.keyboard.press("Escape"),
    () => dialog(page).getByRole("button", { name: "Keep editing" }).click(),
  ]) {
    await page.keyboard.press("Escape")
    await expect(dialog(page)).toContainText("Discard your changes?")
    await expectAccessibleAtNight(page)
    await press()
    await expect(dialog(page)).toBeHidden()
    await expect(content).toHaveValue("Goodbye.")
  }
  await page.getByRole("button", { name: "Close", exact: true }).click()
  await dialog(page).getByRole("button", { name: "Keep editing" }).click()
  await expect(content).toHaveValue("Goodbye.")
  await page.locator("h1").first().click()
  await page.keyboard.press("Escape")
  await dialog(page).getByRole("button", { name: "Discard changes" }).click()
  await expect(content).toHaveCount(0)
  await expect(answer(page, "Allow once")).toBeVisible()
  expect(sent).toEqual([])
  expect((await waiting(world)).map(({ id }) => id)).toEqual([call.id])
})

/** A call with an argument that only a schema can tell wrong, its editor open. */
async function editEdits(page: Page, world: World) {
  const agent = await world.agent()
  const path = join(world.workspace, "notes.txt")
  void agent.call("edit_file", { path, edits: [{ oldText: "Buy milk.", newText: "Buy tea." }] }).catch(() => {})
  await expect.poll(async () => (await waiting(world)).length).toBe(1)
  await openCall(page, world, (await waiting(world))[0]?.id ?? "")
  await answer(page, "Edit arguments").click()
  return bar(page).getByLabel("edits")
}

test("arguments that do not fit are told at their field, before anything is sent", async ({ page, world }) => {
  const sent = verdictsSent(page)
  const edits = await editEdits(page, world)
  const told = bar(page).getByRole("alert")
  await edits.fill("[1")
  await expect(told).toContainText("not JSON")
  await edits.fill('"none"')
  await expect(told).toHaveText("It must be a list.")
  await edits.fill('[{ "oldText": "Buy milk.", "newText": 1 }]')
  await expect(told).toHaveText("At 0/newText: It must be text.")
  await expect(edits).toHaveAttribute("aria-invalid", "true")
  await expect(answer(page, "Allow once with edits")).toBeDisabled()
  await edits.fill('[{ "oldText": "Buy milk.", "newText": "Buy bread." }]')
  await expect(told).toHaveCount(0)
  await expect(answer(page, "Allow once with edits")).toBeEnabled()
  expect(sent).toEqual([])
})

test(
  "where the page cannot check edited arguments the service does, and nothing runs",
  atNight,
  async ({ page, world }) => {
    await page.route("**/check-arguments-*.js", (route) => route.abort())
    const edits = await editEdits(page, world)
    await edits.fill('"none"')
    await answer(page, "Allow once with edits").click()
    await expect(bar(page).getByText(/was not applied/)).toBeVisible()
    await expect(edits).toHaveAttribute("aria-invalid", "true")
    expect(readFileSync(join(world.workspace, "notes.txt"), "utf8")).toContain("Buy milk.")
  },
)

test(
  "a path edited to an existing file is shown as overwriting it, and cannot be allowed before that is shown",
  atNight,
  async ({ page, world }) => {
    const { call, agent } = await propose(world)
    writeFileSync(fileIn(world, "kept.txt"), "Years of work.\n")
    await openCall(page, world, call.id)
    const change = page.getByRole("region", { name: "Changes", exact: true })
    await expect(change).toContainText("The file does not exist.")
    await edit(page)
    // Until the service has answered, what is shown is not what would run.
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route("**/api/approvals/*/preview", async (route) => {
      await held
      await route.continue()
    })
    await bar(page).getByLabel("path").fill(fileIn(world, "kept.txt"))
    await expect(answer(page, "Allow once with edits")).toBeDisabled()
    await expect(bar(page)).toContainText("Checking your edit.")
    await expect(change).not.toContainText("no such file")
    await page.keyboard.press("Control+Enter")
    release()
    await expect(change).toContainText("Years of work.")
    await expect(change).toContainText("1 line removed")
    await expect(answer(page, "Allow once with edits")).toBeEnabled()
    expect(readFileSync(fileIn(world, "kept.txt"), "utf8")).toBe("Years of work.\n")
    await agent.close()
  },
)

test("a file's new text is edited where its diff stands, and allowed once the diff of the edit is shown there", async ({
  page,
  world,
}) => {
  const agent = await world.agent()
  const file = join(world.workspace, "notes.txt")
  const result = agent.call("write_file", { path: file, content: "Buy bread.\nCall Ada.\n" })
  await expect.poll(async () => (await waiting(world)).length).toBe(1)
  const sent = verdictsSent(page)
  await openCall(page, world, (await waiting(world))[0]?.id ?? "")
  const changes = page.getByRole("region", { name: "Changes", exact: true })
  const box = changes.getByRole("textbox", { name: "New text of the file" })
  const start = changes.getByRole("button", { name: "Edit the new text" })
  const done = changes.getByRole("button", { name: "Done" })
  const allow = answer(page, "Allow once with edits")
  await expect(changes).toContainText("1 line removed")

  await start.click()
  await expect(box).toBeFocused()
  await expect(box).toHaveValue("Buy bread.\nCall Ada.\n")
  await expect(changes).not.toContainText("removed")
  await expect(bar(page).getByLabel("content")).toHaveCount(0)
  await expect(allow).toBeDisabled()
  await expectAccessibleAtNight(page)
  await done.click()
  await expect(answer(page, "Allow once")).toBeEnabled()
  await expect(start).toBeFocused()

  await start.click()
  const low = (await box.boundingBox())?.height ?? 0
  const lines = Array.from({ length: 60 }, (_, at) => `Line ${at}.\n`).join("")
  await box.fill(lines)
  const { high, inner } = await box.evaluate((each) => ({ high: each.clientHeight, inner: each.scrollHeight }))
  expect(high).toBeGreaterThan(low * 3)
  expect(inner).toBeLessThanOrEqual(high)
  await box.press("Control+End")
  await expect(done).toBeInViewport({ ratio: 1 })
  await expect(changes.getByText("notes.txt").first()).toBeInViewport({ ratio: 1 })
  await expect(bar(page)).toContainText("Press Done to see what your edit changes")
  await expect(allow).toBeDisabled()
  await page.keyboard.press("Control+Enter")
  await page.keyboard.press("Escape")
  await expect(dialog(page)).toContainText("Discard your changes?")
  await dialog(page).getByRole("button", { name: "Keep editing" }).click()
  await expect(box).toHaveValue(lines)

  const held = Promise.withResolvers<void>()
  await page.route("**/api/approvals/*/preview", async (route) => {
    await held.promise
    await route.continue()
  })
  await box.fill("Buy tea.\nCall Ada.\n")
  await done.click()
  await expect(changes).toContainText("Checking the effect of your edit…")
  await expect(allow).toBeDisabled()
  held.resolve()
  await expect(changes).toContainText("Buy tea.")
  await expect(changes).toContainText("1 line removed")
  await expect(changes).toContainText("with your edit")
  await expect(allow).toBeEnabled()

  await bar(page).getByRole("button", { name: "Edit arguments" }).click()
  await expect(bar(page).getByLabel("content")).toHaveValue("Buy tea.\nCall Ada.\n")
  await expect(start).toHaveCount(0)
  expect(sent).toEqual([])
  await allow.click()
  expect((await result).isError ?? false).toBe(false)
  expect(readFileSync(file, "utf8")).toBe("Buy tea.\nCall Ada.\n")
})
