import { makePastCalls, pastPolicy } from "./fixtures/past-calls.ts"
import { expect, expectAccessible, test } from "./fixtures/test.ts"

test.use({ options: { policy: pastPolicy } })

test("R150: the plots count what happened, in words and as tables", async ({ page, world }) => {
  await makePastCalls(world)
  await world.signIn(page, "/insight")
  await expect(page.getByText("6 calls in the last 24 hours; people were asked about 3 of them (50 %).")).toBeVisible()
  const asked = page.getByRole("region", { name: "Asked most", exact: true })
  await expect(asked.getByRole("link", { name: /files\(write_file\)/ })).toContainText("1 allowed, 1 denied")
  await expect(asked.getByRole("link", { name: /files\(create_directory\)/ })).toContainText("1 not answered")
  await expect(page.getByRole("region", { name: "Who decides", exact: true }).getByRole("link")).toContainText(
    "1 allowed, 1 denied",
  )
  await expect(page.getByText("Nearly all questions were answered within")).toBeVisible()

  const byDecision = page.getByRole("region", { name: "Calls by decision", exact: true })
  await byDecision.getByText("As a table").click()
  await expect(byDecision.getByRole("columnheader")).toHaveText(["Time", "Allowed", "Asked", "Refused", "Hidden"])
  await expectAccessible(page)
})

test("a bar is reached and read by keyboard, and leads to its calls", async ({ page, world }) => {
  await makePastCalls(world)
  await world.signIn(page, "/insight")
  const bar = page.getByRole("group", { name: "Calls by decision" }).getByRole("link").last()
  await expect(bar).toHaveAccessibleName(/^\w+ \d\d:00–\d\d:00: .*1 allowed, 3 asked, 1 refused, 1 hidden$/)
  await bar.focus()
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(/\/activity\?since=\d+&until=\d+/)
  const rows = page.getByRole("region", { name: "Calls" }).getByRole("listitem")
  await expect(rows).toHaveCount(6)

  await page.goBack()
  await page
    .getByRole("region", { name: "Why calls did not run", exact: true })
    .getByRole("link", { name: /Denied by a rule/ })
    .click()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText("files(move_file)")

  await page.goBack()
  const times = page.getByRole("group", { name: "Time to decide" })
  await times.getByRole("link").first().click()
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole("button", { name: /Remove the filter Answered after/ })).toBeVisible()
})

test("a time without calls says so, and how to look further back", async ({ page, world }) => {
  await world.signIn(page, "/insight?range=week")
  await expect(page.getByText("No calls in the last 7 days")).toBeVisible()
  await page.getByLabel("Time").selectOption({ label: "Last 30 days" })
  await expect(page).toHaveURL(/range=month/)
  await expect(page.getByText("No calls in the last 30 days")).toBeVisible()
  await expectAccessible(page)
})

test.describe("on a phone, in the dark", () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, colorScheme: "dark" })

  test("bars are wide enough to touch and nothing scrolls sideways", async ({ page, world }) => {
    await makePastCalls(world)
    await world.signIn(page, "/insight?range=month")
    const bar = page.getByRole("group", { name: "Calls by decision" }).getByRole("link").last()
    await expect(bar).toBeVisible()
    expect((await bar.boundingBox())?.width).toBeGreaterThanOrEqual(24)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  })
})
