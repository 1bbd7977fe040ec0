import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"

test.describe("who is signed in", () => {
  test.use({ newWorld: true, signsIn: true })

  test("a browser that is signed out elsewhere is out at once", atNight, async ({ page, otherPage, world }) => {
    await world.signIn(page, "/settings")
    await world.signIn(otherPage)
    const devices = page.getByRole("list", { name: "Signed-in browsers and terminals" })
    const theirs = devices
      .getByRole("listitem")
      .filter({ hasText: /Chrome/ })
      .filter({ hasNotText: "This browser" })
    await theirs.getByRole("button", { name: /^Sign out/ }).click()
    await expect(theirs).toHaveCount(0)
    await expect(otherPage.getByRole("navigation")).toHaveCount(0)
    await expect(otherPage.getByText("byleave open")).toBeVisible()
    await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible()
  })

  test("a terminal is signed out only after the way back is told", atNight, async ({ page, world }) => {
    await world.signIn(page, "/settings")
    await page.getByRole("button", { name: "Sign out terminal" }).click()
    const dialog = page.getByRole("dialog", { name: "Sign out this terminal?" })
    await expect(dialog).toContainText("byleave init")
    await expectAccessibleAtNight(page)
    await dialog.getByRole("button", { name: "Cancel" }).click()
    expect((await world.people.listDevices()).ok).toBe(true)
    await page.getByRole("button", { name: "Sign out terminal" }).click()
    await dialog.getByRole("button", { name: "Sign out" }).click()
    // Behind a dialog no button can be found: it has to be gone first.
    await expect(dialog).toBeHidden()
    await expect(page.getByRole("button", { name: "Sign out terminal" })).toHaveCount(0)
    expect((await world.people.listDevices()).ok).toBe(false)
  })

  test("signing out here forgets the key of this browser", atNight, async ({ page, world }) => {
    await world.signIn(page, "/settings")
    const before = await world.people.listDevices()
    await page.getByRole("button", { name: "Sign out this browser" }).first().click()
    await expect(page.getByText("byleave open")).toBeVisible()
    await page.reload()
    await expect(page.getByText("byleave open")).toBeVisible()
    const after = await world.people.listDevices()
    expect(before.ok && after.ok && before.value.items.length - after.value.items.length).toBe(1)
  })

  test("a person changes their own PIN, by the old one", atNight, async ({ page, world }) => {
    await world.people.addReviewer({ body: { id: "ada", name: "Ada Lovelace", pin: "old horse" } })
    const link = await world.people.mintLink({ body: { reviewer: "ada" } })
    if (!link.ok) throw new Error(link.problem.detail)
    await page.goto(link.value.url)
    await page.getByRole("button", { name: /sign in/i }).click()
    await page.getByRole("navigation").first().waitFor()
    await page.goto(new URL("/settings", world.url()).href)
    await page.getByRole("button", { name: "Change PIN…" }).click()
    const dialog = page.getByRole("dialog")
    const change = dialog.getByRole("button", { name: "Change PIN" })
    await dialog.getByLabel("Current PIN").fill("wrong horse")
    await dialog.getByLabel("New PIN", { exact: true }).fill("new horse")
    await dialog.getByLabel("Repeat new PIN").fill("new house")
    await expect(dialog.getByText("The PINs do not match.")).toBeVisible()
    await expect(change).toBeDisabled()
    await dialog.getByLabel("Repeat new PIN").fill("new horse")
    await change.click()
    await expect(dialog.getByText(/Wrong PIN/)).toBeVisible()
    await dialog.getByLabel("Current PIN").fill("old horse")
    await change.click()
    await expect(page.getByText("PIN changed")).toBeVisible()
  })
})

