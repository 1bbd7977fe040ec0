/** A session's waiting changes as one review, in a real browser before a real service. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { answerCall } from "../../api/answer-call.ts"
import { soon } from "../fixtures/past-calls.ts"
import { expect, expectAccessible, expectAccessibleAtNight, expectAccessibleInBoth, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

async function pending(world: World): Promise<number> {
  const reply = await world.people.listApprovals({ query: { status: "pending" } })
  return reply.ok ? reply.value.items.length : -1
}

test("three changes are reviewed together: two are allowed, one is denied with a comment on its line, which the agent reads", async ({
  page,
  world,
}) => {
  writeFileSync(join(world.workspace, "plan.ts"), "// The plan.\nconst first = 1\nconst second = 2\n")
  const agent = await world.agent("files", "coder")
  const held = [
    agent.call("write_file", { path: "notes.txt", content: "Buy bread.\nCall Ada.\n" }),
    agent.call("write_file", { path: "drafts/new.txt", content: "A new file.\n" }),
    agent.call("edit_file", {
      path: "plan.ts",
      edits: [{ oldText: "const second = 2", newText: "const second = 3\nconst third = 4", description: "by force" }],
    }),
  ]
  await expect.poll(() => pending(world), soon).toBe(3)
  await world.signIn(page)
  await page.getByRole("link", { name: /^Review 3 changes/ }).click()
  await expect(page).toHaveURL(/\/review\/[0-9a-f]{32}$/)

  const tree = page.getByRole("navigation", { name: "Changed files" })
  await expect(tree.getByRole("button", { name: /undecided: plan\.ts.*2 added, 1 removed/ })).toBeVisible()
  await expect(tree.getByText("drafts", { exact: true })).toBeVisible()
  const panel = (path: string) => page.getByRole("article").filter({ has: page.getByRole("heading", { name: path }) })
  await expect(panel("notes.txt").getByText("Buy bread.")).toBeVisible()
  // All of a call is shown, also what stands beside the texts of a diff.
  await expect(panel("plan.ts")).toContainText("edits → 1 → description")
  await expect(panel("plan.ts")).toContainText("by force")
  await expectAccessible(page)

  // By keys alone: to the first file, which is allowed; then to a change, and a comment on its line.
  await page.keyboard.press("j")
  await page.keyboard.press("a")
  await expect(panel("drafts/new.txt").getByRole("button", { name: "Allow" })).toHaveAttribute("aria-pressed", "true")
  await panel("notes.txt").getByRole("button", { name: "Allow" }).click()
  await tree.getByRole("button", { name: /plan\.ts/ }).click()
  await page.keyboard.press("n")
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("c")
  await page.getByRole("textbox", { name: "Comment on line 3" }).fill("Keep it at 2: the tests rely on it.")
  await page.keyboard.press("Enter")
  await expect(panel("plan.ts").getByRole("button", { name: "Deny" })).toHaveAttribute("aria-pressed", "true")
  await panel("plan.ts").getByRole("textbox", { name: "Reason (optional)" }).fill("Leave the plan alone.")
  await expect(page.getByRole("region", { name: "Your review" })).toContainText("2 allowed · 1 denied · 0 undecided")
  expect(await pending(world)).toBe(3)

  await page.getByRole("button", { name: "Send: allow 2, deny 1…" }).click()
  const dialog = page.getByRole("dialog")
  await expect(dialog).toContainText(/Leave the plan alone\.\s*plan\.ts line 3: Keep it at 2: the tests rely on it\./)
  await expectAccessibleAtNight(page)
  await dialog.getByRole("button", { name: "Allow 2, deny 1" }).click()
  const answers = page.getByRole("region", { name: "Results" })
  await expect(answers).toContainText("All 3 calls decided: 1 denied, 2 succeeded")
  await expect(answers.getByRole("link", { name: "All waiting calls" })).toBeVisible()
  await expect(answers.getByRole("button")).toHaveCount(0)
  await expect(panel("plan.ts")).not.toContainText("Already decided")
  await expectAccessibleInBoth(page)

  const [notes, created, plan] = await Promise.all(held)
  expect(notes?.isError ?? false).toBe(false)
  expect(created?.isError ?? false).toBe(false)
  expect(JSON.stringify(plan)).toContain("plan.ts line 3: Keep it at 2: the tests rely on it.")
  expect(JSON.stringify(plan)).toContain("Leave the plan alone.")
  expect(readFileSync(join(world.workspace, "notes.txt"), "utf8")).toBe("Buy bread.\nCall Ada.\n")
  expect(readFileSync(join(world.workspace, "drafts/new.txt"), "utf8")).toBe("A new file.\n")
  expect(readFileSync(join(world.workspace, "plan.ts"), "utf8")).toContain("const second = 2\n")
})

test("a call that is settled elsewhere is left out of the review, and a masked secret is revealed before it can be allowed", async ({
  page,
  world,
}) => {
  const agent = await world.agent("files", "coder")
  void agent.call("write_file", { path: "a.txt", content: "a" }).catch(() => undefined)
  void agent.call("write_file", { path: "b.txt", content: "b" }).catch(() => undefined)
  const secret = "key: sk-live-0123456789abcdefghijklmnop"
  const env = agent.call("write_file", { path: "c.env", content: secret })
  await expect.poll(() => pending(world), soon).toBe(3)
  await world.signIn(page)
  await page.getByRole("link", { name: /^Review 3 changes/ }).click()
  const panel = (path: string) => page.getByRole("article").filter({ has: page.getByRole("heading", { name: path }) })
  await panel("a.txt").getByRole("button", { name: "Allow" }).click()
  await expect(panel("c.env").getByRole("button", { name: "Allow" })).toBeDisabled()
  await panel("c.env").getByRole("button", { name: "Reveal the text" }).click()
  await panel("c.env").getByRole("button", { name: "Allow" }).click()
  const bar = page.getByRole("region", { name: "Your review" })
  await expect(bar).toContainText("2 allowed · 0 denied · 1 undecided")

  const reply = await world.people.listApprovals({ query: { status: "pending" } })
  const listed = reply.ok ? reply.value.items : []
  const other = listed.find(({ preview }) => preview?.some(({ text }) => text === "a.txt"))
  if (other === undefined) throw new Error("a.txt does not wait.")
  await answerCall(world.people, other.id, { kind: "deny" })
  await expect(panel("a.txt").getByText("Already decided. Your review does not change it.")).toBeVisible()
  await expect(bar).toContainText("1 allowed · 0 denied · 1 undecided")

  await bar.getByRole("button", { name: "Deny the rest" }).click()
  await bar.getByRole("button", { name: "Send: allow 1, deny 1…" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Allow 1, deny 1" }).click()
  await expect(page.getByText(/^All 2 calls decided/)).toBeVisible()
  expect((await env).isError ?? false).toBe(false)
  expect(existsSync(join(world.workspace, "a.txt"))).toBe(false)
  expect(existsSync(join(world.workspace, "b.txt"))).toBe(false)
})

test.describe("while a review can be taken back", () => {
  test.use({ canUndo: true })

  test("a reload asks first, sends nothing and keeps the marks", async ({ page, world }) => {
    const agent = await world.agent("files", "coder")
    const held = ["a", "b"].map((name) => agent.call("write_file", { path: `${name}.txt`, content: name }))
    await expect.poll(() => pending(world), soon).toBe(2)
    await world.signIn(page)
    await page.getByRole("link", { name: /^Review 2 changes/ }).click()
    const panel = (path: string) => page.getByRole("article").filter({ has: page.getByRole("heading", { name: path }) })
    const bar = page.getByRole("region", { name: "Your review" })
    const send = async () => {
      await bar.getByRole("button", { name: "Send: allow 1, deny 1…" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Allow 1, deny 1" }).click()
      await expect(page.getByText("Closing or reloading this tab cancels it.")).toBeVisible()
    }
    await panel("a.txt").getByRole("button", { name: "Allow" }).click()
    await panel("b.txt").getByRole("button", { name: "Deny" }).click()
    await panel("b.txt").getByRole("textbox", { name: "Reason (optional)" }).fill("Not b.")
    await send()
    const asked = page.waitForEvent("dialog").then(async (prompt) => {
      await prompt.accept()
      return prompt.type()
    })
    await page.reload()
    expect(await asked).toBe("beforeunload")
    await expect(bar).toContainText("1 allowed · 1 denied · 0 undecided")
    await expect(panel("b.txt").getByRole("textbox", { name: "Reason (optional)" })).toHaveValue("Not b.")
    expect(await pending(world)).toBe(2)

    await send()
    // Going on within the page sends at once.
    await page.getByRole("link", { name: "Activity" }).click()
    const [a, b] = await Promise.all(held)
    expect([a?.isError ?? false, b?.isError]).toEqual([false, true])
    expect(JSON.stringify(b)).toContain("Not b.")
  })
})
