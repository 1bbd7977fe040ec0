/** What people say to a call, and that exactly this comes of it. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "@playwright/test"
import { callNamelessly } from "./fixtures/nameless-agent.ts"
import { expect, expectAccessible, test } from "./fixtures/test.ts"
import type { World } from "./fixtures/world.ts"

async function waiting(world: World) {
  const found = await world.people.listApprovals({ query: { status: "pending" } })
  if (!found.ok) throw new Error(found.problem.detail)
  return found.value.items
}

async function grants(world: World) {
  const found = await world.people.listGrants()
  if (!found.ok) throw new Error(found.problem.detail)
  return found.value.items
}

const fileIn = (world: World, name: string) => join(world.workspace, "drafts", name)

/** An agent asks for a file to be written; gives what becomes of it. */
async function propose(world: World, name = "a.txt", content = "Hello.") {
  const agent = await world.agent()
  const result = agent.call("write_file", { path: fileIn(world, name), content })
  result.catch(() => {})
  await expect
    .poll(async () => (await waiting(world)).some(({ args }) => args?.path === fileIn(world, name)))
    .toBe(true)
  const call = (await waiting(world)).find(({ args }) => args?.path === fileIn(world, name))
  if (call === undefined) throw new Error("the call does not wait")
  return { agent, result, call }
}

async function openCall(page: Page, world: World, id: string): Promise<void> {
  await world.signIn(page, `/?open=${id}`)
  await expect(answer(page, "Allow once")).toBeEnabled()
}

const bar = (page: Page) => page.getByRole("region", { name: "Your answer" })
/** A button by its first line; the second says what it does. */
const answer = (page: Page, label: string) =>
  bar(page)
    .getByRole("button")
    .filter({ has: page.locator(`span:text-is("${label}")`) })
const dialog = (page: Page) => page.getByRole("dialog")
const ruleText = (page: Page) => page.getByRole("region", { name: "The rule that will be saved" }).locator("code")
const verdictsSent = (page: Page): string[] => {
  const sent: string[] = []
  page.on("request", (request) => {
    if (request.method() === "POST" && /verdict/.test(request.url())) sent.push(request.postData() ?? "")
  })
  return sent
}

test("R115, R117: allow once runs the call once, with exactly the arguments shown, and remembers nothing", async ({
  page,
  world,
}) => {
  const { agent, result, call } = await propose(world)
  const sent = verdictsSent(page)
  await openCall(page, world, call.id)
  await expectAccessible(page)
  await answer(page, "Allow once").dblclick()
  expect((await result).isError ?? false).toBe(false)
  expect(readFileSync(fileIn(world, "a.txt"), "utf8")).toBe("Hello.")
  await expect(bar(page)).toBeHidden()
  expect(sent.map((body) => JSON.parse(body))).toEqual([{ kind: "approve", digest: call.runDigest }])
  expect(await grants(world)).toEqual([])
  const again = agent.call("write_file", { path: fileIn(world, "a.txt"), content: "Hello." }).catch(() => null)
  await expect.poll(async () => (await waiting(world)).length).toBe(1)
  await agent.close()
  await again
})

