/** How a person who looks elsewhere is told. */
import type { Page } from "@playwright/test"
import { answerCall } from "../../api/answer-call.ts"
import { waitingCall } from "../fixtures/past-calls.ts"
import { atNight, expect, expectAccessibleInBoth, test } from "../fixtures/test.ts"
import { lookElsewhere, recordTold, toldBy } from "../fixtures/told.ts"
import type { World } from "../fixtures/world.ts"

test.beforeEach(async ({ context, page }) => {
  await context.grantPermissions(["notifications"])
  await recordTold(page)
})

const shownBy = async (page: Page) => (await toldBy(page)).shown
const notesBy = async (page: Page) => (await toldBy(page)).notes
const secret = "the-secret-plan.txt"

async function ask(world: World, tool = "write_file"): Promise<void> {
  const agent = await world.agent()
  void agent.call(tool, { path: secret, content: "x" }).catch(() => undefined)
}

test("R161: the browser is asked once, by a button; then a call is told while somebody looks elsewhere, without its arguments", async ({
  page,
  world,
}) => {
  await world.signIn(page)
  await ask(world)
  await expect(page.locator("[data-approval]")).toHaveCount(1)
  expect(await toldBy(page)).toEqual({ asked: 0, shown: [], notes: 0 })
  await page.getByRole("button", { name: "Turn on" }).click()
  await expect(page.getByRole("button", { name: "Turn on" })).toHaveCount(0)
  expect((await toldBy(page)).asked).toBe(1)

  await ask(world, "create_directory")
  await expect(page.locator("[data-approval]")).toHaveCount(2)
  expect(await shownBy(page), "nothing while it is looked at").toEqual([])

  await lookElsewhere(page)
  await ask(world, "edit_file")
  const body = "Requested by anonymous."
  await expect
    .poll(() => shownBy(page))
    .toEqual([{ title: "files(edit_file) needs your approval", body, isOpen: true }])
  for (const { id } of await pending(world)) await answerCall(world.people, id, { kind: "deny" })
  await expect.poll(async () => (await shownBy(page))[0]?.isOpen, "gone once nothing waits").toBe(false)

  await page.reload()
  await expect(page.getByText("No calls waiting")).toBeVisible()
  await lookElsewhere(page)
  await ask(world)
  await expect(page.locator("[data-approval]")).toHaveCount(1)
  await expect(page.getByRole("button", { name: "Turn on" })).toHaveCount(0)
  await expect.poll(async () => (await shownBy(page)).length).toBe(1)
  expect((await toldBy(page)).asked).toBe(0)
})

test(
  "R161: who says no is not asked again, and is told nothing outside of the page",
  atNight,
  async ({ page, world }) => {
    await world.signIn(page)
    await ask(world)
    await page.getByRole("button", { name: "Not now" }).click()
    await page.reload()
    await expect(page.locator("[data-approval]")).toHaveCount(1)
    await expect(page.getByRole("button", { name: "Turn on" })).toHaveCount(0)
    await lookElsewhere(page)
    await ask(world, "create_directory")
    await expect(page).toHaveTitle("(2) Byleave")
    expect(await toldBy(page)).toEqual({ asked: 0, shown: [], notes: 0 })
  },
)

test.describe("a browser whose own question is answered with no", () => {
  test.use({ newBrowser: true })

  test("R161: the page says that notifications are blocked, and asks no more", async ({ page, context, world }) => {
    // Nobody can answer Chromium here: it takes that for a no.
    await context.clearPermissions()
    await world.signIn(page)
    await ask(world)
    await page.getByRole("button", { name: "Turn on" }).click()
    await expect(page.getByRole("button", { name: "Turn on" })).toHaveCount(0)
    expect((await toldBy(page)).asked).toBe(1)
    await page.goto(`${world.url()}/settings`)
    await expect(page.getByText("Notifications are blocked for this page.")).toBeVisible()
    await expect(page.getByLabel("Browser notifications")).toBeDisabled()
    await expectAccessibleInBoth(page)
  })
})

test("of several tabs one tells, and none while another of them is looked at", async ({ page, context, world }) => {
  await world.signIn(page, "/settings")
  await page.getByLabel("Browser notifications").click()
  await expect(page.getByLabel("Browser notifications")).toBeChecked()
  await page.getByLabel("Sound").check()
  const second = await context.newPage()
  await recordTold(second)
  await second.goto(world.url())
  await second.getByRole("heading", { name: "Waiting" }).click()
  await lookElsewhere(page).then((other) => other.close())
  await second.bringToFront()
  await ask(world)
  await expect.poll(async () => (await notesBy(page)) + (await notesBy(second))).toBe(2)
  expect([...(await shownBy(page)), ...(await shownBy(second))]).toEqual([])

  await lookElsewhere(second)
  await ask(world, "create_directory")
  await expect.poll(async () => (await notesBy(page)) + (await notesBy(second))).toBe(4)
  await expect.poll(async () => [...(await shownBy(page)), ...(await shownBy(second))].length).toBe(1)
})

