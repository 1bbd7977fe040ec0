/** What a card shows of a call, before anybody answers it. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "@playwright/test"
import { answerCall } from "../../api/answer-call.ts"
import { hostileTexts } from "../../terminal/programs/hostile-texts.ts"
import { waitingCall } from "../fixtures/past-calls.ts"
import { alsoAtNight, atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

/** Makes a call that waits and opens its card. */
async function openCard(page: Page, world: World, server: string, tool: string, args: Record<string, unknown>) {
  const agent = await world.agent(server, "editor")
  const result = agent.call(tool, args).catch(() => null)
  const waiting = async () => {
    const found = await world.people.listApprovals({ query: { status: "pending" } })
    return found.ok ? found.value.items : []
  }
  await expect.poll(async () => (await waiting()).length).toBe(1)
  const [call] = await waiting()
  if (call === undefined) throw new Error("the call does not wait")
  await world.signIn(page, `/?open=${call.id}`)
  const card = page.getByRole("article", { name: `${server}(${tool})` })
  await expect(card).toBeVisible()
  return { card, call, result }
}

const allowOnce = (page: Page) =>
  page
    .getByRole("region", { name: "Your decision" })
    .getByRole("button", { name: /^Allow once/ })
    .first()

test("R105, R107-R114, R118, R137, R143: a card shows the tool, who asks, why, and every argument, as a table and exactly", async ({
  page,
  world,
}) => {
  const entities = [
    { name: "Ada", entityType: "person", observations: ["likes tea", "", "  two blanks before"] },
    { name: "Grace", entityType: "person", observations: [] },
  ]
  const { card } = await openCard(page, world, "memory", "create_entities", { entities })
  const table = card.getByRole("region", { name: "Arguments" })
  for (const text of ["entities", "Ada", "person", "Grace"]) await expect(table.getByText(text).first()).toBeVisible()
  for (const more of await table.getByRole("button", { name: /^Show \d/ }).all()) await more.click()
  await expect(table.getByText("likes tea")).toBeVisible()
  await expect(table.getByText("empty text")).toBeVisible()
  await expect(table.getByText("an empty list")).toBeVisible()
  await expect(table.getByTitle("2 spaces")).toBeVisible()
  await expectAccessible(page)
  await table.getByRole("button", { name: "Exact JSON" }).click()
  const shown = await table.getByRole("region", { name: "Arguments as exact JSON" }).innerText()
  expect(JSON.parse(shown)).toEqual({ entities })
  await expect(card.getByText("An anonymous agent, through editor 1.0.0, asks to call")).toBeVisible()
  await expect(card.getByText(/no rule matches/)).toBeVisible()
  await expect(card.getByRole("region", { name: "Requested by" })).toContainText("editor")
  await expect(card.getByRole("region", { name: "Server", exact: true })).toContainText("accepted")
  await expectAccessibleAtNight(page)
})

test("letters from right to left are warned of, leave our sentences as they are, and stand in exact JSON in the order sent", async ({
  page,
  world,
}) => {
  const name = "\u05d0 0600 / 0777 \u05d1"
  const args = { entities: [{ name, entityType: "person", observations: [] }], "\u05d0": "/1/../../2/\u05d1 1" }
  const { card } = await openCard(page, world, "memory", "create_entities", args)
  await expect(card.getByText(/^"entities.name" has right-to-left letters/).first()).toBeVisible()
  const warning = card.getByRole("listitem").filter({ hasText: "leaves the folder it begins with" })
  expect(await seenText(warning)).toMatch(/^"\u05d0" leaves the folder it begins with: it means "\/2\/.{3}"\./)
  const table = card.getByRole("region", { name: "Arguments" })
  expect(await seenText(table.getByText(name))).not.toContain("0600 / 0777")
  await table.getByRole("button", { name: "Exact JSON" }).click()
  expect(await seenText(table.getByRole("region", { name: "Arguments as exact JSON" }))).toContain(`"name": "${name}",`)
  await expectAccessibleAtNight(page)
})

