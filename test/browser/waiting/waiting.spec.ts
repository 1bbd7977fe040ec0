/** The list of waiting calls: found, grouped, selected and decided, by mouse, by keys alone, and in a hand. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "@playwright/test"
import { answerCall } from "../../api/answer-call.ts"
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import type { Agent, World } from "../fixtures/world.ts"

function write(agent: Agent, path: string) {
  return agent.call("write_file", { path, content: `about ${path}` }).catch(() => undefined)
}

const rows = (page: Page) => page.locator("[data-approval]")
const row = (page: Page, words: string) => rows(page).filter({ hasText: words })

/** Of the calls that the test has made: the service may have been used before. */
async function statuses(world: World): Promise<readonly string[]> {
  const reply = await world.people.listApprovals({ query: {} })
  const calls = reply.ok ? reply.value.items.filter(({ createdAt }) => createdAt >= begun) : []
  return calls.map(({ status }) => status).sort()
}

let begun = 0
test.beforeEach(() => {
  begun = Date.now()
})

test("calls stand under their sessions, can be found by their arguments, and a session can be named", async ({
  page,
  world,
}) => {
  await world.signIn(page)
  const one = await world.agent("files", "writer")
  const other = await world.agent("memory", "thinker")
  void write(one, "drafts/a.txt")
  void write(one, "drafts/b.txt")
  void other.call("create_entities", { entities: [] }).catch(() => undefined)
  await expect(rows(page)).toHaveCount(3)
  const list = page.getByRole("region", { name: "Waiting calls" })
  await expect(list.getByText("2 × files(write_file)")).toBeVisible()
  await expect(list.getByRole("heading", { level: 2 })).toHaveCount(2)
  await expect(list.getByRole("heading", { name: /writer/ })).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel("Search waiting calls").fill("b.txt")
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole("button", { name: /Show all/ }).click()
  await page.getByRole("button", { name: "More filters" }).click()
  await page.getByLabel("Server").selectOption("memory")
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText("create_entities")
  await page.getByRole("button", { name: /Show all/ }).click()

  await list.getByRole("button", { name: /Rename session writer/ }).click()
  await page.getByLabel(/Session name/).fill("Release notes")
  await page.keyboard.press("Enter")
  await expect(list.getByRole("heading", { name: "Release notes" })).toBeVisible()
})