test("R101: a denial with a reason reaches the agent in these words", async ({ page, world }) => {
  const { result, call } = await propose(world)
  await openCall(page, world, call.id)
  await bar(page).getByRole("button", { name: "More ways to deny" }).click()
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

const breadths = [
  {
    name: "for this session",
    press: async (page: Page) => answer(page, "Allow for session…").click(),
    text: 'allow: "files(write_file)" in this session',
  },
  {
    name: "always, this tool, 5 times within an hour",
    press: async (page: Page) => {
      await always(page, /^This tool/)
      await dialog(page).getByLabel("When it ends").selectOption("1 hour")
      await dialog(page).getByLabel("How often it may be used").fill("5")
    },
    text: 'allow: "files(write_file)", for 1 hour, 5 times',
  },
  {
    name: "always, this server",
    press: async (page: Page) => always(page, /^This server…/),
    text: 'allow: "files" access all',
  },
  {
    name: "a pattern with a condition that is written by hand",
    press: async (page: Page) => {
      await always(page, /^Only some calls/)
      await dialog(page).getByLabel("Tool", { exact: true }).fill("write_*")
      await dialog(page).getByRole("button", { name: "Only with certain arguments" }).click()
      await dialog(page).getByLabel("must be so").selectOption("glob")
      await dialog(page).getByLabel("Value").fill("*.txt")
    },
    text: 'allow: "files(write_*)" when path glob "*.txt"',
  },
] as const

async function always(page: Page, item: RegExp): Promise<void> {
  await answer(page, "Always allow").click()
  await page.getByRole("menuitem", { name: item }).click()
}

for (const { name, press, text } of breadths) {
  test(`R115, R116: what is remembered is the rule that was shown: ${name}`, async ({ page, world }) => {
    const { agent, result, call } = await propose(world)
    await openCall(page, world, call.id)
    await press(page)
    await expect(ruleText(page)).toHaveText(text)
    expect(await grants(world)).toEqual([])
    await expectAccessible(page)
    await dialog(page).getByRole("button", { name: "Allow and save the rule" }).click()
    expect((await result).isError ?? false).toBe(false)
    expect((await grants(world)).map((grant) => grant.text)).toEqual([text])
    const next = await agent.call("write_file", { path: fileIn(world, "b.txt"), content: "Again." })
    expect(next.isError ?? false).toBe(false)
    expect(await waiting(world)).toEqual([])
  })
}

test.describe("this server's reads", () => {
  test.use({
    options: {
      policy: 'policy:\n  classify:\n    - read: "files(read_*)"\n    - read: "files(list_directory)"\n  rules: []\n',
    },
  })

  test("are the tools listed now, by name", async ({ page, world }) => {
    const agent = await world.agent()
    const result = agent.call("list_directory", { path: world.workspace })
    await expect.poll(async () => (await waiting(world)).length).toBe(1)
    const [call] = await waiting(world)
    await openCall(page, world, call?.id ?? "")
    await always(page, /^This server's reads/)
    await expect(ruleText(page)).toContainText('"files(list_directory)"')
    const shown = await ruleText(page).textContent()
    await dialog(page).getByRole("button", { name: "Allow and save the rule" }).click()
    expect((await result).isError ?? false).toBe(false)
    expect((await grants(world)).map(({ text }) => text)).toEqual([shown])
    const read = await agent.call("read_text_file", { path: join(world.workspace, "notes.txt") })
    expect(read.content[0]?.text).toContain("Buy milk.")
  })
})

test("R116: a rule also releases the waiting calls that are ticked, and no other", async ({ page, world }) => {
  const first = await propose(world, "a.txt")
  const along = first.agent.call("write_file", { path: fileIn(world, "b\u202etxt"), content: "B" })
  const elsewhere = await propose(world, "c.txt")
  await expect.poll(async () => (await waiting(world)).length).toBe(3)
  await openCall(page, world, first.call.id)
  await always(page, /^This tool/)
  const listed = dialog(page).getByRole("checkbox")
  await expect(listed).toHaveCount(2)
  await expect(dialog(page).getByRole("checkbox", { checked: true })).toHaveCount(0)
  await expect(dialog(page).getByRole("button", { name: "Allow and save the rule" })).toBeVisible()
  const risky = dialog(page).getByRole("checkbox", { name: /U\+202E/ })
  await expect(risky).toHaveAccessibleDescription(/hidden character/)
  await risky.check()
  await dialog(page).getByRole("button", { name: "Allow 2 calls and save the rule" }).click()
  expect((await along).isError ?? false).toBe(false)
  expect((await first.result).isError ?? false).toBe(false)
  expect((await waiting(world)).map(({ id }) => id)).toEqual([elsewhere.call.id])
  await elsewhere.agent.close()
})

test("always deny is shown and saved as a rule, and refuses the next call", async ({ page, world }) => {
  const { agent, result, call } = await propose(world)
  await openCall(page, world, call.id)
  await bar(page).getByRole("button", { name: "More ways to deny" }).click()
  await page.getByRole("menuitem", { name: "Always deny" }).click()
  await expect(ruleText(page)).toHaveText('deny: "files(write_file)"')
  await dialog(page).getByRole("button", { name: "Deny and save the rule" }).click()
  expect((await result).isError).toBe(true)
  expect((await grants(world)).map(({ text }) => text)).toEqual(['deny: "files(write_file)"'])
  expect((await agent.call("write_file", { path: fileIn(world, "b.txt"), content: "B" })).isError).toBe(true)
  expect(await waiting(world)).toEqual([])
})

test("arguments are changed in place, the change is marked, and the call runs with it", async ({ page, world }) => {
  const { result, call } = await propose(world)
  await openCall(page, world, call.id)
  await answer(page, "Edit arguments").click()
  await expect(answer(page, "Allow once, as changed")).toBeDisabled()
  await bar(page).getByLabel("content").fill("Goodbye.")
  await expect(bar(page).getByText('"Goodbye."')).toBeVisible()
  await expectAccessible(page)
  await answer(page, "Allow once, as changed").click()
  const told = await result
  expect(told.isError ?? false).toBe(false)
  expect(readFileSync(fileIn(world, "a.txt"), "utf8")).toBe("Goodbye.")
})

/** Opens the editor the way there is at this width. */
async function edit(page: Page): Promise<void> {
  if (await answer(page, "Edit arguments").isVisible()) return answer(page, "Edit arguments").click()
  await bar(page).getByRole("button", { name: "More answers" }).click()
  await page.getByRole("menuitem", { name: /^Edit arguments/ }).click()
}

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`at ${width} px the editor opens in sight, its answers stay there and cover nothing, and then what happened is in sight`, async ({
    page,
    world,
  }) => {
    await page.setViewportSize({ width, height })
    const { result, call } = await propose(world, "a.txt", "A line of many.\n".repeat(40))
    await openCall(page, world, call.id)
    await edit(page)
    const allow = answer(page, "Allow once, as changed")
    await expect(bar(page).getByLabel("path")).toBeFocused()
    await expect(page.getByText("Change the arguments")).toBeInViewport({ ratio: 1 })
    await expect(allow).toBeInViewport({ ratio: 1 })
    for (const label of ["path", "content"]) {
      await bar(page).getByLabel(label).focus()
      const field = await bar(page).getByLabel(label).boundingBox()
      const row = await allow.boundingBox()
      if (field === null || row === null) throw new Error("nothing to see")
      expect(field.y + field.height).toBeLessThanOrEqual(row.y)
    }
    await page.getByRole("article").getByRole("heading", { level: 2 }).scrollIntoViewIfNeeded()
    await expect(page.getByText("Change the arguments")).not.toBeInViewport()
    await expect(allow).toBeInViewport({ ratio: 1 })
    await bar(page).getByLabel("content").fill("Goodbye.")
    await allow.click()
    expect((await result).isError ?? false).toBe(false)
    const happened = page.getByRole("region", { name: "What happened" })
    await expect(happened.getByText(/allowed it/)).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole("region", { name: "The open call" })).toBeFocused()
  })
}

