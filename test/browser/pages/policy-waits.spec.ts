/** What a file or a template widens waits for a person. */
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { answerAll, editorOf, saved, withRule } from "../fixtures/policy-page.ts"
import { atNight, expect, expectAccessibleAtNight, test } from "../fixtures/test.ts"

test("a change of the file that widens waits, and the page leads to it", async ({ page, world }) => {
  await world.signIn(page, "/policy")
  await expect(editorOf(page)).toBeVisible()
  world.place.write(withRule(saved(world), 'allow: "files(write_file)"'))
  await page.getByRole("link", { name: "Review change" }).click()
  await expect(page).toHaveURL(/\/\?open=/)
  const texts = page.getByRole("table", { name: "Accepted and current configuration" })
  await expect(texts.getByRole("row", { name: 'added: - allow: "files(write_file)"' })).toBeVisible()
  await expectAccessibleAtNight(page)
})

test("what was denied and still stands in the file is said not to be in force", atNight, async ({ page, world }) => {
  await world.signIn(page, "/policy")
  await expect(editorOf(page)).toBeVisible()
  await expect(page.getByText("Saved", { exact: true })).toBeVisible()
  world.place.write(withRule(saved(world), 'allow: "files(write_file)"'))
  await page.getByRole("link", { name: "Review change" }).click()
  const answers = page.getByRole("region", { name: "Your decision" })
  await expect(answers).toContainText("in effect until the file changes again")
  await expect(answers.getByRole("button", { name: "Allow takes effect now" }).first()).toBeEnabled()
  await answers.getByRole("button", { name: "Deny nothing happens" }).first().click()
  await expect(page.getByRole("article")).toContainText("Denied")
  await page.getByRole("link", { name: "Policy" }).first().click()
  await expect(page.getByText("Not all of this is in effect")).toBeVisible()
  await expect(page.getByText("Saved; not all of it is in effect")).toBeVisible()
  await expectAccessibleAtNight(page)
})

test.describe("with templates in use", () => {
  test.use({ newWorld: true })

  test("the page shows the rules that templates bring along, and what an own template widens waits (R34, R35)", async ({
    page,
    world,
  }) => {
    const team = join(dirname(world.place.config), "team.yaml")
    writeFileSync(team, 'version: 1\npolicy:\n  rules:\n    - ask: "files(move_file)"\n      remember: never\n')
    world.place.write(
      saved(world).replace("policy:\n", "policy:\n  use: [ask-for-writes, { filesystem: files }, ./team.yaml]\n"),
    )
    await expect.poll(() => answerAll(world, "approve")).toBe(1)
    await world.signIn(page, "/policy")
    const sheet = page.locator("section", { hasText: "Rules from templates" })
    await expect(sheet.getByRole("group")).toHaveCount(3)
    await sheet.getByText("./team.yaml").click()
    await expect(sheet.getByRole("listitem").filter({ hasText: "files(move_file)" }).first()).toBeVisible()
    await expect(sheet.getByRole("group").filter({ hasText: "./team.yaml" })).toContainText("1 rule")
    await expectAccessibleAtNight(page)

    writeFileSync(team, 'version: 1\npolicy:\n  rules:\n    - allow: "files(move_file)"\n')
    await page.getByRole("link", { name: "Review change" }).click()
    await expect(page.getByRole("main")).toContainText("files(move_file)")
  })
})
