import { answerCall } from "../../api/answer-call.ts"
import { sessionDisplayed } from "../../api/as-displayed.ts"
import { putRecorded } from "../fixtures/many-calls.ts"
import { formula, pastPolicy, waitingCall } from "../fixtures/past-calls.ts"
import {
  atNight,
  expect,
  expectAccessible,
  expectAccessibleAtNight,
  expectAccessibleInBoth,
  test,
} from "../fixtures/test.ts"

test.use({ options: { policy: pastPolicy, hasPast: true } })

test("R121, R148, R149: every call is listed with its decision and outcome, and its story is told", async ({
  page,
  world,
}) => {
  await world.signIn(page, "/activity")
  const row = (tool: string, text: string) =>
    page.getByRole("listitem").filter({ hasText: tool }).filter({ hasText: text })

  await expect(row("files(read_text_file)", "Allowed by a rule")).toContainText("Succeeded")
  await expect(row("files(write_file)", "Buy bread.")).toContainText(/Needed approval.*Succeeded.*by \S+ after/)
  await expect(row("files(write_file)", "drafts/x.txt")).toContainText(/Needed approval.*Denied.*by/)
  await expect(row("files(move_file)", "notes.txt")).toContainText(/Denied by policy.*Denied/)
  await expect(row("memory(delete_entities)", "entityNames: Ada")).toContainText(/Hidden.*Denied/)
  await expect(row("files(create_directory)", "late")).toContainText(/Needed approval.*Expired/)
  await expectAccessible(page)

  await row("files(write_file)", "Buy bread.").getByRole("link").first().click()
  await expect(page.getByRole("heading", { level: 1, name: "files(write_file)" })).toBeVisible()
  const story = page.getByRole("list").filter({ hasText: "It needs approval" })
  await expect(story.getByRole("listitem")).toContainText([
    "called files(write_file). It needs approval.",
    "allowed it.",
    "The call was sent to files.",
    "The tool succeeded.",
    "The agent received the result.",
  ])
  await story.getByText("call.asked").click()
  await expect(story.getByText("Hash")).toBeVisible()
  await expect(
    page.getByRole("article").or(page.locator("section")).filter({ hasText: "Buy bread." }).first(),
  ).toBeVisible()
  await expectAccessible(page)

  await page.getByRole("button", { name: "Always allow calls like this…" }).click()
  await expect(page.getByRole("dialog").getByRole("region", { name: "Permission to save" })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test("why a call was denied is found in two steps: by a part of a word, or by Denied, whoever said no", async ({
  page,
  world,
}) => {
  await world.signIn(page, "/activity")
  const calls = page.getByRole("region", { name: "Calls" }).getByRole("listitem")
  await page.getByRole("searchbox", { name: "Search calls" }).fill("by han")
  await expect(calls).toHaveCount(1)
  await expect(calls).toContainText("files(move_file)")
  await expect(page).toHaveURL(/text=by/)
  await calls.getByRole("link").first().click()
  await expect(page.getByText("Files are moved by hand here.").first()).toBeVisible()
  await page.goBack()
  await page.getByRole("button", { name: "Remove filter Search: by han" }).click()
  await expect(page.getByRole("searchbox", { name: "Search calls" })).toHaveValue("")
  await page.getByRole("button", { name: "Filter", exact: true }).click()
  await page.getByLabel("Outcome").selectOption("Denied")
  await page.getByRole("button", { name: "Apply filters" }).click()
  await expect(calls).toHaveCount(3)
  await expectAccessibleAtNight(page)
})

test("a denied call's story quotes the reason; an expired one says that nobody answered; a hidden one that it is hidden", async ({
  page,
  world,
}) => {
  const only = page.getByRole("region", { name: "Calls" }).getByRole("listitem").getByRole("link").first()
  await world.signIn(page, "/activity?outcome=denied")
  await only.click()
  const story = page.getByRole("list").filter({ hasText: "It needs approval" })
  await expect(story.getByRole("figure")).toContainText(formula)
  await expect(story).toContainText("denied it.")

  await page.goto(new URL("/activity?outcome=expired", world.url()).href)
  await only.click()
  await expect(page.getByText("Nobody decided in time. The call expired.")).toBeVisible()

  await page.goto(new URL("/activity?effect=hide", world.url()).href)
  await only.click()
  await expect(page.getByText("which is hidden from it. It was refused.")).toBeVisible()
  await expect(page.getByRole("region", { name: "Arguments" }).last()).toContainText("Ada")
})

test("filters narrow the list, stand in the address, and are taken away one by one", async ({ page, world }) => {
  await world.signIn(page, "/activity")
  const rows = page.getByRole("region", { name: "Calls" }).getByRole("listitem")
  await expect(rows).toHaveCount(6)

  await page.getByRole("button", { name: "Filter" }).click()
  await page.getByLabel("Policy").selectOption({ label: "Needed approval" })
  await page.getByLabel("Tool").fill("write_file")
  await page.getByRole("button", { name: "Apply filters" }).click()
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/effect=ask/)
  await expect(page).toHaveURL(/tool=write_file/)

  await page.getByRole("button", { name: "Remove filter Tool: write_file" }).click()
  await expect(rows).toHaveCount(3)
  await page.goBack()
  await expect(rows).toHaveCount(2)

  await page.goto(new URL("/activity?tool=nothing_like_it", world.url()).href)
  await expect(page.getByText("No matches")).toBeVisible()
  await page.getByRole("button", { name: "Show all calls" }).click()
  await expect(rows).toHaveCount(6)
})

test.describe("before a service that nobody has used", () => {
  test.use({ options: { policy: pastPolicy }, newWorld: true })

  test("R148: the calls of a session that has ended keep its name, also after a reload", async ({ page, world }) => {
    const agent = await world.agent("files", "coder")
    const held = agent.call("write_file", { path: "notes.txt", content: "x" }).catch(() => undefined)
    const { id, session } = await waitingCall(world)
    await world.people.endSession({ body: await sessionDisplayed(world.people, session) })
    await held
    await agent.close()
    await world.signIn(page, `/activity/${id}`)
    await expect(page.getByRole("link", { name: "coder 1.0.0 · began with files(write_file)" })).toBeVisible()
    await expect(page.getByRole("article")).toContainText("through coder 1.0.0")
    await page.goto(new URL(`/?open=${id}`, world.url()).href)
    await expect(page.getByRole("article")).toContainText("through coder 1.0.0")
    await page.getByText("Recent decisions").click()
    await expect(page.locator(`[data-approval="${id}"]`).last()).toContainText("coder 1.0.0")
  })

  test.describe("with a clock of its own", () => {
    test.use({ newBrowser: true })

    test("a call made while the page is open appears by itself, and its outcome changes with it", async ({
      page,
      world,
    }) => {
      await page.clock.install()
      await world.signIn(page, "/activity")
      await expect(page.getByText("No calls yet")).toBeVisible()
      const agent = await world.agent()
      const reply = agent.call("write_file", { path: "new.txt", content: "New." }).catch(() => undefined)
      const { id } = await waitingCall(world)
      const row = page.getByRole("listitem").filter({ hasText: "new.txt" })
      // The page looks every few seconds.
      await page.clock.fastForward(5_000)
      await expect(row).toContainText("Waiting")
      await answerCall(world.people, id, { kind: "approve" })
      await reply
      await page.clock.fastForward(5_000)
      await expect(row).toContainText("Succeeded")
    })
  })

  test("more calls than a page are read on as one scrolls", async ({ page, world }) => {
    const agent = await world.agent()
    for (let at = 0; at < 60; at++) await agent.call("read_text_file", { path: "notes.txt", head: at + 1 })
    await world.signIn(page, "/activity")
    const rows = page.getByRole("region", { name: "Calls" }).getByRole("listitem")
    await expect(rows.first()).toContainText("head: 60")
    await rows.last().scrollIntoViewIfNeeded()
    await expect(rows).toHaveCount(60)
    await expect(rows.last()).toContainText("head: 1")
  })

  test(
    "what lies far back is not said to be missing: the page says how far it looked, and looks further",
    atNight,
    async ({ page, world }) => {
      test.setTimeout(120_000)
      const agent = await world.agent()
      await agent.call("move_file", { source: "notes.txt", destination: "b.txt" }).catch(() => undefined)
      await agent.call("read_text_file", { path: "notes.txt" })
      await world.stop()
      await putRecorded(world, 10_500)
      await world.start()
      await world.signIn(page, "/activity?tool=move_file")
      await expect(page.getByText("No matches so far")).toBeVisible()
      await expect(page.getByText("No matches", { exact: true })).toHaveCount(0)
      await expectAccessibleAtNight(page)
      await page.getByRole("button", { name: "Search older calls" }).click()
      await expect(page.getByRole("listitem").filter({ hasText: "files(move_file)" })).toHaveCount(1)
      await expect(page.getByText("No matches so far")).toHaveCount(0)
    },
  )
})
