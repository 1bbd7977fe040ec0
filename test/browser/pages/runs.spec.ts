import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { StartRunBody } from "@byleave/api"
import { withModels } from "../fixtures/chatting.ts"
import { answer, bar, dialog } from "../fixtures/deciding.ts"
import { sizes } from "../fixtures/look.ts"
import { atNight, expect, expectAccessible, expectAccessibleAtNight } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

const models = (url: string): string => `models:
  tidier:
    provider: scripted
    script:
      - reasoning: First I look around.
        say: Let me see what is there.
        calls: [{ tool: "files(list_directory)", args: { path: "." } }]
      - say: I write the plan, and empty the old notes.
        calls:
          - { tool: "files(write_file)", args: { path: drafts/plan.txt, content: "Buy milk." } }
          - { tool: "files(write_file)", args: { path: notes.txt, content: "" } }
      - say: The plan is written. I left your notes alone.
      - say: You are welcome.
  remote: { provider: openai-compatible, url: "${url}", model: mock }
`

const test = withModels(models)

async function start(world: World, body: StartRunBody, wait = 20): Promise<string> {
  const reply = await world.people.startRun({ query: { wait }, body })
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value.run_id
}

test("a run pauses, its calls are decided on their cards, and it finishes and takes another message", async ({
  page,
  world,
}) => {
  await world.signIn(page, "/runs")
  await start(world, { prompt: "Tidy my notes", model: "tidier", servers: ["files"] })
  // The list hears of it.
  const row = page.getByRole("link", { name: /Tidy my notes/ }).first()
  await expect(row).toContainText("Paused: needs approval")
  await expect(row).toContainText("tidier")
  await expectAccessible(page)
  await row.click()

  await expect(page.getByRole("heading", { level: 1, name: "“Tidy my notes”" })).toBeVisible()
  await expect(page.getByText("2 calls need your approval", { exact: true })).toBeVisible()
  const call = (text: string) =>
    page.getByRole("list", { name: "Calls" }).getByRole("listitem").filter({ hasText: text })
  await expect(call("files(list_directory)")).toContainText("Ran")
  await expect(call("drafts/plan.txt")).toContainText("Needs approval")
  await call("files(list_directory)").getByRole("button").click()
  await expect(call("files(list_directory)").getByText(/\[FILE\] notes\.txt/)).toBeVisible()
  await page.getByText(/^Reasoning, /).click()
  await expect(page.getByText("First I look around.")).toBeVisible()
  await expectAccessible(page)

  await page
    .getByRole("region", { name: "Waiting for approval" })
    .getByRole("button", { name: /plan\.txt/ })
    .click()
  await expect(page.getByText(/The run “Tidy my notes” asks to write a file/)).toBeVisible()
  await answer(page, "Allow once").click()
  await expect(page.getByText(/Its agent run goes on once all its calls are decided/)).toBeVisible()
  await page.getByRole("link", { name: "“Tidy my notes”" }).click()
  await expect(page.getByText("1 call needs your approval, 1 of 2 decided")).toBeVisible()
  await call("notes.txt").getByRole("link", { name: "Review and decide" }).click()
  await bar(page).getByRole("button", { name: "More deny options" }).click()
  await page.getByRole("menuitem", { name: "Deny with a reason" }).click()
  await dialog(page)
    .getByLabel(/^Reason/)
    .fill("Keep my notes.")
  await dialog(page).getByRole("button", { name: "Deny this call" }).click()
  await expect(dialog(page)).toBeHidden()
  await page.getByRole("link", { name: "“Tidy my notes”" }).click()

  await expect(page.getByText("The plan is written. I left your notes alone.")).toBeVisible()
  await expect(page.getByRole("region", { name: "About this run" })).toContainText("Finished")
  await expect(call("drafts/plan.txt")).toContainText(/Ran.* allowed it\./)
  await expect(call("content: empty").or(call("path: notes.txt"))).toContainText("Keep my notes.")
  expect(readFileSync(join(world.workspace, "drafts", "plan.txt"), "utf8")).toBe("Buy milk.")
  expect(readFileSync(join(world.workspace, "notes.txt"), "utf8")).not.toBe("")

  await page.getByLabel("Send a message").fill("Thank you.")
  await page.getByLabel("Send a message").press("Control+Enter")
  await expect(page.getByText("You are welcome.")).toBeVisible()
  await expectAccessibleAtNight(page)

  await page.getByRole("button", { name: "Delete…" }).click()
  await dialog(page).getByRole("button", { name: "Delete run" }).click()
  await expect(page).toHaveURL(/\/runs$/)
  await expect(page.getByRole("link", { name: /Tidy my notes/ })).toBeHidden()
})

