import { atNight, expect, expectAccessible, test } from "../fixtures/test.ts"

test("R175: the card is loaded when a call is opened, and no page before it is", async ({ page, world }) => {
  const scripts: string[] = []
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname)
  })
  await world.signIn(page)
  await page.getByRole("heading", { level: 1, name: "Waiting" }).waitFor()
  const named = (part: string): boolean => scripts.some((path) => path.includes(part))
  expect([named("waiting-page"), named("open-card"), named("policy-page")]).toEqual([true, false, false])
  const agent = await world.agent()
  void agent.call("write_file", { path: "drafts/a.txt", content: "x" }).catch(() => {})
  await page.locator("[data-approval] button").first().click()
  await page.getByRole("button", { name: /^allow once/i }).waitFor()
  expect([named("open-card"), named("policy-page")]).toEqual([true, false])
})

test.describe("in a browser that has loaded nothing", () => {
  test.use({ newBrowser: true })

  test(
    "a page whose program is not there yet says that Byleave cannot be reached, and comes when it can",
    atNight,
    async ({ page, context, world }) => {
      await world.signIn(page)
      await page.getByRole("heading", { level: 1, name: "Waiting" }).waitFor()
      await context.setOffline(true)
      await page.getByRole("link", { name: "Audit" }).first().click()
      await expect(page.getByText("The page loads as soon as Byleave is back")).toBeVisible()
      await expect(page.getByText(/updated/)).toHaveCount(0)
      await context.setOffline(false)
      await expect(page.getByRole("heading", { level: 1, name: "Audit" })).toBeVisible()
    },
  )
})

test("an address without a page says so, and leads back", async ({ page, world }) => {
  await world.signIn(page)
  await page.goto(new URL("/nonsense", world.url()).href)
  await expect(page.getByText("There is no page at this address")).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("link", { name: "Go to waiting calls" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Waiting" })).toBeVisible()
})
