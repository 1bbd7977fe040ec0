import { existsSync } from "node:fs"
import { join } from "node:path"
import { makeAnswered, soon } from "../fixtures/past-calls.ts"
import { expect, expectAccessible, expectAccessibleAtNight, expectAccessibleInBoth, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

async function pending(world: World): Promise<number> {
  const reply = await world.people.listApprovals({ query: { status: "pending" } })
  return reply.ok ? reply.value.items.length : -1
}

test("a session's page tells every call with its decision, difference and failure, live; all that waits is denied with one reason", async ({
  page,
  world,
}) => {
  const agent = await world.agent("files", "coder")
  await agent.call("read_text_file", { path: "absent.txt" }).catch(() => undefined)
  await makeAnswered(world, agent, { path: "notes.txt", content: "Buy bread." }, { kind: "approve" })
  await makeAnswered(world, agent, { path: "b.txt", content: "x" }, { kind: "deny", reason: "Use the drafts folder." })
  await world.signIn(page, "/sessions")
  await page.getByRole("link", { name: /^coder 1\.0\.0/ }).click()
  await expect(page).toHaveURL(/\/sessions\/[0-9a-f]{32}$/)
  await expect(page.getByRole("heading", { level: 1, name: "coder 1.0.0" })).toBeVisible()
  const entry = (text: string) => page.getByRole("listitem").filter({ hasText: text })
  await expect(entry("absent.txt").getByText(/ENOENT/)).toBeVisible()
  await expect(entry("b.txt").getByText("Use the drafts folder.")).toBeVisible()
  await expect(entry("b.txt").getByText(/denied it after/)).toBeVisible()
  await entry("notes.txt").getByRole("button", { name: "Details" }).click()
  await expect(entry("notes.txt").getByText("Buy bread.", { exact: true })).toBeVisible()

  const held = ["one.txt", "two.txt"].map((path) => agent.call("write_file", { path, content: "x" }))
  await expect.poll(() => pending(world), soon).toBe(2)
  await expect(entry("two.txt").getByRole("link", { name: "Review and decide" })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Deny all 2…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Reason (optional)").fill("Not today.")
  // What is denied is unfolded, call by call.
  await expect(dialog.locator("details[open]")).toHaveCount(2)
  await expectAccessibleInBoth(page)
  await dialog.getByRole("button", { name: "Deny 2 calls" }).click()
  await expect(page.getByText(/^All 2 calls decided/)).toBeVisible()
  for (const result of await Promise.all(held)) expect(JSON.stringify(result)).toContain("Not today.")
  expect(existsSync(join(world.workspace, "one.txt"))).toBe(false)

  await page.getByRole("button", { name: "End session…" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "End session", exact: true }).click()
  await expect(page.getByText("This session has ended")).toBeVisible()
  await expect(page.getByRole("button", { name: "End session…" })).toBeHidden()
  await expectAccessibleAtNight(page)
})
