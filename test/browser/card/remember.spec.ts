/** What people have remembered: the rule that was shown, and no more. */
import { join } from "node:path"
import type { Page } from "@playwright/test"
import { answer, bar, dialog, fileIn, grants, openCall, propose, ruleText, waiting } from "../fixtures/deciding.ts"
import { callNamelessly } from "../fixtures/nameless-agent.ts"
import { alsoAtNight, expect, expectAccessibleAtNight, test } from "../fixtures/test.ts"

const breadths: readonly Breadth[] = [
  {
    name: "for this session",
    press: async (page: Page) => answer(page, "Allow for session…").click(),
    text: 'allow: "files(write_file)" in this session of "anonymous"',
  },
  {
    name: "always, this tool, 5 times within an hour",
    press: async (page: Page) => {
      await always(page, /^This tool/)
      await dialog(page).getByLabel("Expires", { exact: true }).selectOption("1 hour")
      await dialog(page).getByLabel("Maximum uses").fill("5")
    },
    text: 'allow: "files(write_file)" for every agent, for 1 hour, 5 times',
  },
  {
    name: "always, this server",
    press: async (page: Page) => always(page, /^This server…/),
    text: 'allow: "files" access all for every agent',
  },
  {
    name: "a pattern with a condition that is written by hand",
    press: async (page: Page) => {
      await always(page, /^Specific calls/)
      // It begins with this very call.
      await expect(dialog(page).getByLabel("condition", { exact: true })).toHaveCount(2)
      await dialog(page).getByRole("button", { name: "Remove condition on content" }).click()
      await expect(dialog(page).getByText("Not limited: content may be anything.")).toBeVisible()
      await dialog(page).getByLabel("Tool", { exact: true }).fill("write_*")
      await dialog(page).getByLabel("condition", { exact: true }).selectOption("glob")
      await dialog(page).getByLabel("Value").fill("*.txt")
    },
    text: 'allow: "files(write_*)" when path glob "*.txt" and * only content, path for every agent',
  },
] as const

type Breadth = { readonly name: string; readonly press: (page: Page) => Promise<void>; readonly text: string }

async function always(page: Page, item: RegExp): Promise<void> {
  await answer(page, "Always allow").click()
  await page.getByRole("menuitem", { name: item }).click()
}

for (const { name, press, text } of alsoAtNight(breadths.slice(0, 2), breadths.slice(2))) {
  test(`R115, R116: what is remembered is the rule that was shown: ${name}`, async ({ page, world }) => {
    const { agent, result, call } = await propose(world)
    await openCall(page, world, call.id)
    await press(page)
    await expect(ruleText(page)).toHaveText(text)
    expect(await grants(world)).toEqual([])
    await expectAccessibleAtNight(page)
    await dialog(page).getByRole("button", { name: "Allow and save permission" }).click()
    expect((await result).isError ?? false).toBe(false)
    expect((await grants(world)).map((grant) => grant.text)).toEqual([text])
    const next = await agent.call("write_file", { path: fileIn(world, "b.txt"), content: "Again." })
    expect(next.isError ?? false).toBe(false)
    expect(await waiting(world)).toEqual([])
  })
}

