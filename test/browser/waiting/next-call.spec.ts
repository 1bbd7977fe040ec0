/** One answer after the other: the riskiest first, a reason by one press, and the next call open by itself. */
import { expect, expectAccessibleAtNight, test } from "../fixtures/test.ts"

test.use({ opensNext: true })

test("the list is sorted by risk, a quick reason is only written, and the next call opens with the focus", async ({
  page,
  world,
}) => {
  const agent = await world.agent("files", "writer")
  void agent.call("write_file", { path: "drafts/a.txt", content: "a" }).catch(() => undefined)
  void agent.call("write_file", { path: "/etc/hosts", content: "b" }).catch(() => undefined)
  await world.signIn(page, "/?sort=riskiest")
  const rows = page.locator("[data-approval]")
  await expect(rows).toHaveCount(2)
  await expect(page.getByLabel("Sort by")).toHaveValue("riskiest")
  await expect(rows.first()).toContainText(/Strong warning, things to check/)
  await rows.first().getByRole("button").click()
  await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible()
  const first = new URL(page.url()).searchParams.get("open")
  await expect(page.getByRole("heading", { level: 2, name: "files(write_file)", exact: true })).toBeVisible()
  await page.getByRole("button", { name: "More deny options" }).click()
  await page.getByRole("menuitem", { name: "Deny with a reason" }).click()
  await page.getByRole("button", { name: "Not needed for this task." }).click()
  await expect(page.getByLabel("Reason (optional)")).toHaveValue("Not needed for this task.")
  await expect(page.getByLabel("Reason (optional)")).toBeFocused()
  await expectAccessibleAtNight(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.keyboard.press("Enter")
  await expect(page.getByRole("status").filter({ hasText: "The next waiting call is open." })).toBeVisible()
  expect(new URL(page.url()).searchParams.get("open")).not.toBe(first)
  await expect(page.getByRole("region", { name: "Selected call" })).toBeFocused()
  await expectAccessibleAtNight(page)
})
