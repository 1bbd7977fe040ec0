import { expect, expectAccessible, test } from "./fixtures/test.ts"

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
  await page
    .getByRole("button", { name: /files\(write_file\)/ })
    .first()
    .click()
  await page.getByRole("button", { name: /^allow once/i }).waitFor()
  expect([named("open-card"), named("policy-page")]).toEqual([true, false])
})

test("an address without a page says so, and leads back", async ({ page, world }) => {
  await world.signIn(page)
  await page.goto(new URL("/nonsense", world.url()).href)
  await expect(page.getByText("There is no page at this address")).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("link", { name: "See what waits for you" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Waiting" })).toBeVisible()
})
