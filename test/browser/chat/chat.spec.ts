import { readFileSync } from "node:fs"
import { join } from "node:path"
import { allow, bar, begin, card, cards, field, messages, models, say, test, wroteIn } from "../fixtures/chatting.ts"
import { dialog, waiting } from "../fixtures/deciding.ts"
import { sizes } from "../fixtures/look.ts"
import { expect, expectAccessibleAtNight, expectAccessibleInBoth } from "../fixtures/test.ts"

test("R84, R85, R90, R123: a call waits in the message, is allowed there, and the reply goes on in the same message", async ({
  page,
  world,
}) => {
  const url = await begin(page, world, "write one file")
  await expect(bar(page)).toContainText("1 call waits")
  await expect(page.getByRole("alert").filter({ hasText: "needs your approval" })).toHaveCount(1)
  await expect(messages(page).locator("strong").filter({ hasText: /^one$/ })).toBeVisible()
  await expect(card(page, "one.txt")).toContainText(/The thread “write one file” asks/)
  await expectAccessibleAtNight(page)

  // Reloaded, and opened on another device, it is one card all the same.
  await page.reload()
  await expect(cards(page)).toHaveCount(1)
  await expect(bar(page)).toContainText("1 call waits")

  await allow(page, "one.txt").click()
  await expect(page.getByRole("status").filter({ hasText: "You allowed files(write_file)." })).toHaveCount(1)
  await expect(messages(page).getByText("Now it is there.")).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
  await expect(bar(page)).toBeHidden()
  await expect(messages(page).locator("[data-message]")).toHaveCount(1)
  await expect(page.getByRole("list", { name: "Calls" })).toContainText(/Ran.*allowed it\. It succeeded.* in the chat /)
  expect(readFileSync(join(world.workspace, "one.txt"), "utf8")).toBe("Written.")
  await expectAccessibleAtNight(page)

  await page.goto(url)
  await expect(messages(page).getByText("Now it is there.")).toBeVisible()
})

test("R147, R184: two calls in one message: one yes, one no with a reason, each by its own card and keys", async ({
  page,
  world,
}) => {
  await begin(page, world, "write two files")
  await expect(cards(page)).toHaveCount(2)
  await expect(bar(page)).toContainText("2 calls wait")
  await expectAccessibleInBoth(page)
  // Keys act on the card they are pressed in, and on none when pressed in the composer.
  await field(page).press("Control+Enter")
  await bar(page).getByRole("button", { name: "Show the first" }).click()
  await expect(card(page, "b.txt").getByRole("button", { name: /^Allow once/ })).toBeEnabled()
  await card(page, "b.txt")
    .getByRole("button", { name: /^Allow once/ })
    .focus()
  await page.keyboard.press("Control+Enter")
  await expect(cards(page)).toHaveCount(1)
  await expect(bar(page)).toContainText("1 call waits")
  await card(page, "a.txt").getByRole("button", { name: "More deny options" }).click()
  await page.getByRole("menuitem", { name: "Deny with a reason" }).click()
  await dialog(page)
    .getByLabel(/^Reason/)
    .fill("Only one of them.")
  await dialog(page).getByRole("button", { name: "Deny this call" }).click()
  await expect(messages(page).getByText("Both are decided.")).toBeVisible()
  await expect(messages(page)).toContainText("Only one of them.")
  expect([wroteIn(world, "a.txt"), wroteIn(world, "b.txt")]).toEqual([false, true])
  await expect(messages(page).locator("[data-message]")).toHaveCount(1)
})

test("an answer given in the inbox and one by another program show in the thread at once", async ({
  page,
  world,
  context,
}) => {
  await begin(page, world, "write two files")
  await expect(cards(page)).toHaveCount(2)
  const inbox = await context.newPage()
  const [first, second] = await waiting(world)
  await world.signIn(inbox, `/?open=${first?.id}`)
  await inbox
    .getByRole("region", { name: "Your decision" })
    .getByRole("button", { name: /^Allow once/ })
    .click()
  await expect(cards(page)).toHaveCount(1)
  const { id = "", runDigest: digest = "" } = second ?? {}
  await world.people.giveVerdict({ params: { id }, body: { kind: "deny", digest } })
  await expect(messages(page).getByText("Both are decided.")).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
  await inbox.close()
})

