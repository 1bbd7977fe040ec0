/** What people say to a call, and that exactly this comes of it. */
import { existsSync, readFileSync } from "node:fs"
import { bindVerdict } from "@byleave/api"
import { answerCall } from "../../api/answer-call.ts"
import { sessionDisplayed } from "../../api/as-displayed.ts"
import { answer, bar, dialog, fileIn, grants, openCall, propose, verdictsSent, waiting } from "../fixtures/deciding.ts"
import { alsoAtNight, atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"

test("R115, R117: allow once runs the call once, with exactly the arguments shown, and remembers nothing", async ({
  page,
  world,
}) => {
  const { agent, result, call } = await propose(world)
  const sent = verdictsSent(page)
  await openCall(page, world, call.id)
  await expectAccessibleAtNight(page)
  await answer(page, "Allow once").dblclick()
  expect((await result).isError ?? false).toBe(false)
  expect(readFileSync(fileIn(world, "a.txt"), "utf8")).toBe("Hello.")
  await expect(bar(page)).toBeHidden()
  expect(sent.map((body) => JSON.parse(body))).toEqual([await bindVerdict(call, { kind: "approve", face: "inbox" })])
  expect(await grants(world)).toEqual([])
  const again = agent.call("write_file", { path: fileIn(world, "a.txt"), content: "Hello." }).catch(() => null)
  await expect.poll(async () => (await waiting(world)).length).toBe(1)
  await agent.close()
  await again
})

test("R101: a denial with a reason reaches the agent in these words", async ({ page, world }) => {
  const { result, call } = await propose(world)
  await openCall(page, world, call.id)
  await bar(page).getByRole("button", { name: "More deny options" }).click()
  await page.getByRole("menuitem", { name: "Deny with a reason" }).click()
  await dialog(page)
    .getByLabel(/^Reason/)
    .fill("Write to notes.txt instead.")
  await expectAccessible(page)
  await dialog(page).getByRole("button", { name: "Deny this call" }).click()
  const told = await result
  expect(told.isError).toBe(true)
  expect(told.content[0]?.text).toContain("Write to notes.txt instead.")
  expect(existsSync(fileIn(world, "a.txt"))).toBe(false)
})

/** Looks at Allow once in every frame, from the first to when it is ready and at rest: how well could it be read at worst? */
function watchAllowOnce(): void {
  const seen = { worst: 21, frames: 0, isReady: false }
  Reflect.set(globalThis, "allowOnceSeen", seen)
  const lightOf = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const look = (): void => {
    const button = [...document.querySelectorAll<HTMLButtonElement>('[data-answer="allow-once"]')].find((each) =>
      each.checkVisibility(),
    )
    if (button !== undefined) {
      const { color, backgroundColor } = getComputedStyle(button)
      const [low = 0, high = 0] = [lightOf(color), lightOf(backgroundColor)].sort((one, other) => one - other)
      seen.worst = Math.min(seen.worst, (high + 0.05) / (low + 0.05))
      seen.frames += 1
      seen.isReady = !button.disabled && button.getAnimations().length === 0
    }
    if (!seen.isReady) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

for (const colorScheme of alsoAtNight<"light" | "dark">(["light"], ["dark"])) {
  test(`Allow once can be read at every moment, also while it is not ready yet: ${colorScheme}`, async ({
    page,
    world,
  }) => {
    await page.emulateMedia({ reducedMotion: "no-preference", colorScheme })
    await page.addInitScript(watchAllowOnce)
    const { call } = await propose(world)
    await openCall(page, world, call.id)
    const seen = () =>
      page.evaluate(() => Reflect.get(globalThis, "allowOnceSeen") as { worst: number; isReady: boolean })
    await expect.poll(async () => (await seen()).isReady).toBe(true)
    expect((await seen()).worst).toBeGreaterThanOrEqual(4.5)
  })
}

test("R164, R166: no stray key decides; Ctrl+Enter allows once", async ({ page, world }) => {
  const { result, call } = await propose(world)
  const sent = verdictsSent(page)
  await openCall(page, world, call.id)
  for (const key of ["Enter", "Space", "y", "a", "n", "d", "Backspace", "Delete", "Control+a", "Shift+Enter"]) {
    await page.locator("body").press(key)
  }
  await page.keyboard.press("Escape")
  await page.goto(new URL(`/?open=${call.id}`, world.url()).href)
  await expect(answer(page, "Allow once")).toBeEnabled()
  await page.keyboard.press("Control+Backspace")
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press("Control+Enter")
  await page.keyboard.press("Escape")
  await expect(dialog(page)).toBeHidden()
  expect(sent).toEqual([])
  expect((await waiting(world)).length).toBe(1)
  await page.keyboard.press("Control+Enter")
  expect((await result).isError ?? false).toBe(false)
  expect(sent).toHaveLength(1)
})

test("Ctrl+Backspace takes to the reason: typing only writes, Enter denies, and the agent reads what was typed", async ({
  page,
  world,
}) => {
  const { result, call } = await propose(world)
  const sent = verdictsSent(page)
  await openCall(page, world, call.id)
  await page.keyboard.press("Control+Backspace")
  await expect(dialog(page).getByLabel(/^Reason/)).toBeFocused()
  await page.keyboard.type("Use notes.txt, please.")
  await page.keyboard.press("Control+Enter")
  await expect(dialog(page).getByLabel(/^Reason/)).toHaveValue("Use notes.txt, please.")
  expect(sent).toEqual([])
  await page.keyboard.press("Enter")
  expect((await result).content[0]?.text).toContain("A reviewer denied it: Use notes.txt, please.")
})

test(
  "Ctrl+Backspace takes to the reason after a menu of answers was closed with Escape, too",
  atNight,
  async ({ page, world }) => {
    const { call } = await propose(world)
    const sent = verdictsSent(page)
    await openCall(page, world, call.id)
    const menu = answer(page, "Always allow")
    await menu.click()
    await expect(page.getByRole("menu")).toBeVisible()
    await page.keyboard.press("Escape")
    await expect(menu).toBeFocused()
    await page.keyboard.press("Control+Enter")
    await page.keyboard.press("Control+Backspace")
    await expect(dialog(page).getByLabel(/^Reason/)).toBeFocused()
    expect(sent).toEqual([])
  },
)

test("nobody who denies without a reason is quoted with one", atNight, async ({ page, world }) => {
  const { result, call } = await propose(world)
  await openCall(page, world, call.id)
  await answer(page, "Deny").click()
  expect((await result).content[0]?.text).toContain("A reviewer denied it and gave no reason.")
  const happened = page.getByRole("region", { name: "What happened" })
  await expect(happened).toContainText("denied it")
  await expect(happened.getByRole("blockquote")).toHaveCount(0)
})

test("of two people who decide at once, the second is told and changes nothing", async ({ page, world }) => {
  const { result, call } = await propose(world)
  await openCall(page, world, call.id)
  // The page hears of nothing until it has answered: both looked at the same waiting call.
  await page.route("**/api/approvals**", async (route) => {
    if (route.request().method() === "POST") {
      await answerCall(world.people, call.id, { kind: "deny" })
    }
    await route.continue()
  })
  await answer(page, "Allow once").click()
  expect((await result).isError).toBe(true)
  expect(existsSync(fileIn(world, "a.txt"))).toBe(false)
  await expect(page.getByRole("alert").filter({ hasText: "Your decision was not applied" })).toBeVisible()
  await expect(page.getByRole("article").getByText("Denied").first()).toBeVisible()
  await expect(bar(page)).toBeHidden()
})

test("an answer that nobody confirmed is called neither counted nor refused", async ({ page, world }) => {
  const { agent, call } = await propose(world)
  await openCall(page, world, call.id)
  await page.route("**/api/approvals/*/verdict", (route) => route.abort())
  await answer(page, "Allow once").click()
  const told = page.getByRole("status").filter({ hasText: "Your decision is not confirmed yet" })
  await expect(told).toContainText("it is not known yet whether this arrived")
  await expect(page.getByText(/was not applied/)).toHaveCount(0)
  await agent.close()
})

test.describe("a call that waits no more", () => {
  test.use({ options: { policy: 'policy:\n  rules:\n    - ask: "files(write_file)"\n      wait: 8s\n' } })

  test(
    "looks gone: expired, or withdrawn, with what happened and nothing to press",
    atNight,
    async ({ page, world }) => {
      await world.signIn(page)
      const { call } = await propose(world)
      await page.goto(new URL(`/?open=${call.id}`, world.url()).href)
      const card = page.getByRole("article")
      await expect(answer(page, "Allow once")).toBeVisible()
      await expect(card).toHaveAttribute("data-status", "expired", { timeout: 40_000 })
      await expect(card).toHaveAttribute("data-gone", "true")
      await expect(card.getByText("Expired", { exact: true })).toBeVisible()
      await expect(card).toContainText("Nobody decided in time. It did not run, and the agent was told.")
      await expect(bar(page)).toHaveCount(0)
      await expect(card.getByRole("button", { name: "Extend deadline" })).toHaveCount(0)
      await expectAccessibleAtNight(page)

      const second = await propose(world, "b.txt")
      await page.goto(new URL(`/?open=${second.call.id}`, world.url()).href)
      await expect(answer(page, "Allow once")).toBeVisible()
      const { principal, id } = second.call.session
      const ended = await world.people.endSession({ body: await sessionDisplayed(world.people, { principal, id }) })
      expect(ended.ok).toBe(true)
      await expect(card).toHaveAttribute("data-status", "cancelled")
      await expect(card.getByText("Withdrawn", { exact: true })).toBeVisible()
      // The session is over, and still what it was called.
      await expect(page.getByRole("heading", { name: /^test-agent/ })).toBeVisible()
      await expect(bar(page)).toHaveCount(0)
      await page.goto(new URL("/?open=nothing-of-the-kind", world.url()).href)
      await expect(page.getByText("Call not found")).toBeVisible()
    },
  )
})

test("a call can be let wait longer, by an hour, by eight, for ever", async ({ page, world }) => {
  const { call } = await propose(world)
  const expiry = async () => {
    const [now] = await waiting(world)
    return now?.status === "pending" ? now.expiresAt : undefined
  }
  const first = (await expiry()) ?? 0
  await openCall(page, world, call.id)
  const more = page.getByRole("article").getByRole("button", { name: "Extend deadline" })
  for (const { item, until } of [
    { item: /^1 more hour/, until: first + 3_600_000 },
    { item: /^8 more hours/, until: first + 9 * 3_600_000 },
    { item: /^Never expires/, until: null },
  ]) {
    await more.click()
    await expectAccessibleAtNight(page)
    await page.getByRole("menuitem", { name: item }).click()
    await expect.poll(expiry).toBe(until)
  }
  await expect(page.getByText("No deadline.")).toBeVisible()
  await expect(more).toHaveCount(0)
})

test.describe("in a hand", () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })

  test("R13, R170, R171: Deny and Allow stand at the bottom, large and apart, and two taps decide", async ({
    page,
    world,
  }) => {
    const { result, call } = await propose(world, "a.txt", "A line.\n".repeat(200))
    await openCall(page, world, call.id)
    const allow = await answer(page, "Allow once").boundingBox()
    const deny = await answer(page, "Deny").boundingBox()
    if (allow === null || deny === null) throw new Error("the buttons are not in sight")
    expect(Math.min(allow.height, allow.width, deny.height, deny.width)).toBeGreaterThanOrEqual(44)
    expect(allow.x - (deny.x + deny.width)).toBeGreaterThanOrEqual(44)
    expect(allow.y).toBeGreaterThan(600)
    expect(allow.y + allow.height).toBeLessThanOrEqual(780)
    await expectAccessibleAtNight(page)
    await answer(page, "Allow once").tap()
    expect((await result).isError ?? false).toBe(false)
  })
})