test("R166: Esc in the editor asks before changes are lost, and decides nothing; so does leaving the call", async ({
  page,
  world,
}) => {
  const { call } = await propose(world)
  const sent = verdictsSent(page)
  await openCall(page, world, call.id)
  const content = bar(page).getByLabel("content")
  await edit(page)
  await page.keyboard.press("Escape")
  await expect(content).toHaveCount(0)
  await expect(answer(page, "Edit arguments")).toBeFocused()

  await edit(page)
  await content.fill("Goodbye.")
  for (const press of [
    () => page.keyboard.press("Escape"),
    () => dialog(page).getByRole("button", { name: "Keep editing" }).click(),
  ]) {
    await page.keyboard.press("Escape")
    await expect(dialog(page)).toContainText("Drop your changes?")
    await expectAccessible(page)
    await press()
    await expect(dialog(page)).toBeHidden()
    await expect(content).toHaveValue("Goodbye.")
  }
  await page.getByRole("button", { name: "Close", exact: true }).click()
  await dialog(page).getByRole("button", { name: "Stay and keep the changes" }).click()
  await expect(content).toHaveValue("Goodbye.")
  await page.locator("h1").first().click()
  await page.keyboard.press("Escape")
  await dialog(page).getByRole("button", { name: "Drop the changes" }).click()
  await expect(content).toHaveCount(0)
  await expect(answer(page, "Allow once")).toBeVisible()
  expect(sent).toEqual([])
  expect((await waiting(world)).map(({ id }) => id)).toEqual([call.id])
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

for (const colorScheme of ["light", "dark"] as const) {
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

/** A call with an argument that only a schema can tell wrong, its editor open. */
async function editEdits(page: Page, world: World) {
  const agent = await world.agent()
  const path = join(world.workspace, "notes.txt")
  void agent.call("edit_file", { path, edits: [{ oldText: "Buy milk.", newText: "Buy tea." }] }).catch(() => {})
  await expect.poll(async () => (await waiting(world)).length).toBe(1)
  await openCall(page, world, (await waiting(world))[0]?.id ?? "")
  await answer(page, "Edit arguments").click()
  return bar(page).getByLabel("edits")
}

test("arguments that do not fit are told at their field, before anything is sent", async ({ page, world }) => {
  const sent = verdictsSent(page)
  const edits = await editEdits(page, world)
  const told = bar(page).getByRole("alert")
  await edits.fill("[1")
  await expect(told).toContainText("not JSON")
  await edits.fill('"none"')
  await expect(told).toHaveText("It must be a list.")
  await edits.fill('[{ "oldText": "Buy milk.", "newText": 1 }]')
  await expect(told).toHaveText("At 0/newText: It must be text.")
  await expect(edits).toHaveAttribute("aria-invalid", "true")
  await expect(answer(page, "Allow once, as changed")).toBeDisabled()
  await edits.fill('[{ "oldText": "Buy milk.", "newText": "Buy bread." }]')
  await expect(told).toHaveCount(0)
  await expect(answer(page, "Allow once, as changed")).toBeEnabled()
  expect(sent).toEqual([])
})

test("where the page cannot check edited arguments the service does, and nothing runs", async ({ page, world }) => {
  await page.route("**/check-arguments-*.js", (route) => route.abort())
  const edits = await editEdits(page, world)
  await edits.fill('"none"')
  await answer(page, "Allow once, as changed").click()
  await expect(bar(page).getByText(/did not count/)).toBeVisible()
  await expect(edits).toHaveAttribute("aria-invalid", "true")
  expect(readFileSync(join(world.workspace, "notes.txt"), "utf8")).toContain("Buy milk.")
})

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

test("Ctrl+Backspace, then Enter, denies", async ({ page, world }) => {
  const { result, call } = await propose(world)
  await openCall(page, world, call.id)
  await page.keyboard.press("Control+Backspace")
  await expect(dialog(page).getByRole("button", { name: "Deny this call" })).toBeFocused()
  await page.keyboard.press("Enter")
  expect((await result).isError).toBe(true)
})

test("of two people who decide at once, the second is told and changes nothing", async ({ page, world }) => {
  const { result, call } = await propose(world)
  await openCall(page, world, call.id)
  // The page hears of nothing until it has answered: both looked at the same waiting call.
  await page.route("**/api/approvals**", async (route) => {
    if (route.request().method() === "POST") {
      await world.people.giveVerdict({ params: { id: call.id }, body: { kind: "deny", digest: call.runDigest } })
    }
    await route.continue()
  })
  await answer(page, "Allow once").click()
  expect((await result).isError).toBe(true)
  expect(existsSync(fileIn(world, "a.txt"))).toBe(false)
  await expect(page.getByRole("alert").filter({ hasText: "Your answer did not count" })).toBeVisible()
  await expect(page.getByRole("article").getByText("Denied").first()).toBeVisible()
  await expect(bar(page)).toBeHidden()
})

test("an answer that nobody confirmed is called neither counted nor refused", async ({ page, world }) => {
  const { agent, call } = await propose(world)
  await openCall(page, world, call.id)
  await page.route("**/api/approvals/*/verdict", (route) => route.abort())
  await answer(page, "Allow once").click()
  const told = page.getByRole("status").filter({ hasText: "Nobody knows yet whether your answer counted" })
  await expect(told).toContainText("Whether this arrived is not known yet")
  await expect(page.getByText(/did not count/)).toHaveCount(0)
  await agent.close()
})

test("where sessions are not told apart, a yes can be kept for 30 minutes, and no longer", async ({ page, world }) => {
  const called = callNamelessly(world, "write_file", { path: "drafts/a.txt", content: "Hello." })
  await expect.poll(async () => (await waiting(world)).length).toBe(1)
  await openCall(page, world, (await waiting(world))[0]?.id ?? "")
  await expect(answer(page, "Allow for session…")).toHaveCount(0)
  await answer(page, "Allow for 30 minutes…").click()
  await expect(
    dialog(page)
      .getByLabel("When it ends")
      .getByRole("option", { name: /30 minutes at the latest/ }),
  ).toHaveCount(1)
  const text = await ruleText(page).textContent()
  expect(text).toContain("for 30 minutes")
  await dialog(page).getByRole("button", { name: "Allow and save the rule" }).click()
  expect((await called).text).toContain("Successfully wrote")
  const [grant] = await grants(world)
  expect(grant?.text).toBe(text)
  expect((grant?.until ?? 0) - (grant?.createdAt ?? 0)).toBe(30 * 60_000)
})

test.describe("a call that waits no more", () => {
  test.use({ options: { policy: 'policy:\n  rules:\n    - ask: "files(write_file)"\n      wait: 20s\n' } })

  test("looks gone: expired, or withdrawn, with what happened and nothing to press", async ({ page, world }) => {
    await world.signIn(page)
    const { call } = await propose(world)
    await page.goto(new URL(`/?open=${call.id}`, world.url()).href)
    const card = page.getByRole("article")
    await expect(answer(page, "Allow once")).toBeVisible()
    await expect(card).toHaveAttribute("data-status", "expired", { timeout: 40_000 })
    await expect(card).toHaveAttribute("data-gone", "true")
    await expect(card.getByText("Expired", { exact: true })).toBeVisible()
    await expect(card).toContainText("Nobody answered in time. It did not run, and the agent was told so.")
    await expect(bar(page)).toHaveCount(0)
    await expect(card.getByRole("button", { name: "Wait longer" })).toHaveCount(0)
    await expectAccessible(page)

    const second = await propose(world, "b.txt")
    await page.goto(new URL(`/?open=${second.call.id}`, world.url()).href)
    await expect(answer(page, "Allow once")).toBeVisible()
    const { principal, id } = second.call.session
    const ended = await world.people.endSession({ body: { principal, id } })
    expect(ended.ok).toBe(true)
    await expect(card).toHaveAttribute("data-status", "cancelled")
    await expect(card.getByText("Withdrawn", { exact: true })).toBeVisible()
    // The session is over, and still what it was called.
    await expect(page.getByRole("heading", { name: /^test-agent/ })).toBeVisible()
    await expect(bar(page)).toHaveCount(0)
    await page.goto(new URL("/?open=nothing-of-the-kind", world.url()).href)
    await expect(page.getByText("This call is not here")).toBeVisible()
  })
})

test("a call can be let wait longer, by an hour, by eight, for ever", async ({ page, world }) => {
  const { call } = await propose(world)
  const expiry = async () => {
    const [now] = await waiting(world)
    return now?.status === "pending" ? now.expiresAt : undefined
  }
  const first = (await expiry()) ?? 0
  await openCall(page, world, call.id)
  const more = page.getByRole("article").getByRole("button", { name: "Wait longer" })
  for (const { item, until } of [
    { item: /^Wait 1 hour more/, until: first + 3_600_000 },
    { item: /^Wait 8 hours more/, until: first + 9 * 3_600_000 },
    { item: /^Never expires/, until: null },
  ]) {
    await more.click()
    await expectAccessible(page)
    await page.getByRole("menuitem", { name: item }).click()
    await expect.poll(expiry).toBe(until)
  }
  await expect(page.getByText("It waits for as long as it takes.")).toBeVisible()
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
    await expectAccessible(page)
    await answer(page, "Allow once").tap()
    expect((await result).isError ?? false).toBe(false)
  })
})