test("a message while a call waits denies it first, and Stop withdraws it", async ({ page, world }) => {
  await begin(page, world, "write one file")
  await expect(cards(page)).toHaveCount(1)
  await say(page, "never mind")
  const ask = page.getByRole("alertdialog", { name: "Deny and send?" })
  await expect(ask).toContainText("Sending now denies the call that waits")
  await expectAccessibleAtNight(page)
  await ask.getByRole("button", { name: "Keep waiting" }).click()
  await expect(cards(page)).toHaveCount(1)
  await field(page).press("Enter")
  await ask.getByRole("button", { name: "Deny and send" }).click()
  await expect(messages(page).getByText("As you like.")).toBeVisible()
  await expect(messages(page)).toContainText("denied it")
  expect(wroteIn(world, "one.txt")).toBe(false)

  await say(page, "write two files")
  await expect(cards(page)).toHaveCount(2)
  await page.getByRole("button", { name: "Stop" }).click()
  await expect(page.getByText(/^Stopped by/)).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
  await expect(page.getByRole("list", { name: "Calls" }).last()).toContainText("Withdrawn")
  await say(page, "look")
  await expect(messages(page).getByText("That is all.")).toBeVisible()
  expect([wroteIn(world, "a.txt"), wroteIn(world, "b.txt")]).toEqual([false, false])
})

test("Stop keeps what was said, and a message goes on; a failed reply is tried again", async ({
  page,
  world,
  provider,
}) => {
  provider.next({ kind: "answer", say: "I was about to", end: "held" })
  await begin(page, world, "count", "remote")
  await expect(messages(page).getByText("I was about to")).toBeVisible()
  // Reloaded while it streams, it is told from its beginning.
  await page.reload()
  await expect(messages(page).getByText("I was about to")).toBeVisible()
  await page.getByRole("button", { name: "Stop" }).click()
  await expect(page.getByText(/^Stopped by/)).toBeVisible()
  await expect(messages(page).getByText("I was about to")).toBeVisible()
  await page.reload()
  await expect(messages(page).getByText("I was about to")).toBeVisible()
  provider.next({ kind: "answer", say: "It broke", end: "closed" }, { kind: "answer", say: "There are two." })
  await say(page, "go on")
  await expect(page.getByText("The reply failed")).toBeVisible()
  await expectAccessibleAtNight(page)
  await page.getByRole("button", { name: "Try again" }).click()
  await expect(messages(page).getByText("There are two.")).toBeVisible()
})