test("what the list is narrowed to is in the address, and servers and sessions lead to what waits of them", async ({
  page,
  world,
}) => {
  const one = await world.agent("files", "writer")
  const other = await world.agent("memory", "thinker")
  void write(one, "drafts/a.txt")
  void write(one, "drafts/b.txt")
  void other.call("create_entities", { entities: [] }).catch(() => undefined)
  await world.signIn(page, "/servers")
  const files = page.getByRole("region", { name: "files" })
  await files.getByRole("link", { name: "2 waiting calls" }).click()
  await expect(rows(page)).toHaveCount(2)
  expect(new URL(page.url()).search).toBe("?server=files")
  await page.getByLabel("Search waiting calls").fill("b.txt")
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(/[?&]q=b\.txt/)
  await row(page, "b.txt").locator("button").click()
  await expect(page.getByRole("article")).toBeVisible()
  await page.reload()
  await expect(page.getByRole("article")).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByLabel("Search waiting calls")).toHaveValue("b.txt")
  await page.keyboard.press("Escape")
  await expect(page).toHaveURL(/\?q=b\.txt&server=files$/)
  await page.getByRole("button", { name: /Show all/ }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(page).toHaveURL(/\/$/)

  await page.getByRole("link", { name: "Sessions" }).click()
  await page.getByRole("link", { name: "1 waiting call" }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText("create_entities")
  await page.getByRole("link", { name: /^Waiting/ }).click()
  await expect(rows(page)).toHaveCount(3)
})

test("several calls are decided at once, with an answer to each", async ({ page, world }) => {
  await world.signIn(page)
  const agent = await world.agent()
  // One after another: they are chosen by their places.
  for (const [before, name] of ["a", "b", "c"].entries()) {
    void write(agent, `drafts/${name}.txt`)
    await expect(rows(page)).toHaveCount(before + 1)
  }
  void agent.call("create_directory", { path: "new" }).catch(() => undefined)
  await expect(rows(page)).toHaveCount(4)
  const boxes = rows(page).getByRole("checkbox")
  await boxes.nth(0).click()
  await boxes.nth(2).click({ modifiers: ["Shift"] })
  const bar = page.getByRole("region", { name: "Decide the selected calls" })
  await expect(bar).toContainText("3 calls selected")
  await bar.getByRole("button", { name: /^Deny 3/ }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Deny 3 calls" }).click()
  const answers = page.getByRole("region", { name: "Results" })
  await expect(answers).toContainText("All 3 calls decided: 3 denied")
  for (const name of ["a", "b", "c"]) {
    await expect(answers.getByRole("listitem").filter({ hasText: `drafts/${name}.txt` })).toContainText("Denied")
  }
  await expect(rows(page)).toHaveCount(1)
  await expect.poll(() => statuses(world)).toEqual(["denied", "denied", "denied", "pending"])
  await answers.getByRole("button", { name: "Done" }).click()
  await page.getByText("Recent decisions").click()
  for (const name of ["a", "b", "c"]) await expect(row(page, `drafts/${name}.txt`).first()).toContainText("Denied")
})

test.describe("before a service that nobody has used", () => {
  test.use({ newWorld: true })

  test("of several chosen calls those are left out that want a look, and each that is sent has its own answer", async ({
    page,
    world,
  }) => {
    await world.signIn(page)
    const agent = await world.agent()
    for (const name of ["b", "c"]) void write(agent, `drafts/${name}.txt`)
    // One argument that tries to pass for another, and to push the rest out of sight.
    const spoof = `Hello, path: drafts/b.txt${" ".repeat(300)}and the end`
    writeFileSync(join(world.workspace, "drafts/a.txt"), "Hello.\n")
    void agent.call("write_file", { path: "drafts/a.txt", content: spoof }).catch(() => undefined)
    const secret = { path: "drafts/env", content: "key: sk-live-0123456789abcdefghijklmnop" }
    void agent.call("write_file", secret).catch(() => undefined)
    await expect(rows(page)).toHaveCount(4)
    await page.getByText(/^4 × files/).click()
    const bar = page.getByRole("region", { name: "Decide the selected calls" })
    await expect(bar).toContainText("4 calls selected")
    await expect(bar).toContainText("1 call cannot be allowed in bulk")
    await row(page, "c.txt").getByRole("checkbox").click()
    await expect(bar).toContainText("3 calls selected")
    await expectAccessibleAtNight(page)

    await bar.getByRole("button", { name: "Allow 2 once…" }).click()
    const dialog = page.getByRole("dialog")
    await expect(dialog).toContainText("Not included: 1 call")
    await expect(dialog).toContainText("It contains an unrevealed secret. Open it to review.")
    await expect(dialog).not.toContainText("sk-live")
    await expect(dialog.getByRole("checkbox", { name: "files(write_file) drafts/a.txt" })).toBeChecked()
    await expect(dialog.getByText("and the end")).toBeVisible()
    await expect(dialog.getByText(/no call of it has been approved before/i).first()).toBeVisible()
    await expectAccessible(page)
    // Somebody else is quicker with one of them.
    await page.route("**/api/verdicts", async (route) => {
      const [first] = route.request().postDataJSON().verdicts
      await answerCall(world.people, first.approval, { kind: "deny" })
      await route.continue()
    })
    await dialog.getByRole("button", { name: "Allow 2 calls once" }).click()
    const answers = page.getByRole("region", { name: "Results" })
    await expect(answers).toContainText("1 of 2 calls decided: 1 succeeded")
    await expect(answers.getByText("Succeeded", { exact: true })).toHaveCount(1)
    await expect(answers.getByText("Not applied")).toHaveCount(1)
    await expectAccessibleAtNight(page)
    await expect.poll(() => statuses(world)).toEqual(["denied", "pending", "pending", "succeeded"])
    await answers.getByRole("button", { name: "Done" }).click()
    await expect(answers).toHaveCount(0)
  })
})

test(
  "after several are allowed each says what became of it, and an unticked one still waits",
  atNight,
  async ({ page, world }) => {
    await world.signIn(page)
    const agent = await world.agent()
    void write(agent, "drafts/a.txt")
    void write(agent, "no-such-folder/b.txt")
    void agent.call("write_file", { path: "notes.txt", content: "Buy bread.\nCall Ada.\n" }).catch(() => undefined)
    await expect(rows(page)).toHaveCount(3)
    await page.getByText(/^3 × files/).click()
    await page.getByRole("button", { name: "Allow 3 once…" }).click()
    const dialog = page.getByRole("dialog")
    await expect(dialog.getByRole("row").filter({ hasText: "Buy milk." })).toContainText("removed")
    await dialog.getByRole("checkbox", { name: /notes\.txt/ }).click()
    await dialog.getByRole("button", { name: "Allow 2 calls once" }).click()
    const answers = page.getByRole("region", { name: "Results" })
    const call = (path: string) => answers.getByRole("listitem").filter({ hasText: path })
    await expect(call("drafts/a.txt")).toContainText("Succeeded")
    await expect(call("no-such-folder/b.txt")).toContainText(/Failed.*(?:directory|ENOENT)/i)
    await expect(answers).toContainText("All 2 calls decided: 1 failed, 1 succeeded")
    await expectAccessibleAtNight(page)
    await expect(rows(page)).toHaveCount(1)
  },
)

test("R165, R166: the way from a waiting call to its answer needs no mouse, and Escape decides nothing", async ({
  page,
  world,
}) => {
  await world.signIn(page)
  const agent = await world.agent()
  const first = write(agent, "drafts/a.txt")
  // One after the other: the order of the list is theirs.
  await expect(rows(page)).toHaveCount(1)
  void write(agent, "drafts/b.txt")
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press("?")
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible()
  await page.keyboard.press("Escape")
  await expect(page.getByRole("dialog")).toBeHidden()

  await page.keyboard.press("j")
  await expect(row(page, "a.txt").locator("button")).toBeFocused()
  await page.keyboard.press("j")
  await expect(row(page, "b.txt").locator("button")).toBeFocused()
  await page.keyboard.press("x")
  await expect(row(page, "b.txt").getByRole("checkbox")).toBeChecked()
  await page.keyboard.press("x")
  await page.keyboard.press("k")
  await page.keyboard.press("Enter")
  const card = page.getByRole("article")
  await expect(card).toContainText("Needs your approval")
  await page.keyboard.press("Escape")
  await expect(card).toBeHidden()
  await expect(row(page, "a.txt").locator("button")).toBeFocused()
  expect(await statuses(world)).toEqual(["pending", "pending"])

  await page.keyboard.press("Enter")
  await expect(card.getByRole("button", { name: /Allow once/ })).toBeEnabled()
  await page.keyboard.press("ControlOrMeta+Enter")
  await expect(card).toContainText("Succeeded")
  expect((await first)?.isError ?? false).toBe(false)
  await page.keyboard.press("/")
  await expect(page.getByLabel("Search waiting calls")).toBeFocused()
  await page.keyboard.type("jjxx")
  await expect.poll(() => statuses(world)).toEqual(["pending", "succeeded"])
})

test.describe("in a hand", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test(
    "the list gives way to the card, whose answers stay in reach, and nothing scrolls sideways",
    atNight,
    async ({ page, world }) => {
      await world.signIn(page)
      const agent = await world.agent()
      const asked = write(agent, "drafts/a.txt")
      await expect(rows(page)).toHaveCount(1)
      await page.getByRole("button", { name: "Not now" }).tap()
      await expectAccessibleAtNight(page)
      await rows(page).locator("button").tap()
      const allow = page.getByRole("button", { name: /Allow once/ })
      await expect(allow).toBeInViewport()
      await expect(rows(page)).toBeHidden()
      await expectAccessibleAtNight(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      await page.getByRole("button", { name: "All waiting calls" }).tap()
      await expect(rows(page)).toBeVisible()
      await rows(page).locator("button").tap()
      await expect(allow).toBeEnabled()
      await allow.tap()
      await expect(page.getByRole("article")).toContainText("Succeeded")
      await asked
      await page.getByRole("button", { name: "All waiting calls" }).tap()
      await page.getByRole("button", { name: "More" }).tap()
      await page.getByRole("dialog").getByRole("link", { name: "Policy" }).tap()
      await expect(page.getByRole("heading", { level: 1, name: /Policy/ })).toBeVisible()
    },
  )
})

test("at 320 px and at twice the size nothing scrolls sideways", atNight, async ({ page, world }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await world.signIn(page)
  const agent = await world.agent()
  void write(agent, `drafts/${"long-name-".repeat(20)}.txt`)
  await expect(rows(page)).toHaveCount(1)
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(await over()).toBeLessThanOrEqual(0)
  await rows(page).locator("button").click()
  await expect(page.getByRole("article")).toBeVisible()
  expect(await over()).toBeLessThanOrEqual(0)
})