test("the secret of a token is shown once, works, and stops working when it is revoked", async ({ page, world }) => {
  await world.signIn(page, "/settings")
  await page.getByRole("button", { name: "Add token…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name", { exact: true }).fill("laptop")
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Create token" }).click()
  const secret = (await dialog.getByText(/^byl_agent_/).textContent()) ?? ""
  await expectAccessibleAtNight(page)

  await page.keyboard.press("Escape")
  await expect(dialog.getByText(/will not be shown again/)).toBeVisible()
  await dialog.getByRole("button", { name: "I have stored it" }).click()
  await expect(dialog).toBeHidden()
  await page.reload()
  await expect(page.getByRole("list", { name: "Agent and program tokens" }).getByText("laptop")).toBeVisible()
  expect(await page.content()).not.toContain(secret)
  expect(await initialize(world.url(), secret)).toBe(200)

  await page.getByRole("button", { name: "Revoke laptop" }).click()
  await page.getByRole("button", { name: "Revoke laptop now" }).click()
  await expect(page.getByRole("button", { name: /^Revoke laptop/ })).toHaveCount(0)
  expect(await initialize(world.url(), secret)).toBe(401)

  await page.getByRole("button", { name: "Add token…" }).click()
  await dialog.getByLabel("Name", { exact: true }).fill("ci")
  await dialog.getByRole("radio", { name: /^Agent runner/ }).check()
  await expect(dialog.getByLabel("Owner")).toHaveCount(0)
  await dialog.getByLabel("Conveys decisions").check()
  await dialog.getByRole("button", { name: "Create token" }).click()
  const runner = (await dialog.getByText(/^byl_/).textContent()) ?? ""
  await dialog.getByRole("button", { name: "I have stored it" }).click()
  await expect(page.getByText("Conveys decisions", { exact: true })).toBeVisible()
  const runs = await fetch(`${world.url()}/api/runs`, { headers: { authorization: `Bearer ${runner}` } })
  expect(await runs.json()).toMatchObject({ items: [] })
  expect(await initialize(world.url(), runner)).toBe(401)
})

test("a link signs in another browser, once", atNight, async ({ page, otherPage, world }) => {
  await world.signIn(page, "/settings")
  await page.getByRole("button", { name: "Sign in another browser…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("button", { name: "Create link" }).click()
  await expect(dialog.getByText(/(9|10) min left/)).toBeVisible()
  const url = (await dialog.getByText(/\/sign-in#/).textContent()) ?? ""
  for (const works of [true, false]) {
    await otherPage.goto(url)
    await otherPage.getByRole("button", { name: /sign in/i }).click()
    if (works) await expect(otherPage.getByRole("navigation").first()).toBeVisible()
    else await expect(otherPage.getByText("This link no longer works").first()).toBeVisible()
  }
})

test("people are added with their groups, and removed", async ({ page, world }) => {
  await world.signIn(page, "/settings")
  await page.getByRole("button", { name: "Add reviewer…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name", { exact: true }).fill("Ada Lovelace")
  await dialog.getByLabel("ID", { exact: true }).fill("ada")
  await dialog.getByLabel("Groups").fill("ops, release")
  await dialog.getByRole("button", { name: "Add reviewer" }).click()
  await expect(dialog.getByText(/sign in one browser for Ada Lovelace/)).toBeVisible()
  await page.keyboard.press("Escape")
  const people = page.getByRole("list", { name: "Reviewers" })
  await expect(people.getByText("release", { exact: true })).toBeVisible()
  await people.getByRole("button", { name: "Remove Ada Lovelace" }).click()
  await dialog.getByRole("button", { name: "Remove and sign out everywhere" }).click()
  await expect(people.getByText("Ada Lovelace")).toHaveCount(0)
})

test("the page says openly that no PIN is asked for, keeps the theme, and is accessible in both", async ({
  page,
  world,
}) => {
  await world.signIn(page, "/settings")
  await expect(page.getByText("Yes: PINs are turned off")).toBeVisible()
  for (const theme of ["light", "dark"]) {
    await page.getByLabel("Theme").selectOption(theme)
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme)
    await (theme === "light" ? expectAccessible : expectAccessibleAtNight)(page)
  }
  await page.reload()
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark")
  await page.setViewportSize({ width: 320, height: 800 })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide).toBe(0)
})

/** How `/mcp` answers an agent with this token. */
async function initialize(url: string, token: string): Promise<number> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  const response = await fetch(`${url}/mcp/files`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  })
  await response.body?.cancel()
  return response.status
}