test("R53, R131, R132: what one thread may do is asked again in another; threads are searched, renamed, exported and deleted", async ({
  page,
  world,
}) => {
  const first = await begin(page, world, "write one file")
  await card(page, "one.txt")
    .getByRole("button", { name: /^Allow for session/ })
    .click()
  await dialog(page)
    .getByRole("button", { name: /^Allow/ })
    .click()
  await expect(messages(page).getByText("Now it is there.")).toBeVisible()
  await say(page, "write two files")
  await expect(messages(page).getByText("Both are decided.")).toBeVisible()
  await page.getByRole("link", { name: "New thread" }).click()
  await say(page, "write two files, please")
  await expect(cards(page)).toHaveCount(2)

  const list = page.getByRole("navigation", { name: "Threads" })
  await list.getByRole("searchbox").fill("PLEASE")
  await expect(list.getByRole("link", { name: /one file/ })).toHaveCount(0)
  await list.getByRole("searchbox").fill("")
  await list.locator(`a[href="${new URL(first).pathname}"]`).click()
  await expect(page).toHaveURL(first)
  await page.getByRole("button", { name: "More for this thread" }).click()
  await page.getByRole("menuitem", { name: "Rename…" }).click()
  await dialog(page).getByLabel("Title").fill("Notes of May")
  await dialog(page).getByRole("button", { name: "Rename" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Notes of May" })).toBeVisible()
  await page.getByRole("button", { name: "More for this thread" }).click()
  const saving = page.waitForEvent("download")
  await page.getByRole("menuitem", { name: "Export as JSON" }).click()
  const saved = JSON.parse(readFileSync(await (await saving).path(), "utf8"))
  expect(saved.messages[1].blocks.some(({ type }: { type: string }) => type === "tool_call_permission")).toBe(true)
  await page.getByRole("button", { name: "Permissions of this thread" }).click()
  const unasked = dialog(page).getByRole("region", { name: "files" })
  await expect(unasked).toContainText("write_file")
  await expect(unasked).toContainText("Your policy allows")
  await expectAccessibleAtNight(page)
  await unasked.getByRole("button", { name: /^Revoke/ }).click()
  await expect(unasked.getByRole("button", { name: /^Revoke/ })).toHaveCount(0)
  await dialog(page).getByRole("button", { name: "Done" }).click()
  await page.getByRole("button", { name: "More for this thread" }).click()
  await page.getByRole("menuitem", { name: "Delete…" }).click()
  await dialog(page).getByRole("button", { name: "Delete thread" }).click()
  await expect(page).toHaveURL(/\/chat$/)
  await expect(list.getByRole("link", { name: /Notes of May/ })).toBeHidden()
})

test("a model's text cannot imitate a card or the bar, loads nothing, and says where links lead", async ({
  page,
  world,
}) => {
  const loaded: string[] = []
  page.on("request", (request) => loaded.push(request.url()))
  await begin(page, world, "pretend")
  await expect(messages(page).getByText("1 call waits")).toBeVisible()
  await expect(bar(page)).toBeHidden()
  await expect(cards(page)).toHaveCount(0)
  await expect(messages(page).getByRole("button", { name: /Allow/ })).toHaveCount(0)
  await expect(messages(page).getByRole("heading")).toHaveCount(0)
  await say(page, "hostile")
  await expect(messages(page)).toContainText("bank (evil.example/login)")
  await expect(messages(page)).toContainText("Picture not loaded: x (evil.example/x.png)")
  await expect(messages(page).locator("img")).toHaveCount(0)
  expect(loaded.filter((url) => url.includes("evil.example"))).toEqual([])
  await expectAccessibleAtNight(page)
})

test("200 kB of text are drawn while the page stays usable", async ({ page, world, provider }) => {
  provider.next({ kind: "answer", say: `${"word *and* **more** [x](https://a.example) ".repeat(4_800)}` })
  await begin(page, world, "long", "remote")
  await expect(messages(page)).toContainText("The rest is too long to be shown here.")
  await field(page).fill("still here")
  await expect(field(page)).toHaveValue("still here")
})

test("killed while a call waits: the same card is there afterwards, and yes runs it once", async ({ page, world }) => {
  await begin(page, world, "write one file")
  await expect(cards(page)).toHaveCount(1)
  const [held] = await waiting(world)
  const offline = page.getByText("Byleave is unreachable. This page reconnects by itself.")
  await world.stop("SIGKILL")
  await expect(offline).toBeVisible()
  await expectAccessibleAtNight(page)
  await world.start()
  await expect(offline).toBeHidden()
  await expect(allow(page, "one.txt")).toBeEnabled()
  expect((await waiting(world)).map(({ id }) => id)).toEqual([held?.id])
  await allow(page, "one.txt").click()
  await expect(messages(page).getByText("Now it is there.")).toBeVisible()
  expect(wroteIn(world, "one.txt")).toBe(true)
})

test.describe("with a short deadline", () => {
  test.use({
    options: async ({ provider }, use) => {
      await use({
        more: `wait: { chat: 1s }\n${models(provider.url)}`,
      })
    },
  })
  test("R183: a call that nobody decided says that it expired, and the reply goes on", async ({ page, world }) => {
    await begin(page, world, "write one file")
    await expect(messages(page)).toContainText("Nobody decided in time")
    await expect(messages(page).getByText("Now it is there.")).toBeVisible()
    expect(wroteIn(world, "one.txt")).toBe(false)
  })
})

test.describe("without a model", () => {
  test.use({ options: { more: "" } })
  test("says what to paste", async ({ page, world }) => {
    await world.signIn(page, "/chat")
    await expect(page.getByText("Connect a model to chat")).toBeVisible()
    await expect(page.getByText("provider: openai-compatible")).toBeVisible()
    await expectAccessibleAtNight(page)
  })
})

test("on a phone: the list, the card and the composer, with text files, in the dark", async ({ page, world }) => {
  await page.setViewportSize(sizes.phone)
  await page.emulateMedia({ colorScheme: "dark" })
  await world.signIn(page, "/chat")
  await expect(page.getByText("What should the agent do?")).toBeVisible()
  await expectAccessibleAtNight(page)
  await page.getByLabel("Files to attach").setInputFiles([
    { name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("Buy milk.") },
    { name: "photo.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 255, 0]) },
  ])
  await expect(page.getByText("photo.bin is not a text file and was not attached.")).toBeVisible()
  await field(page).fill("write one file")
  await page.getByRole("button", { name: "Send" }).click()
  await expect(cards(page)).toHaveCount(1)
  await messages(page).getByText("plan.txt", { exact: true }).click()
  await expect(messages(page).getByText("Buy milk.")).toBeVisible()
  await page.setViewportSize({ width: 320, height: 640 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await expectAccessibleInBoth(page)
  await page.getByRole("button", { name: "Threads" }).click()
  await expect(
    page
      .getByRole("navigation", { name: "Threads" })
      .getByRole("link", { name: /one file/ })
      .first(),
  ).toBeVisible()
  await expectAccessibleAtNight(page)
})
