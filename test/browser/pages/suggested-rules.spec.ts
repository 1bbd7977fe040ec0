/** R37: rules that past answers suggest, on the page and on a card. */
import { join } from "node:path"
import { answerAll, editorOf, saved, textOf, waitingIds } from "../fixtures/policy-page.ts"
import { expect, expectAccessibleInBoth, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

/** Allows the creation of these folders, each asked for in a session of its own. */
async function allowInSessions(world: World, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const agent = await world.agent()
    const held = agent.call("create_directory", { path: join(world.workspace, "drafts", name) })
    await expect.poll(() => answerAll(world, "approve")).toBe(1)
    await held
  }
}

test("R37: a rule that past answers suggest is put among the rules, unsaved", async ({ page, world }) => {
  await allowInSessions(world, ["a", "b", "c"])
  await world.signIn(page, "/policy")
  const box = page.getByRole("region", { name: "Suggested rules" })
  await expect(box.getByText(/^3 decisions in 3 sessions over \d days?: all allowed$/)).toBeVisible()
  await box.getByText(/^3 decisions/).click()
  await expect(box.getByRole("link", { name: "Call 3" })).toBeVisible()
  await expectAccessibleInBoth(page)
  const before = saved(world)
  await box
    .getByRole("button", { name: /^Add to editor/ })
    .first()
    .click()
  await expect(editorOf(page)).toBeFocused()
  const text = await textOf(page)
  expect(text.indexOf("files(create_directory)")).toBeGreaterThan(text.indexOf("files(list_*)"))
  expect(text.indexOf("files(create_directory)")).toBeLessThan(text.indexOf("agents:"))
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible()
  await expect(editorOf(page)).toHaveAttribute("aria-invalid", "false")
  expect(saved(world)).toBe(before)
})

test("R37: the card of a waiting call offers the rule in one click, and Undo takes it back", async ({
  page,
  world,
}) => {
  await allowInSessions(world, ["e", "f", "g"])
  const before = saved(world)
  const held = (await world.agent()).call("create_directory", { path: join(world.workspace, "drafts", "h") })
  await expect.poll(() => waitingIds(world)).toHaveLength(1)
  const [id = ""] = await waitingIds(world)
  await world.signIn(page, `/?open=${id}`)
  const offer = page.getByRole("complementary", { name: "Suggested rule" })
  await expect(offer).toContainText(/You allowed \d+ calls like this in \d+ sessions. Make it a rule\?/)
  await expect(offer.locator("pre")).toContainText("directlyIn")
  await expect(offer.locator("pre")).toContainText(join(world.workspace, "drafts"))
  await offer.getByRole("button", { name: "Make it a rule" }).click()
  await expect(offer).toContainText("Rule added. It applies to later calls; this one still needs your answer.")
  expect(saved(world)).toContain("directlyIn")
  await offer.getByRole("button", { name: "Undo" }).click()
  await expect(offer.getByRole("button", { name: "Make it a rule" })).toBeVisible()
  expect(saved(world)).toBe(before)
  await answerAll(world, "deny")
  await held
})
