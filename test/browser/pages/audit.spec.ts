import { cpSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Page } from "@playwright/test"
import { pastPolicy } from "../fixtures/past-calls.ts"
import { expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"

test.use({ options: { policy: pastPolicy, hasPast: true } })

test("records are listed newest first, by kind, and open to what they are made of", async ({ page, world }) => {
  await world.signIn(page, "/audit")
  const rows = page.getByRole("region", { name: "Records", exact: true }).getByRole("listitem")
  await expect(rows.filter({ hasText: "It needs approval." })).toHaveCount(3)
  await expect(rows.filter({ hasText: "It expired." })).toHaveCount(1)

  await page.getByLabel("Show", { exact: true }).selectOption({ label: "Reviews" })
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText("denied it.")
  await expect(page).toHaveURL(/kind=answers/)
  await rows.first().getByText("denied it.").click()
  await expect(rows.first()).toContainText("Hash")
  await expectAccessible(page)
  await rows.first().getByRole("link", { name: "View call" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "files(write_file)" })).toBeVisible()
})

test("a trail nobody touched is sound, with what was checked", async ({ page, world }) => {
  await world.signIn(page, "/audit")
  await page.getByRole("button", { name: "Verify now" }).click()
  await expect(page.getByText("The audit trail is intact.")).toBeVisible()
  await expect(page.getByText(/\d+ records in \d+ chains? were checked/)).toBeVisible()
  await expect(page.getByText("Verified")).toBeVisible()
  await expectAccessibleAtNight(page)
})

test("a record changed behind the service's back breaks it, and the page says where", async ({ page, world }) => {
  const copy = join(dirname(world.place.data), "tampered")
  cpSync(world.place.data, copy, { recursive: true, filter: (path) => !path.endsWith("service.json") })
  const database = new DatabaseSync(join(copy, "byleave.db"))
  const changed = database.prepare(
    "UPDATE audit SET text = replace(text, 'write_file', 'read_file') WHERE type = 'call.asked'",
  )
  expect(Number(changed.run().changes)).toBeGreaterThan(0)
  database.close()

  const second = await world.place.serve("--data", copy)
  const people = await world.place.reviewer(second.url)
  const link = await people.mintLink({ body: {} })
  if (!link.ok) throw new Error(link.problem.detail)
  await page.goto(link.value.url)
  await page.getByRole("button", { name: /sign in/i }).click()
  await page.getByRole("navigation").first().waitFor()
  await page.goto(new URL("/audit", second.url).href)
  await page.getByRole("button", { name: "Verify now" }).click()
  await expect(page.getByText(/The audit trail is not intact: \d+ problems?\./)).toBeVisible()
  await expect(page.getByText("Broken", { exact: true })).toBeVisible()
  await expect(page.getByRole("region", { name: "Verify integrity" }).getByRole("listitem").first()).toContainText(
    /\/\d+/,
  )
  await expectAccessibleAtNight(page)
})

test("the trail is exported as JSON lines and as a table whose cells a spreadsheet takes for text", async ({
  page,
  world,
}) => {
  // A file dialog is the system's and cannot be driven; browsers without it save by download.
  await page.addInitScript(() => Reflect.deleteProperty(window, "showSaveFilePicker"))
  await world.signIn(page, "/audit")

  const lines = (await exported(page, "Export JSON lines"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(lines.map(({ type }) => type)).toContain("call.hidden")
  await expect(page.getByText(/^Exported [\d.]+ kB\.$/)).toBeVisible()

  const table = await exported(page, "Export CSV")
  const cells = table.split(/\r?\n/).flatMap((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
  expect(cells.some((cell) => cell.includes("HYPERLINK"))).toBe(true)
  expect(cells.filter((cell) => /^"?[=+@\t\r]/.test(cell) || /^"?-[^\d]/.test(cell))).toEqual([])
})

async function exported(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()])
  return readFileSync(await download.path(), "utf8")
}
