/** A thread and what happens around it: verdicts given elsewhere, other people, and a service that is killed. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "@playwright/test"
import { allow, bar, begin, card, cards, messages, models, say, test, wroteIn } from "../fixtures/chatting.ts"
import { dialog, waiting } from "../fixtures/deciding.ts"
import { atNight, expect, expectAccessibleAtNight } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

const settled = (page: Page) => page.getByRole("list", { name: "Calls" })

test("a verdict in the terminal: the reply goes on, and the line says where it was given", async ({ page, world }) => {
  await begin(page, world, "write two files")
  await expect(cards(page)).toHaveCount(2)
  const [first, second] = await waiting(world)
  const { data } = world.place
  const terminal = (...args: readonly string[]) => world.place.run(...args, "--data", data).ended
  expect((await terminal("approve", first?.id ?? "")).code).toBe(0)
  await expect(cards(page)).toHaveCount(1)
  expect((await terminal("deny", second?.id ?? "", "--reason", "Not that one.")).code).toBe(0)
  await expect(messages(page).getByText("Both are decided.")).toBeVisible()
  await expect(settled(page).getByText(/in the terminal/)).toHaveCount(2)
  await expect(messages(page)).toContainText("Not that one.")
  expect([first, second].map((call) => wroteIn(world, String(call?.args?.path)))).toEqual([true, false])
  await expectAccessibleAtNight(page)
})

test.describe("another person", () => {
  test.use({ newWorld: true, signsIn: true })

  test("two people, one thread: each sees what the other does, and one decision counts", async ({
    page,
    otherPage: ada,
    world,
  }) => {
    const url = await begin(page, world, "write two files")
    await expect(cards(page)).toHaveCount(2)
    await joins(ada, world, "ada", new URL(url).pathname)
    await expect(cards(ada)).toHaveCount(2)
    await expect(bar(ada)).toContainText("2 calls wait")
    await allow(ada, "a.txt").click()
    await expect(cards(page)).toHaveCount(1)
    await expect(settled(page)).toContainText(/ada allowed it.* in the chat /)
    await card(page, "b.txt").getByRole("button", { name: /^Deny/ }).first().click()
    for (const each of [page, ada]) {
      await expect(messages(each).getByText("Both are decided.")).toBeVisible()
      await expect(cards(each)).toHaveCount(0)
    }
    await say(ada, "look")
    await expect(messages(page).getByText("That is all.")).toBeVisible()
    expect([wroteIn(world, "a.txt"), wroteIn(world, "b.txt")]).toEqual([true, false])
  })
})

async function joins(theirs: Page, world: World, id: string, path: string): Promise<void> {
  const added = await world.people.addReviewer({ body: { id, name: id, groups: [] } })
  if (!added.ok) throw new Error(added.problem.detail)
  const link = await world.people.mintLink({ body: { reviewer: id } })
  if (!link.ok) throw new Error(link.problem.detail)
  await theirs.goto(link.value.url)
  await theirs.getByRole("button", { name: /sign in/i }).click()
  await theirs.getByRole("navigation").first().waitFor()
  await theirs.goto(new URL(path, world.url()).href)
}

test.describe("a server whose reads may be allowed", () => {
  test.use({
    options: async ({ provider }, use) => {
      const policy = 'policy:\n  classify:\n    - read: "files(list_directory)"\n'
      await use({ policy, more: models(provider.url) })
    },
  })

  test("R135: reads of a server allowed for the thread: the next read runs, and a write still asks", async ({
    page,
    world,
  }) => {
    await begin(page, world, "look")
    await expect(cards(page)).toHaveCount(1)
    await cards(page)
      .getByRole("button", { name: /^Allow for session/ })
      .click()
    await dialog(page).getByLabel("Scope", { exact: true }).selectOption("reads")
    await dialog(page)
      .getByRole("button", { name: /^Allow/ })
      .click()
    await expect(messages(page).getByText("That is all.")).toBeVisible()
    await say(page, "peek")
    await expect(messages(page).getByText("Peeked.")).toBeVisible()
    await expect(cards(page)).toHaveCount(0)
    await say(page, "write one file")
    await expect(card(page, "one.txt")).toBeVisible()
    expect(wroteIn(world, "one.txt")).toBe(false)
  })
})

test.describe("a call that has run and whose outcome nobody has heard", () => {
  test.use({
    newWorld: true,
    options: async ({ provider }, use) => {
      const program = fileURLToPath(new URL("../fixtures/holding-server.ts", import.meta.url))
      const servers = `  holding:\n    command: node\n    args: [${program}, ../ran.txt]\n    cwd: workspace\n`
      const more = models(provider.url).replace(
        "    script:\n",
        '    script:\n      - { when: append, say: I append., calls: [{ tool: "holding(append)", args: {} }] }\n      - { when: append, say: I cannot tell. }\n',
      )
      await use({ servers, more })
    },
  })

  test(
    "killed after it ran and before that was saved: it runs once, and the thread says that it is not known",
    atNight,
    async ({ page, world }) => {
      test.setTimeout(180_000)
      await begin(page, world, "append a line")
      await allow(page, "append").click()
      const file = join(world.workspace, "..", "ran.txt")
      await expect.poll(() => existsSync(file)).toBe(true)
      await world.stop("SIGKILL")
      await world.start()
      await expect(messages(page).getByText("I cannot tell.")).toBeVisible({ timeout: 120_000 })
      await expect(settled(page)).toContainText("Outcome unknown")
      await page.reload()
      await expect(settled(page)).toContainText("Outcome unknown")
      await expect(cards(page)).toHaveCount(0)
      expect(readFileSync(file, "utf8")).toBe("ran\n")
      await expectAccessibleAtNight(page)
    },
  )
})
