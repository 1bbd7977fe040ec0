/** Threads: their requests are answered in the message, and what is said goes on. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sessionDisplayed } from "../../api/as-displayed.ts"
import { allow, bar, begin, card, cards, field, messages, say, test, wroteIn } from "../fixtures/chatting.ts"
import { dialog, waiting } from "../fixtures/deciding.ts"
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

test("the first message stands in its thread while it is sent, and is back in the field where it is refused", async ({
  page,
  world,
}) => {
  await world.signIn(page, "/chat")
  await expect(page.getByText("What should the agent do?")).toBeVisible()
  const held = Promise.withResolvers<void>()
  let asked = 0
  await page.route(/\/api\/runs\?/, async (route) => {
    if (route.request().method() !== "POST") return route.continue()
    asked += 1
    if (asked === 1) return route.fulfill({ status: 503, contentType: "application/problem+json", body: refused })
    await held.promise
    await route.continue()
  })
  await say(page, "write one file")
  await expect(page.getByText("The store is full.")).toBeVisible()
  await expect(field(page)).toHaveValue("write one file")
  await expect(messages(page)).toHaveCount(0)
  await field(page).press("Enter")
  await expect(messages(page).getByText("write one file")).toBeVisible()
  await expect(field(page)).toHaveValue("")
  await expectAccessibleAtNight(page)
  held.resolve()
  await expect(cards(page)).toHaveCount(1)
  await expect(messages(page).getByText("write one file", { exact: true })).toHaveCount(1)
})

const refused = JSON.stringify({
  type: "about:blank",
  title: "Unavailable",
  status: 503,
  code: "store-unavailable",
  detail: "The store is full.",
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
  // A card that keys have only just come to takes none yet, neither this one nor the one that is left.
  await expect(async () => {
    await page.keyboard.press("Control+Enter")
    await expect(cards(page)).toHaveCount(1, { timeout: 5_000 })
  }).toPass()
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
  await dialog(page).getByLabel("Scope", { exact: true }).selectOption("server")
  await dialog(page)
    .getByRole("button", { name: /^Allow/ })
    .click()
  await expect(messages(page).getByText("Now it is there.")).toBeVisible()
  // What was saved is told beside the message field, and not over it.
  const undo = await page.getByRole("button", { name: "Undo" }).boundingBox()
  const writing = await page.getByRole("form", { name: "Message" }).boundingBox()
  expect((undo?.x ?? 0) + (undo?.width ?? 0)).toBeLessThan(writing?.x ?? 0)
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
  await expect(unasked).toContainText(/all.*every tool/)
  await expect(unasked).toContainText("Your policy allows")
  await expect(dialog(page)).toContainText("Everything else waits for your approval.")
  const session = { principal: "chat", id: decodeURIComponent(new URL(first).pathname.split("/").at(-1) ?? "") }
  const setMode = async (mode: "ask" | "autonomous") =>
    world.people.setMode({ body: { ...(await sessionDisplayed(world.people, session)), mode } })
  await setMode("autonomous")
  await expect(dialog(page)).toContainText("This thread runs without approval (autonomous).")
  await expect(dialog(page)).not.toContainText("Everything else waits")
  await expectAccessibleAtNight(page)
  await setMode("ask")
  await unasked.getByRole("button", { name: /^Revoke/ }).click()
  await expect(unasked.getByRole("button", { name: /^Revoke/ })).toHaveCount(0)
  await dialog(page).getByRole("button", { name: "Done" }).click()
  await page.getByRole("button", { name: "More for this thread" }).click()
  await page.getByRole("menuitem", { name: "Delete…" }).click()
  await dialog(page).getByRole("button", { name: "Delete thread" }).click()
  await expect(page).toHaveURL(/\/chat$/)
  await expect(list.getByRole("link", { name: /Notes of May/ })).toBeHidden()
})
