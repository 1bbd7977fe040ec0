/** Ctrl+K finds pages, waiting calls, sessions and servers. */
import { expect, expectAccessible, test } from "../fixtures/test.ts"

test("the palette opens by key, finds a waiting call by a few letters, and opens it; Escape leaves everything as it was", async ({
  page,
  world,
}) => {
  await world.signIn(page)
  const agent = await world.agent()
  void agent.call("write_file", { path: "drafts/plan.md", content: "x" }).catch(() => undefined)
  void agent.call("write_file", { path: "notes.txt", content: "x" }).catch(() => undefined)
  await expect(page.locator("[data-approval]")).toHaveCount(2)
  await page.keyboard.press("Control+k")
  const field = page.getByRole("combobox", { name: "Search or jump to…" })
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press("Escape")
  await expect(field).toHaveCount(0)
  await page.keyboard.press("Control+k")
  await field.fill("plan wri")
  await expect(page.getByRole("option").first()).toContainText("drafts/plan.md")
  await page.keyboard.press("Enter")
  await expect(field).toHaveCount(0)
  await expect(page.getByRole("article", { name: "files(write_file)" })).toContainText("drafts/plan.md")
  await page.keyboard.press("Control+k")
  await expect(field).toBeFocused()
  await page.keyboard.type("audit")
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(/\/audit$/)
})
