/** An answer can be taken back until it is sent, and the answers stand in one order everywhere. */
import { existsSync } from "node:fs"
import type { Page } from "@playwright/test"
import { answer, bar, dialog, fileIn, openCall, propose, verdictsSent, waiting } from "../fixtures/deciding.ts"
import { atNight, expect, test } from "../fixtures/test.ts"

test.describe("for three seconds", () => {
  test.use({ canUndo: true })

  const undo = (page: Page) => page.getByRole("button", { name: /^Undo \(/ })

  test.describe("with a clock of its own", () => {
    test.use({ newBrowser: true })

    test("an allow is not sent and can be taken back; then it is sent once, and a double click is one answer", async ({
      page,
      world,
    }) => {
      const { result, call } = await propose(world)
      const sent = verdictsSent(page)
      await openCall(page, world, call.id)
      await page.clock.install()
      await page.clock.pauseAt(new Date(Date.now() + 1_000))
      await answer(page, "Allow once").dblclick()
      await expect(undo(page)).toBeVisible()
      await expect(bar(page)).toContainText("Not sent yet.")
      await page.clock.runFor(2_900)
      expect(sent).toEqual([])
      await undo(page).click()
      await expect(answer(page, "Deny")).toBeFocused()
      await page.clock.runFor(10_000)
      expect(sent).toEqual([])
      expect((await waiting(world)).length).toBe(1)

      await answer(page, "Allow once").click()
      await expect(undo(page)).toBeFocused()
      await page.keyboard.press("Control+z")
      await page.clock.runFor(10_000)
      expect(sent).toEqual([])

      await answer(page, "Allow once").click()
      await page.clock.runFor(3_000)
      expect((await result).isError ?? false).toBe(false)
      expect(sent).toHaveLength(1)
      await expect(undo(page)).toHaveCount(0)
    })
  })

  test("closing the page sends nothing; going on to another page sends at once", async ({ page, world }) => {
    const { result, call } = await propose(world)
    const sent = verdictsSent(page)
    await openCall(page, world, call.id)
    await answer(page, "Allow once").click()
    await expect(undo(page)).toBeVisible()
    page.on("dialog", (asked) => void asked.accept())
    await page.goto(new URL(`/?open=${call.id}`, world.url()).href)
    await expect(answer(page, "Allow once")).toBeEnabled()
    expect(sent).toEqual([])
    expect(existsSync(fileIn(world, "a.txt"))).toBe(false)
    await answer(page, "Deny").click()
    await page.getByRole("link", { name: "Activity" }).click()
    expect((await result).isError).toBe(true)
    expect(sent).toHaveLength(1)
  })

  test("its row says so, and takes it back while another card is open", atNight, async ({ page, world }) => {
    const { call } = await propose(world, "a.txt")
    const { call: other } = await propose(world, "b.txt")
    const sent = verdictsSent(page)
    await openCall(page, world, call.id)
    const row = page.locator(`[data-approval="${call.id}"]`)
    await answer(page, "Allow once").click()
    await expect(row).toContainText("Allowing…")
    await page.locator(`[data-approval="${other.id}"] button`).click()
    await expect(undo(page)).toHaveCount(0)
    await row.getByRole("button", { name: /^Undo/ }).click()
    await expect(row).not.toContainText("Allowing…")
    await expect(row.getByRole("button")).toBeFocused()
    expect(sent).toEqual([])
    expect((await waiting(world)).length).toBe(2)
  })

  test("an answer to several calls can be taken back, too", async ({ page, world }) => {
    await propose(world, "a.txt")
    await propose(world, "b.txt")
    const sent = verdictsSent(page)
    await world.signIn(page, "/")
    const boxes = page.getByRole("checkbox", { name: "Select files(write_file)" })
    await expect(boxes).toHaveCount(2)
    for (const box of await boxes.all()) await box.check()
    await page.getByRole("button", { name: /^Deny 2/ }).click()
    await dialog(page)
      .getByRole("button", { name: /^Deny 2/ })
      .click()
    await undo(page).click()
    await expect(page.getByRole("button", { name: /^Deny 2/ })).toBeVisible()
    expect(sent).toEqual([])
    expect((await waiting(world)).length).toBe(2)
  })
})

test(
  "Deny stands left of Allow at every width, for one call and for several, and no words wrap",
  atNight,
  async ({ page, world }) => {
    const { call } = await propose(world)
    await openCall(page, world, call.id)
    for (const width of [390, 900, 1024, 1200, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const no = await answer(page, "Deny").filter({ visible: true }).boundingBox()
      const yes = await answer(page, "Allow once").filter({ visible: true }).boundingBox()
      expect(yes?.x, `at ${width} px`).toBeGreaterThan((no?.x ?? Number.NaN) + (no?.width ?? 0))
      // A label, and below it a line that says what it does.
      expect(no?.height, `at ${width} px`).toBeLessThan(64)
    }
    await page.goto(new URL("/", world.url()).href)
    await page.getByRole("checkbox").first().check()
    const no = await page.getByRole("button", { name: /^Deny 1/ }).boundingBox()
    const yes = await page.getByRole("button", { name: /^Allow 1/ }).boundingBox()
    expect(yes?.x).toBeGreaterThan((no?.x ?? Number.NaN) + (no?.width ?? 0))

    // On a phone the list keeps the room that their answers leave.
    await page.setViewportSize({ width: 390, height: 844 })
    const [list, whole] = [page.getByRole("region", { name: "Waiting calls" }), page.locator("[data-fills]")]
    await expect
      .poll(async () => ((await list.boundingBox())?.height ?? 0) / ((await whole.boundingBox())?.height ?? 1))
      .toBeGreaterThan(0.6)
  },
)
