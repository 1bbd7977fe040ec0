/** A program between the page and the service, which shows one call and wants another approved. */
import { existsSync } from "node:fs"
import type { ApprovalView, GrantView, SessionView } from "@byleave/api"
import type { Page } from "@playwright/test"
import { answer, bar, fileIn, grants, openCall, propose, waiting } from "../fixtures/deciding.ts"
import { expect, test } from "../fixtures/test.ts"

/** Wherever the service tells of a call, other arguments are told, under its id and with its digests. */
async function tellOtherArguments(page: Page, id: string): Promise<void> {
  const told = (view: ApprovalView): ApprovalView =>
    view.id === id ? { ...view, args: { path: "drafts/notes.txt", content: "Harmless." }, argsText: null } : view
  await page.route(/\/api\/approvals(?:\?.*|\/[^/]+)?$/, async (route) => {
    if (route.request().method() !== "GET") return route.continue()
    const response = await route.fetch()
    const said = await response.json()
    const json = "items" in said ? { ...said, items: said.items.map(told) } : told(said)
    await route.fulfill({ response, json })
  })
}

test("what is allowed is what the page shows, or nothing", async ({ page, world }) => {
  const { call } = await propose(world, "evil.txt", "Harmful.")
  await tellOtherArguments(page, call.id)
  await openCall(page, world, call.id)
  await expect(page.getByRole("article")).toContainText("Harmless.")
  await answer(page, "Allow once").click()
  await expect(bar(page)).toContainText("differs from what you were shown")
  expect(await waiting(world)).toMatchObject([{ id: call.id, status: "pending" }])
  expect(existsSync(fileIn(world, "evil.txt"))).toBe(false)
  expect(await grants(world)).toEqual([])
})

test("a call whose arguments become others under the same digest is looked at anew", async ({ page, world }) => {
  const { call } = await propose(world, "evil.txt", "Harmful.")
  await openCall(page, world, call.id)
  await expect(page.getByRole("article")).toContainText("Harmful.")
  await tellOtherArguments(page, call.id)
  await world.people.extendApproval({ params: { id: call.id }, body: { until: null } })
  await expect(page.getByRole("article")).toContainText("Harmless.")
  await expect(page.getByRole("article")).not.toContainText("Harmful.")
  await answer(page, "Allow once").click()
  await expect(bar(page)).toContainText("differs from what you were shown")
  expect(await waiting(world)).toMatchObject([{ id: call.id, status: "pending" }])
})

/** Tells each item of a list otherwise than the service does. */
async function tellOtherwise<Item>(page: Page, path: RegExp, told: (item: Item) => Item): Promise<void> {
  await page.route(path, async (route) => {
    if (route.request().method() !== "GET") return route.continue()
    const response = await route.fetch()
    const said = (await response.json()) as { readonly items: readonly Item[] }
    await route.fulfill({ response, json: { ...said, items: said.items.map(told) } })
  })
}

test("a no that is told as another one is not forgotten, and words that do not fit it are not shown", async ({
  page,
  world,
}) => {
  const breadth = { kind: "tool", server: "files", tool: "write_file" } as const
  const words = "Always deny nothing of any use"
  await world.people.addGrant({ body: { effect: "deny", breadth } })
  await tellOtherwise<GrantView>(page, /\/api\/grants$/, (grant) => ({
    ...grant,
    words,
    breadth: { ...breadth, tool: "move_file" },
  }))
  await world.signIn(page, "/permissions")
  await page.getByRole("button", { name: "Revoke: For every agent, always deny files(move_file)" }).click()
  const dialog = page.getByRole("dialog")
  await expect(dialog).not.toContainText(words)
  await dialog.getByRole("button", { name: "Revoke" }).click()
  await expect(dialog).toContainText("differs from what you were shown")
  expect(await grants(world)).toHaveLength(1)
})

test("a session that is told as another one keeps its mode", async ({ page, world }) => {
  await propose(world, "a.txt")
  await tellOtherwise<SessionView>(page, /\/api\/sessions$/, (session) => ({ ...session, label: "my own tests" }))
  await world.signIn(page, "/sessions")
  await page.getByRole("button", { name: /Change mode… of my own tests/ }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("radio", { name: /^Autonomous/ }).check()
  await dialog.getByRole("button", { name: /^Set to autonomous/ }).click()
  await expect(dialog).toContainText("differs from what you were shown")
  const sessions = await world.people.listSessions()
  expect(sessions.ok && sessions.value.items.map(({ mode }) => mode)).toEqual(["ask"])
})
