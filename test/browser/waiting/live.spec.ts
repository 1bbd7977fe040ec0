/** What an open page shows while things happen elsewhere. */

import { answerCall } from "../../api/answer-call.ts"
import { sessionDisplayed } from "../../api/as-displayed.ts"
import { atNight, expect, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

async function pending(world: World) {
  const reply = await world.people.listApprovals({ query: { status: "pending" } })
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value.items
}

async function deny(world: World, id: string): Promise<void> {
  const reply = await answerCall(world.people, id, { kind: "deny" })
  if (!reply.ok) throw new Error(reply.problem.detail)
}

test("R173: calls appear as they come and go as they are settled, in the list, the navigation and the title", async ({
  page,
  world,
}) => {
  await world.signIn(page)
  await expect(page).toHaveTitle("Byleave")
  const agent = await world.agent()
  const first = agent.call("write_file", { path: "a.txt", content: "x" }).catch(() => undefined)
  await expect(page.locator("[data-approval]")).toHaveCount(1)
  await expect(page).toHaveTitle("(1) Byleave")
  void agent.call("create_directory", { path: "new" }).catch(() => undefined)
  await expect(page.locator("[data-approval]")).toHaveCount(2)
  await expect(page.getByRole("status").filter({ hasText: /new calls? waits?/ })).toHaveCount(1)
  const [newest, oldest] = await pending(world)
  await deny(world, oldest?.id ?? "")
  await first
  await expect(page.locator("[data-approval]")).toHaveCount(1)
  await expect(page.locator(`[data-approval="${newest?.id}"]`)).toBeVisible()
  await expect(page).toHaveTitle("(1) Byleave")
})

test("an open call stays in place when others come, and is shown as settled when somebody else decides", async ({
  page,
  world,
}) => {
  await world.signIn(page)
  const agent = await world.agent()
  void agent.call("write_file", { path: "a.txt", content: "x" }).catch(() => undefined)
  await page.locator("[data-approval] button").first().click()
  const card = page.getByRole("article")
  await expect(card).toContainText("Needs your approval")
  const [call] = await pending(world)
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "")
  await expect.poll(focused).toBe("Selected call")
  const other = await world.agent("memory", "another")
  void other.call("create_entities", { entities: [] }).catch(() => undefined)
  await expect(page.locator("[data-approval]")).toHaveCount(2)
  expect(await focused()).toBe("Selected call")
  await expect(page).toHaveURL(new RegExp(`open=${call?.id}`))
  await deny(world, call?.id ?? "")
  await expect(card).toContainText("Denied")
  await expect(page.locator(`[data-approval="${call?.id}"]`)).toContainText("Denied")
  await page.getByRole("button", { name: "Next call" }).click()
  await expect(page.locator(`[data-approval="${call?.id}"]`)).toHaveCount(0)
  await expect(card).toContainText("memory(create_entities)")
})

test("a service that restarts under an open page is missed visibly, nothing is pretended, and nothing is lost", async ({
  page,
  world,
}) => {
  await world.signIn(page)
  const agent = await world.agent()
  void agent.call("write_file", { path: "a.txt", content: "x" }).catch(() => undefined)
  await page.locator("[data-approval] button").first().click()
  await expect(page.getByRole("button", { name: /Allow once/ })).toBeEnabled()
  await world.stop()
  await expect(page.getByText("Not connected to Byleave")).toBeVisible()
  await page.getByRole("button", { name: /Allow once/ }).click()
  await expect(page.getByText("nothing was sent and nothing was decided")).toBeVisible()
  await expect(page.getByRole("article")).toContainText("Needs your approval")
  await world.start()
  await expect(page.getByText("Reconnected.")).toBeVisible({ timeout: 30_000 })
  await expect(page.locator("[data-approval]")).toHaveCount(1)
  const again = await world.agent()
  void again.call("create_directory", { path: "new" }).catch(() => undefined)
  await expect(page.locator("[data-approval]")).toHaveCount(2)
  await page.getByRole("button", { name: /Allow once/ }).click()
  // The agent that asked went with the service's first life: the approval says that it was given and that nothing ran.
  await expect(page.getByRole("article")).toContainText("Approved, not run")
})

