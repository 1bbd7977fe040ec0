/** Calls that one person alone cannot allow: what the card says to each of them, and that it runs when all have said yes. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "@playwright/test"
import { waitingCall } from "../fixtures/past-calls.ts"
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

test.use({ newWorld: true, signsIn: true })
test.setTimeout(120_000)

const bar = (page: Page) => page.getByRole("region", { name: "Your decision" })
const allow = (page: Page) => bar(page).getByRole("button", { name: /^Allow once/ })

/** Another person, at a browser of their own. */
async function somebody(theirs: Page, world: World, id: string, groups: string[], path: string): Promise<void> {
  const added = await world.people.addReviewer({ body: { id, name: id, groups } })
  if (!added.ok) throw new Error(added.problem.detail)
  const link = await world.people.mintLink({ body: { reviewer: id } })
  if (!link.ok) throw new Error(link.problem.detail)
  await theirs.goto(link.value.url)
  await theirs.getByRole("button", { name: /sign in/i }).click()
  await theirs.getByRole("navigation").first().waitFor()
  await theirs.goto(new URL(path, world.url()).href)
}

async function propose(world: World) {
  const agent = await world.agent()
  const path = join(world.workspace, "drafts", "a.txt")
  const result = agent.call("write_file", { path, content: "Hello." })
  result.catch(() => {})
  return { agent, path, result, call: await waitingCall(world) }
}

test.describe("two people", () => {
  test.use({ options: { policy: 'policy:\n  rules:\n    - ask: "files(write_file)"\n      approvals: 2\n' } })

  test("each sees who has answered and who is still needed, and only the second yes runs it", async ({
    page,
    otherPage: ada,
    world,
  }) => {
    const { path, result, call } = await propose(world)
    await world.signIn(page, `/?open=${call.id}`)
    await somebody(ada, world, "ada", [], `/?open=${call.id}`)
    await expect(bar(page)).toContainText("2 reviewers must allow this call. No approvals yet; 2 more are needed.")
    await expect(bar(page).getByRole("button", { name: /session|Always allow/ })).toHaveCount(0)
    await expect(allow(page)).toContainText("counts as one approval")
    await expectAccessible(page)
    await allow(page).click()
    await expect(bar(page)).toContainText("You have allowed it. It runs when one more person allows it")
    await expect(allow(page)).toBeDisabled()
    await expectAccessibleAtNight(page)
    expect(existsSync(path)).toBe(false)

    await expect(bar(ada)).toContainText(/2 reviewers must allow this call\. \w+ allowed it; 1 more is needed\./)
    await expect(allow(ada)).toContainText("runs now")
    await allow(ada).click()
    expect((await result).isError ?? false).toBe(false)
    expect(existsSync(path)).toBe(true)
    await expect(page.getByRole("article")).toHaveAttribute("data-status", "succeeded")
  })

  test("one no is enough, also from somebody who said yes before", atNight, async ({ page, world }) => {
    const { path, result, call } = await propose(world)
    await world.signIn(page, `/?open=${call.id}`)
    await allow(page).click()
    await expect(allow(page)).toBeDisabled()
    await bar(page).getByRole("button", { name: /^Deny/ }).click()
    expect((await result).isError).toBe(true)
    expect(existsSync(path)).toBe(false)
  })
})

test.describe("a group", () => {
  test.use({ options: { policy: 'policy:\n  rules:\n    - ask: "files(write_file)"\n      reviewers: finance\n' } })

  test(
    "whoever is not in it is told so and can only deny; whoever is in it may allow",
    atNight,
    async ({ page, otherPage: grace, world }) => {
      const { result, call } = await propose(world)
      await world.signIn(page, `/?open=${call.id}`)
      await expect(bar(page)).toContainText("You are not in finance, so you cannot allow this call. You can deny it.")
      await expect(allow(page)).toBeDisabled()
      await expect(bar(page).getByRole("button", { name: /^Deny/ })).toBeEnabled()
      await page.keyboard.press("Control+Enter")
      await expectAccessibleAtNight(page)
      await somebody(grace, world, "grace", ["finance"], `/?open=${call.id}`)
      await expect(bar(grace)).toContainText("Only a reviewer from finance can allow this call.")
      await allow(grace).click()
      expect((await result).isError ?? false).toBe(false)
      await expect(page.getByRole("article")).toContainText("grace allowed it.")
    },
  )
})