for (const { where, width, first } of alsoAtNight(
  [{ where: "at a desk", width: 1440, first: "Always allow" }],
  [{ where: "on a phone", width: 390, first: "More options" }],
)) {
  test.describe(where, () => {
    test.use({ viewport: { width, height: 844 } })

    test("R115: two clicks on the card allow a folder: nothing in it is asked again, what is beside it is", async ({
      page,
      world,
    }) => {
      const { agent, result, call } = await propose(world)
      await openCall(page, world, call.id)
      await countClicks(page)
      await bar(page).getByRole("button", { name: first }).click()
      await page.getByRole("menuitem", { name: /^This folder: drafts\// }).click()
      expect((await result).isError ?? false).toBe(false)
      await expect(dialog(page)).toHaveCount(0)
      expect(await page.evaluate(() => Reflect.get(globalThis, "clicks"))).toBe(2)

      const inside = await agent.call("write_file", { path: fileIn(world, "b.txt"), content: "Again." })
      expect(inside.isError ?? false).toBe(false)
      expect(await waiting(world)).toEqual([])
      const beside = join(world.workspace, "beside.txt")
      void agent.call("write_file", { path: beside, content: "Elsewhere." }).catch(() => undefined)
      await expect.poll(async () => (await waiting(world)).map(({ args }) => args?.path)).toEqual([beside])
    })
  })
}

/** Counts what a person presses, wherever on the page. */
async function countClicks(page: Page): Promise<void> {
  await page.evaluate(() => {
    Reflect.set(globalThis, "clicks", 0)
    const count = (): boolean => Reflect.set(globalThis, "clicks", Reflect.get(globalThis, "clicks") + 1)
    addEventListener("click", count, { capture: true })
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
    await always(page, /^Read-only tools/)
    await expect(ruleText(page)).toContainText('"files(list_directory)"')
    const shown = await ruleText(page).textContent()
    await dialog(page).getByRole("button", { name: "Allow and save permission" }).click()
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
  await expect(dialog(page).getByRole("button", { name: "Allow and save permission" })).toBeVisible()
  const risky = dialog(page).getByRole("listitem").filter({ hasText: "U+202E" }).getByRole("checkbox")
  await expect(risky).toHaveAccessibleDescription(/hidden character/)
  await risky.check()
  await dialog(page).getByRole("button", { name: "Allow 2 calls and save permission" }).click()
  expect((await along).isError ?? false).toBe(false)
  expect((await first.result).isError ?? false).toBe(false)
  expect((await waiting(world)).map(({ id }) => id)).toEqual([elsewhere.call.id])
  await elsewhere.agent.close()
})

test("always deny is shown and saved as a rule, and refuses the next call", async ({ page, world }) => {
  const { agent, result, call } = await propose(world)
  await openCall(page, world, call.id)
  await bar(page).getByRole("button", { name: "More deny options" }).click()
  await page.getByRole("menuitem", { name: "Always deny" }).click()
  await expect(ruleText(page)).toHaveText('deny: "files(write_file)" for every agent')
  await dialog(page).getByRole("button", { name: "Deny and save permission" }).click()
  expect((await result).isError).toBe(true)
  expect((await grants(world)).map(({ text }) => text)).toEqual(['deny: "files(write_file)" for every agent'])
  expect((await agent.call("write_file", { path: fileIn(world, "b.txt"), content: "B" })).isError).toBe(true)
  expect(await waiting(world)).toEqual([])
})

test("where sessions are not told apart, a yes can be kept for 30 minutes, and no longer", async ({ page, world }) => {
  const called = callNamelessly(world, "write_file", { path: "drafts/a.txt", content: "Hello." })
  await expect.poll(async () => (await waiting(world)).length).toBe(1)
  await openCall(page, world, (await waiting(world))[0]?.id ?? "")
  await expect(answer(page, "Allow for session…")).toHaveCount(0)
  await expect(bar(page).getByText("every agent without a token, even if it restarts")).toBeVisible()
  await answer(page, "Allow for 30 minutes…").click()
  await expect(
    dialog(page)
      .getByLabel("Expires", { exact: true })
      .getByRole("option", { name: /30 minutes at the latest/ }),
  ).toHaveCount(1)
  const text = await ruleText(page).textContent()
  expect(text).toContain("for 30 minutes")
  await dialog(page).getByRole("button", { name: "Allow and save permission" }).click()
  expect((await called).text).toContain("Successfully wrote")
  const [grant] = await grants(world)
  expect(grant?.text).toBe(text)
  expect((grant?.until ?? 0) - (grant?.createdAt ?? 0)).toBe(30 * 60_000)
})