test("R162: a sound is made only when it is switched on, and can be heard before", atNight, async ({ page, world }) => {
  await world.signIn(page, "/settings")
  await page.getByRole("button", { name: "Play sound" }).click()
  await expect.poll(() => notesBy(page)).toBe(2)
  await ask(world)
  await expect(page).toHaveTitle("(1) Settings · Byleave")
  expect(await notesBy(page)).toBe(2)
  await page.getByLabel("Sound").check()
  await ask(world, "create_directory")
  await expect.poll(() => notesBy(page)).toBe(4)
})

test.describe("whoever signs in", () => {
  test.use({ signsIn: true })

  test("how many wait stands in the title and on the icon, and goes with whoever signs out", async ({
    page,
    world,
  }) => {
    await world.signIn(page)
    const icon = page.locator('link[rel="icon"]')
    await expect(icon).toHaveAttribute("href", "/icon.svg")
    await ask(world)
    await expect(page).toHaveTitle("(1) Byleave")
    await expect(icon).toHaveAttribute("href", /^blob:/)
    const one = await pixels(page)
    await ask(world, "create_directory")
    await expect(page).toHaveTitle("(2) Byleave")
    await expect.poll(() => pixels(page)).not.toBe(one)
    await page.getByRole("button", { name: "Sign out" }).click()
    await expect(page.getByText("You are signed out")).toBeVisible()
    await expect(page).toHaveTitle("Sign in · Byleave")
    await expect(icon).toHaveAttribute("href", "/icon.svg")
  })

  test("settings are kept for each person", atNight, async ({ page, world }) => {
    await world.signIn(page, "/settings")
    await page.getByLabel("Sound").check()
    await page.getByLabel("Expiry warning").uncheck()
    await page.reload()
    await expect(page.getByLabel("Sound")).toBeChecked()
    await expect(page.getByLabel("Expiry warning")).not.toBeChecked()
    await world.people.addReviewer({ body: { id: "ada", name: "Ada" } })
    const link = await world.people.mintLink({ body: { reviewer: "ada" } })
    if (!link.ok) throw new Error(link.problem.detail)
    await page.goto(link.value.url)
    await page.getByRole("button", { name: /sign in/i }).click()
    await page.getByRole("link", { name: "Settings" }).first().click()
    await expect(page.getByLabel("Sound")).not.toBeChecked()
    await expect(page.getByLabel("Expiry warning")).toBeChecked()
  })
})

test.describe("with little time", () => {
  test.use({ options: { more: "wait: 6s" } })

  test(
    "a call about to expire is told on every page and outside of it, and so is that it did",
    atNight,
    async ({ page, world }) => {
      await world.signIn(page, "/settings")
      // It is checked once the browser has been asked, so not by the click itself.
      await page.getByLabel("Browser notifications").click()
      await expect(page.getByLabel("Browser notifications")).toBeChecked()
      await lookElsewhere(page)
      await ask(world)
      const call = await waitingCall(world)
      await expect(page.getByText("files(write_file) expires within a minute.")).toBeVisible()
      await expect(page.getByRole("link", { name: "View call" })).toHaveAttribute("href", `/?open=${call.id}`)
      await expect(page.getByText("files(write_file) expired without a decision.")).toBeVisible({ timeout: 30_000 })
      await expect(page.getByText("expires within a minute")).toHaveCount(0)
      await expect
        .poll(() => shownBy(page))
        .toEqual([
          { title: "files(write_file) needs your approval", body: "Requested by anonymous.", isOpen: false },
          { title: "files(write_file) expires within a minute", body: "Nobody has decided yet.", isOpen: false },
          {
            title: "files(write_file) expired without a decision",
            body: "It did not run. The agent was told.",
            isOpen: true,
          },
        ])
    },
  )

  test("who wants no warning gets none", atNight, async ({ page, world }) => {
    await world.signIn(page, "/settings")
    await page.getByLabel("Expiry warning").uncheck()
    await ask(world)
    const warning = page.getByText("expires within a minute")
    const expired = page.getByText("files(write_file) expired without a decision.")
    await expect(warning.or(expired)).toBeVisible({ timeout: 30_000 })
    await expect(expired).toBeVisible()
  })
})

async function pending(world: World) {
  const waiting = await world.people.listApprovals({ query: { status: "pending" } })
  if (!waiting.ok) throw new Error(waiting.problem.detail)
  return waiting.value.items
}

/** What is drawn on the tab's icon. */
function pixels(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const image = new Image()
    image.src = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? ""
    await image.decode()
    const canvas = document.createElement("canvas")
    canvas.width = 64
    canvas.height = 64
    canvas.getContext("2d")?.drawImage(image, 0, 0)
    return canvas.toDataURL()
  })
}