test("a failed run says what went wrong, and continues", async ({ page, world, provider }) => {
  provider.next({ kind: "answer", say: "I was about to", end: "closed" })
  const id = await start(world, { prompt: "Count the files", model: "remote", servers: ["files"] })
  await world.signIn(page, `/runs/${id}`)
  await expect(page.getByText("The run failed and can be continued")).toBeVisible()
  await expect(page.getByText(/answer was cut off/)).toBeVisible()
  await expectAccessibleAtNight(page)
  provider.next({ kind: "answer", say: "There are two files." })
  await page.getByRole("button", { name: "Continue the run" }).click()
  await expect(page.getByText("There are two files.")).toBeVisible()
  await expect(page.getByRole("region", { name: "About this run" })).toContainText("Finished")
})

test("a run that goes on is shown as it does, and can be cancelled", async ({ page, world, provider }) => {
  provider.next(
    { kind: "answer", say: "Looking.", call: { name: "files__list_directory", args: { path: "." } } },
    { kind: "silence" },
  )
  const id = await start(world, { prompt: "Look around", model: "remote", servers: ["files"] }, 0)
  await world.signIn(page, `/runs/${id}`)
  await expect(page.getByText("Looking.")).toBeVisible()
  await expect(page.getByText("Working…")).toBeVisible()
  await expect(page.getByRole("region", { name: "About this run" })).toContainText("Running")
  await page.getByRole("button", { name: "Cancel run…" }).click()
  await expectAccessibleAtNight(page)
  await dialog(page).getByRole("button", { name: "Cancel run", exact: true }).click()
  await expect(page.getByText("This run was cancelled")).toBeVisible()
  await expect(page.getByText("Working…")).toBeHidden()
  await expect(page.getByText("Looking.")).toHaveCount(1)

  await page.goto(new URL("/runs?status=cancelled", world.url()).href)
  await expect(page.getByRole("link", { name: /Look around/ }).first()).toContainText("Cancelled")
  await page.getByRole("button", { name: "Needs approval" }).click()
  await expect(page).toHaveURL(/status=paused/)
  await expect(page.getByRole("link", { name: /Look around/ })).toBeHidden()
})

test("cancelling a paused run withdraws its calls, on a phone too", atNight, async ({ page, world }) => {
  await page.setViewportSize(sizes.phone)
  await page.emulateMedia({ colorScheme: "dark" })
  const id = await start(world, { prompt: "Tidy up", model: "tidier", servers: ["files"] })
  await world.signIn(page, `/runs/${id}`)
  await expect(page.getByText("2 calls need your approval", { exact: true })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await expectAccessible(page)
  await page.getByRole("button", { name: "Cancel run…" }).click()
  await expect(dialog(page).getByText(/waiting calls are withdrawn/)).toBeVisible()
  await dialog(page).getByRole("button", { name: "Cancel run", exact: true }).click()
  await expect(page.getByText("This run was cancelled")).toBeVisible()
  await expect(page.getByText("Withdrawn").first()).toBeVisible()
  expect(existsSync(join(world.workspace, "drafts", "plan.txt"))).toBe(false)
})

test("without runs the page says how to start one; a run that is gone says so", async ({ page, world }) => {
  const known = await world.people.listRuns({ query: {} })
  for (const { id } of known.ok ? known.value.items : []) await world.people.removeRun({ params: { id } })
  await world.signIn(page, "/runs")
  await expect(page.getByText("No runs yet")).toBeVisible()
  await expect(page.getByText('byleave run "Tidy my notes"')).toBeVisible()
  await expectAccessibleAtNight(page)
  await page.goto(new URL("/runs/none", world.url()).href)
  await expect(page.getByText("Run not found")).toBeVisible()
  await expectAccessibleAtNight(page)
})