test(
  "R120: what waits draws attention to itself for a moment, and not for people who want stillness",
  atNight,
  async ({ page, world }) => {
    await world.signIn(page)
    await page.emulateMedia({ reducedMotion: "no-preference" })
    const agent = await world.agent()
    void agent.call("write_file", { path: "a.txt", content: "x" }).catch(() => undefined)
    await page.locator("[data-approval] button").first().click()
    const motion = (): Promise<readonly string[]> =>
      page
        .getByRole("article")
        .getByText("Needs your approval")
        .evaluate((element) => {
          const { animationName, animationIterationCount } = getComputedStyle(element)
          return [animationName === "none" ? "still" : "moves", animationIterationCount]
        })
    expect(await motion()).toEqual(["moves", "3"])
    await page.emulateMedia({ reducedMotion: "reduce" })
    expect((await motion())[0]).toBe("still")
  },
)

test(
  "R137: a card keeps the difference it has read when its server stops, and says that it is not of now",
  atNight,
  async ({ page, world }) => {
    await world.signIn(page)
    const agent = await world.agent()
    void agent.call("write_file", { path: "notes.txt", content: "Buy bread.\n" }).catch(() => undefined)
    await page.locator("[data-approval] button").first().click()
    const change = page.getByRole("article").getByRole("region", { name: "Changes", exact: true })
    await expect(change).toContainText("Compared with the file as it is now, read with files(read_")
    expect((await world.people.stopServer({ params: { id: "files" } })).ok).toBe(true)
    const other = await world.agent("memory", "another")
    void other.call("create_entities", { entities: [] }).catch(() => undefined)
    await expect(change).toContainText("The file could not be reread; the earlier version is shown")
    await expect(change).toContainText("Buy milk.")
    await expect(change).toContainText("Compared with the file as it was when it was last read")
  },
)

test(
  "a page that is opened while the service is away says so, keeps the others, and comes by itself",
  atNight,
  async ({ page, world }) => {
    await world.signIn(page, "/servers")
    await expect(page.getByRole("region", { name: "files" })).toBeVisible()
    await world.stop()
    await expect(page.getByText("Not connected to Byleave")).toBeVisible()
    await page.getByRole("link", { name: "Audit" }).first().click()
    await expect(page.getByRole("heading", { name: "Page not loaded" })).toBeVisible()
    await page.getByRole("button", { name: "Try again" }).click()
    await expect(page.getByText("Byleave is unreachable.")).toBeVisible()
    await expectAccessibleAtNight(page)
    await page.getByRole("link", { name: "Servers" }).first().click()
    await expect(page.getByRole("region", { name: "files" })).toBeVisible()
    await page.getByRole("link", { name: "Audit" }).first().click()
    await world.start()
    await expect(page.getByRole("region", { name: "Records" })).toBeVisible({ timeout: 30_000 })
  },
)

test("a session in another mode is told on every page, with who set it and until when", async ({ page, world }) => {
  const agent = await world.agent()
  void agent.call("write_file", { path: "a.txt", content: "x" }).catch(() => undefined)
  await expect.poll(async () => (await pending(world)).length).toBe(1)
  const [call] = await pending(world)
  await world.signIn(page, "/settings")
  await expect(page.getByText("runs without approval (autonomous)")).toBeHidden()
  const { principal, id } = call?.session ?? { principal: "", id: "" }
  const set = await world.people.setMode({
    body: { ...(await sessionDisplayed(world.people, { principal, id })), mode: "autonomous" },
  })
  expect(set.ok).toBe(true)
  await expect(page.getByText("runs without approval (autonomous)")).toBeVisible()
  await page.getByRole("link", { name: "Change" }).click()
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused()
  await expect(page.getByText("runs without approval (autonomous)")).toBeVisible()
})

test.describe("with little time", () => {
  test.use({ options: { more: "wait: 6s" } })

  test(
    "a call that nobody answers is told to have expired, on whatever page one is",
    atNight,
    async ({ page, world }) => {
      await world.signIn(page)
      const agent = await world.agent()
      const asked = agent.call("write_file", { path: "a.txt", content: "x" }).catch(() => undefined)
      await page.locator("[data-approval] button").first().click()
      await expect(page.getByRole("button", { name: "1 expires soon" })).toBeVisible()
      await page.getByRole("link", { name: "Activity" }).first().click()
      await expect(page.getByText("files(write_file) expired without a decision.")).toBeVisible({ timeout: 30_000 })
      await asked
      await expect(page).toHaveTitle("Activity · Byleave")
      await page.getByRole("button", { name: "Got it" }).click()
      await expect(page.getByText("expired without a decision.")).toBeHidden()
    },
  )
})