/** The text as it is seen: line by line, and from left to right. */
async function seenText(place: Locator): Promise<string> {
  return place.evaluate((element) => {
    const seen: { readonly letter: string; readonly bottom: number; readonly left: number }[] = []
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      for (let at = 0; at < text.length; at += 1) {
        const range = document.createRange()
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        const { width, bottom, left } = range.getBoundingClientRect()
        if (width > 0) seen.push({ letter: text.data.charAt(at), bottom, left })
      }
    }
    const isAbove = (one: number, other: number) => one < other - 6
    const inOrder = seen.sort((a, b) =>
      isAbove(a.bottom, b.bottom) ? -1 : isAbove(b.bottom, a.bottom) ? 1 : a.left - b.left,
    )
    return inOrder.map(({ letter }) => letter).join("")
  })
}

test("R108: what is folded shows how it ends, and is told of beside the answers until all of it is shown", async ({
  page,
  world,
}) => {
  const name = `${"padding ".repeat(2_500)}and then rm -rf`
  const { card } = await openCard(page, world, "memory", "create_entities", {
    entities: [{ name, entityType: "person", observations: [] }],
  })
  const table = card.getByRole("region", { name: "Arguments" })
  await expect(table.getByText("and then rm -rf")).toBeVisible()
  const told = page.getByRole("region", { name: "Your decision" }).getByText("Some arguments are collapsed")
  await expect(told).toBeVisible()
  await expectAccessibleAtNight(page)
  await page.getByRole("button", { name: "Expand all" }).click()
  await expect(told).toHaveCount(0)
  expect((await table.innerText()).replaceAll(/\s+/g, " ")).toContain(name)
  await table.getByRole("button", { name: "Show less" }).click()
  await expect(told).toBeVisible()
})

test("R137, R138: a secret is masked with its length, and nothing can be allowed until it is revealed", async ({
  page,
  world,
}) => {
  const secret = "sk-live-0123456789abcdefghijklmnop"
  const path = join(world.workspace, "drafts", "env")
  const { card } = await openCard(page, world, "files", "write_file", { path, content: `key: ${secret}\n` })
  await expect(card).toContainText(`hidden, ${secret.length + 6} characters`)
  await expect(page.getByText(secret)).toHaveCount(0)
  await expect(allowOnce(page)).toBeDisabled()
  await expect(page.getByText(/Reveal it before you allow/)).toBeVisible()
  await page.keyboard.press("Control+Enter")
  await expect(card).toHaveAttribute("data-status", "pending")
  const table = card.getByRole("region", { name: "Arguments" })
  await table.getByRole("button", { name: "Exact JSON" }).click()
  await expect(page.getByText(secret)).toHaveCount(0)
  await expectAccessibleAtNight(page)
  await table.getByRole("button", { name: /^Reveal/ }).click()
  await expect(table.getByText(secret)).toBeVisible()
  await expect(card.getByRole("region", { name: "Changes", exact: true }).getByText(secret)).toBeVisible()
  await expect(allowOnce(page)).toBeEnabled()
})

