/** Threads in all kinds of states: hostile and long texts, a service that dies, no time, no model, a phone. */
import { allow, bar, begin, cards, field, messages, models, say, test, wroteIn } from "../fixtures/chatting.ts"
import { waiting } from "../fixtures/deciding.ts"
import { sizes } from "../fixtures/look.ts"
import { expect, expectAccessibleAtNight, expectAccessibleInBoth } from "../fixtures/test.ts"

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
  test("R183: a call that nobody decided says that it expired, the model is told so, and the reply goes on", async ({
    page,
    world,
    provider,
  }) => {
    const call = { name: "files__write_file", args: { path: "one.txt", content: "x" } }
    provider.next({ kind: "answer", call }, { kind: "answer", say: "Now it is there." })
    await begin(page, world, "write one file", "remote")
    await expect(messages(page)).toContainText("Nobody decided in time")
    await expect(messages(page).getByText("Now it is there.")).toBeVisible()
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain(
      "Nobody decided in time, so this call did not run.",
    )
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
