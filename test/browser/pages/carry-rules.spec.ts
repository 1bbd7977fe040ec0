/** R130, R185: rules of other programs in the inbox. */
import { readFileSync } from "node:fs"
import { soon } from "../fixtures/past-calls.ts"
import { expect, expectAccessible, expectAccessibleAtNight, expectAccessibleInBoth, test } from "../fixtures/test.ts"

const rules = JSON.stringify({
  permissions: {
    allow: ["mcp__files__create_directory", "Bash(ls:*)"],
    ask: ["mcp__files__read_text_file"],
    deny: ["mcp__files__move_file", "mcp___scope_notes"],
  },
})

test.describe("rules of another program", () => {
  test.use({ newWorld: true })

  test("are pasted, detected and checked; what restricts applies at once, and what allows more waits for approval", async ({
    page,
    world,
  }) => {
    await world.signIn(page, "/policy")
    await page.getByRole("button", { name: "Import rules…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Rules", { exact: true }).fill("nothing that anybody writes")
    await dialog.getByRole("button", { name: "Check rules" }).click()
    await expect(dialog).toContainText("The format could not be detected.")
    await dialog
      .getByLabel("Rules file")
      .setInputFiles({ name: "s.json", mimeType: "application/json", buffer: Buffer.from(rules) })
    await expect(dialog.getByLabel("Rules", { exact: true })).toHaveValue(rules)
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Check rules" }).click()
    await expect(dialog).toContainText("Read as rules of Claude Code.")
    await expect(dialog.getByRole("region", { name: "Allows more" })).toContainText("files(create_directory)")
    await expect(dialog.getByRole("region", { name: "Restricts" })).toContainText("files(move_file)")
    await expect(dialog.getByRole("region", { name: "Contradictions" })).toContainText('allow: "files(read_*)"')
    const losses = dialog.getByRole("region", { name: "Not carried over exactly" })
    await expect(losses).toContainText("Bash(ls:*)")
    await expect(losses).toContainText("for all that are written so")
    await expectAccessibleInBoth(page)
    await dialog.getByLabel("Where rules contradict each other").selectOption("My rule stays")
    await expect(dialog.getByRole("region", { name: "Contradictions" })).toContainText("the imported one is left out")
    await dialog.getByRole("button", { name: "Import rules" }).click()
    await expect(dialog).toBeHidden()

    // A denial holds without anybody's yes; the allow waits as a change of the policy.
    await expect(page.getByText("A change to this file needs your approval")).toBeVisible()
    expect(readFileSync(world.place.config, "utf8")).toContain("files(move_file)")
    const agent = await world.agent()
    expect((await agent.call("move_file", { source: "notes.txt", destination: "b.txt" })).isError).toBe(true)
    const waiting = async () => {
      const reply = await world.people.listApprovals({ query: { status: "pending" } })
      return reply.ok ? reply.value.items.map(({ tool }) => `${tool.server}(${tool.tool})`) : []
    }
    await expect.poll(waiting, soon).toEqual(["byleave(change_policy)"])
    void agent.call("create_directory", { path: "drafts/new" }).catch(() => undefined)
    await expect.poll(waiting, soon).toContain("files(create_directory)")
  })
})

test("rules in effect are shown for another program, with what it cannot say and a button to copy them", async ({
  page,
  world,
}) => {
  await world.signIn(page, "/policy")
  await page.getByRole("button", { name: "Export rules…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Program").selectOption("Claude Code")
  await expect(dialog.getByRole("region", { name: "Exported rules" })).toContainText("mcp__files__read_*")
  await dialog.getByLabel("Program").selectOption("Cline")
  await expect(dialog.getByRole("region", { name: "Exported rules" })).toContainText("read_text_file")
  await expect(dialog.getByRole("region", { name: "Not carried over exactly" })).toContainText(
    "Cline knows no such pattern",
  )
  await expect(dialog.getByRole("button", { name: "Copy rules" })).toBeVisible()
  await expectAccessibleAtNight(page)
})