test("a secret in what a tool gave back is masked with its length, asked or not, until somebody wants to see it", async ({
  page,
  world,
}) => {
  const secret = "sk-live-0123456789abcdefghijklmnop"
  const path = join(world.workspace, "env")
  writeFileSync(path, `key: ${secret}\n`)
  const agent = await world.agent()
  await agent.call("read_text_file", { path })
  const asked = agent.call("get_file_info", { path: join(world.workspace, `${secret}`) }).catch(() => null)
  const { id } = await waitingCall(world)
  await answerCall(world.people, id, { kind: "approve" })
  await asked

  await world.signIn(page, `/activity/${id}`)
  const card = page.getByRole("article", { name: "files(get_file_info)" })
  await card.getByText(/^(Result|Error) from files/).click()
  await expect(card.getByText("It appears to contain a secret.")).toBeVisible()
  await expect(page.getByText(secret)).toHaveCount(0)
  await card.getByRole("button", { name: /^Reveal (Result|Error)/ }).click()
  await expect(card.getByText(secret).first()).toBeVisible()

  await page.goto(new URL("/activity?tool=read_text_file", world.url()).href)
  await page.getByRole("region", { name: "Calls" }).getByRole("listitem").getByRole("link").first().click()
  const result = page.getByRole("region", { name: "Result" }).last()
  await expect(result).toContainText(/hidden, \d+ characters/)
  await expect(page.getByText(secret)).toHaveCount(0)
  await expectAccessibleAtNight(page)
  await result
    .getByRole("button", { name: /^Reveal/ })
    .first()
    .click()
  await expect(result.getByText(secret).first()).toBeVisible()
})

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`)

test("a file that would be written stands against the file as it is", async ({ page, world }) => {
  const path = join(world.workspace, "long.txt")
  writeFileSync(path, `${lines.join("\n")}\n`)
  const content = `${lines.with(14, "line 15, changed").join("\n")}\n`
  const { card } = await openCard(page, world, "files", "write_file", { path, content })
  const change = card.getByRole("region", { name: "Changes", exact: true })
  await expect(change).toContainText("Compared with the file as it is now, read with files(read_")
  await expect(change).toContainText("1 line added")
  await expect(change).toContainText("1 line removed")
  await expect(change.getByRole("row").filter({ hasText: /removed: line 15$/ })).toBeVisible()
  await expect(change.getByRole("row").filter({ hasText: /added: line 15, changed$/ })).toBeVisible()
  await expect(change.getByText("line 2", { exact: true })).toHaveCount(0)
  await change.getByRole("button", { name: "Show 11 unchanged lines" }).click()
  await expect(change.getByText("line 2", { exact: true })).toBeVisible()
  await expectAccessible(page)
})

test(
  "once it has run, the change that was looked at stays; where it is not known any more that is said",
  atNight,
  async ({ page, world }) => {
    const path = join(world.workspace, "short.txt")
    writeFileSync(path, "one\ntwo\nthree\n")
    const { card } = await openCard(page, world, "files", "write_file", { path, content: "one\n2\n" })
    await expect(card.getByRole("region", { name: "Changes", exact: true })).toContainText("2 lines removed")
    await allowOnce(page).click()
    const past = card.getByRole("region", { name: "Proposed changes" })
    await expect(past).toContainText("Compared with the file as it was while the call waited")
    await expect(past).toContainText("1 line added")
    await expect(past).toContainText("2 lines removed")
    await expect.poll(() => readFileSync(path, "utf8")).toBe("one\n2\n")
    await page.reload()
    await expect(past).toContainText("Its earlier content was not stored")
    await expect(past).not.toContainText(/added|removed/)
    await expectAccessibleAtNight(page)
  },
)

test("edits stand in the file they change, and say when their text is not there", atNight, async ({ page, world }) => {
  const path = join(world.workspace, "notes.txt")
  const edits = [{ oldText: "Call Ada.", newText: "Call  Ada." }]
  const { card } = await openCard(page, world, "files", "edit_file", { path, edits })
  const change = card.getByRole("region", { name: "Changes", exact: true })
  await expect(change.getByRole("row").filter({ hasText: "Buy milk." })).toBeVisible()
  await expect(change.getByRole("row").filter({ hasText: /removed: Call Ada\.$/ })).toBeVisible()
  await expect(change.getByTitle("a space")).toBeVisible()
  writeFileSync(path, "Nothing of the kind.\n")
  await page.reload()
  await expect(change).toContainText("does not occur in the file as it is now")
  await expect(change.getByText("Edit 1")).toHaveCount(0)
})

test("a file that is not there would be created", atNight, async ({ page, world }) => {
  const { card } = await openCard(page, world, "files", "write_file", {
    path: join(world.workspace, "drafts", "new.txt"),
    content: "one\ntwo",
  })
  const change = card.getByRole("region", { name: "Changes", exact: true })
  await expect(change).toContainText("The file does not exist. It would be created.")
  await expect(change).toContainText("2 lines added")
  await expect(change).toContainText("no line break at the end")
})

test("R139: hostile texts in arguments stay text, and what they hide is marked", async ({ page, world }) => {
  const observations = [...hostileTexts, "report\u202efdp.exe", "<img src=x onerror=harmed=1>", "x".repeat(100_000)]
  const entities = [{ name: "__proto__", entityType: "constructor", observations }]
  const { card } = await openCard(page, world, "memory", "create_entities", { entities })
  const table = card.getByRole("region", { name: "Arguments" })
  for (const more of await table.getByRole("button", { name: /^Show \d+ entr/ }).all()) await more.click()
  await expect(table.getByText("<img src=x onerror=harmed=1>").first()).toBeVisible()
  await expect(table.getByText("U+202E").first()).toBeVisible()
  await expect(table.getByRole("button", { name: "Show 20,000 of 99,140 more characters" })).toBeVisible()
  const made = await card.evaluate(
    (element) => element.querySelectorAll("img, a:not([href^='/sessions/']), script, iframe, style, b").length,
  )
  expect(made).toBe(0)
  expect(await page.evaluate(() => (window as { harmed?: number }).harmed ?? null)).toBeNull()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

test("R119: a card that was allowed shows what happened and the result, closed", async ({ page, world }) => {
  const path = join(world.workspace, "drafts", "done.txt")
  const { card } = await openCard(page, world, "files", "write_file", { path, content: "<b>done</b>\n" })
  await allowOnce(page).click()
  await expect(card).toHaveAttribute("data-status", "succeeded")
  await expect(card.getByText("Succeeded", { exact: true })).toBeVisible()
  const happened = card.getByRole("region", { name: "What happened" })
  await expect(happened).toContainText("allowed it. It succeeded after")
  await expect(happened.getByText(/Successfully wrote/).first()).toBeHidden()
  await happened.getByText("Result from files").click()
  await expect(happened.getByText(/Successfully wrote/).first()).toBeVisible()
  await expectAccessibleAtNight(page)
})

for (const width of alsoAtNight([390], [320])) {
  test(`at ${width} px nothing stands outside of the page`, async ({ page, world }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ reducedMotion: "reduce" })
    const { card } = await openCard(page, world, "files", "edit_file", {
      path: join(world.workspace, "notes.txt"),
      edits: [{ oldText: "Buy milk.", newText: `Buy ${"very-long-word-".repeat(20)}milk.` }],
    })
    await expect(card.getByRole("region", { name: "Changes", exact: true }).getByRole("table")).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await expect(allowOnce(page)).toBeEnabled()
    await expectAccessibleAtNight(page)
  })
}

for (const width of alsoAtNight([1440], [1280])) {
  test(`at ${width} px the answers stand in one row, no at the left and yes at the right`, async ({ page, world }) => {
    await page.setViewportSize({ width, height: 800 })
    await openCard(page, world, "files", "create_directory", { path: "drafts/new" })
    const bar = page.getByRole("region", { name: "Your decision" })
    const boxes = []
    for (const name of [/^Allow once/, /^Allow for session/, /^Always allow/, /^Deny/, "More deny options"]) {
      boxes.push(await bar.getByRole("button", { name }).first().boundingBox())
    }
    const [first, ...others] = boxes
    if (first == null) throw new Error("Allow once is not in sight")
    for (const box of others) expect(box).toMatchObject({ y: first.y, height: first.height })
    const starts = boxes.map((box) => box?.x ?? 0)
    const [, , , deny = 0] = starts
    expect(deny).toBe(Math.min(...starts))
    expect(first.x).toBeGreaterThan(deny)
    expect(first.y + first.height).toBeLessThanOrEqual(800)
  })
}

test("on a phone, what would change and the answers are both on the first screen", atNight, async ({ page, world }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const content = "Buy milk and bread.\nCall Ada.\n"
  const { card } = await openCard(page, world, "files", "write_file", { path: "notes.txt", content })
  const diff = await card.getByRole("table", { name: /File now/ }).boundingBox()
  const bar = await page.getByRole("region", { name: "Your decision" }).boundingBox()
  if (diff === null || bar === null) throw new Error("nothing to see")
  expect(diff.y + diff.height).toBeLessThanOrEqual(bar.y)
  expect(bar.y + bar.height).toBeLessThanOrEqual(844)
})
