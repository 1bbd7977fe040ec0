import { readFileSync } from "node:fs"
import { join } from "node:path"
import { grantsDigest } from "@byleave/api"
import type { Page } from "@playwright/test"
import { answerCall } from "../../api/answer-call.ts"
import { grantsDisplayed } from "../../api/as-displayed.ts"
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

const write = { kind: "tool", server: "files", tool: "write_file" } as const

async function remember(world: World, effect: "allow" | "deny" = "allow"): Promise<void> {
  const added = await world.people.addGrant({ body: { effect, breadth: write } })
  expect(added.ok).toBe(true)
}

async function grantTexts(world: World): Promise<readonly string[]> {
  const grants = await world.people.listGrants()
  return grants.ok ? grants.value.items.map(({ text }) => text).toSorted() : [grants.problem.detail]
}

async function waitingTools(world: World): Promise<readonly string[]> {
  const waiting = await world.people.listApprovals({ query: { status: "pending" } })
  return waiting.ok ? waiting.value.items.map(({ tool }) => tool.tool) : [waiting.problem.detail]
}

const args = (world: World) => ({ path: join(world.workspace, "drafts", "a.txt"), content: "Hello." })
const dialogOf = (page: Page) => page.getByRole("dialog")

test("R126 R127: a remembered yes is listed at its server and forgotten there; the next call waits", async ({
  page,
  world,
}) => {
  await remember(world)
  const agent = await world.agent()
  expect((await agent.call("write_file", args(world))).isError ?? false).toBe(false)
  await world.signIn(page, "/permissions")
  const files = page.getByRole("region", { name: "files", exact: true })
  await expect(files.getByText("Always allowed")).toBeVisible()
  await expect(files.getByText(/used once/)).toBeVisible()
  await expect(files.getByText(/defined in byleave\.yaml, line/).first()).toBeVisible()
  await expectAccessible(page)
  await files.getByRole("button", { name: "Revoke: For every agent, always allow files(write_file)" }).click()
  await expect(dialogOf(page)).toContainText("needs approval")
  await dialogOf(page).getByRole("button", { name: "Revoke" }).click()
  await expect(dialogOf(page)).toBeHidden()
  await expect(files.getByText("Always allowed")).toBeHidden()
  const held = agent.call("write_file", args(world)).catch(() => null)
  await expect.poll(() => waitingTools(world)).toEqual(["write_file"])
  await agent.close()
  await held
})

test("a link to one server's permissions shows that server alone, also after a reload", async ({ page, world }) => {
  await remember(world)
  await world.signIn(page, "/servers")
  await page.getByRole("main").getByRole("link", { name: "Permissions" }).click()
  await expect(page).toHaveURL(/\/permissions\?server=files$/)
  await expect(page.getByRole("region", { name: "files", exact: true })).toBeVisible()
  await expect(page.getByRole("region", { name: "memory", exact: true })).toBeHidden()
  await page.getByRole("button", { name: "By tool" }).click()
  await page.getByLabel("Search", { exact: true }).pressSequentially("write")
  await page.getByLabel("Effect").selectOption("Allowed")
  await expect(page).toHaveURL(/server=files&effect=allow&find=write$/)
  await page.reload()
  await expect(page.getByLabel("Search", { exact: true })).toHaveValue("write")
  await expect(page.getByRole("button", { name: "Test a call of write_file" })).toBeVisible()
  await expect(page.getByRole("button", { name: /^Test a call/ })).toHaveCount(1)
  await page.getByLabel("Server").selectOption("memory")
  await expect(page.getByText("No matches", { exact: true })).toBeVisible()
})

test("R128: a level is changed after its words were shown, and decides the next call", async ({ page, world }) => {
  await remember(world)
  await world.signIn(page, "/permissions")
  await page.getByRole("button", { name: /^Change: For every agent, always allow/ }).click()
  await dialogOf(page).getByRole("radio", { name: "Always deny" }).check()
  await expect(dialogOf(page)).toContainText("For every agent, always allow files(write_file).")
  await expect(dialogOf(page)).toContainText("For every agent, always deny files(write_file).")
  await dialogOf(page).getByRole("button", { name: "Always deny" }).click()
  await expect(page.getByText("Always denied")).toBeVisible()
  const agent = await world.agent()
  expect((await agent.call("write_file", args(world))).isError).toBe(true)
  expect(await waitingTools(world)).toEqual([])
})

test("a level that somebody else changed meanwhile is not overwritten", atNight, async ({ page, world }) => {
  await remember(world)
  await world.signIn(page, "/permissions")
  await page.getByRole("button", { name: /^Change: For every agent, always allow/ }).click()
  const grants = await world.people.listGrants()
  const grant = grants.ok ? grants.value.items[0] : undefined
  if (grant === undefined) throw new Error("there is no grant")
  const denied = { level: "DenyAlways", version: grant.version, digest: await grantsDigest([grant]) } as const
  await world.people.setGrantLevel({ params: { id: grant.id }, body: denied })
  await dialogOf(page).getByRole("radio", { name: "Revoke and ask again" }).check()
  await dialogOf(page).getByRole("button", { name: "Revoke and ask again" }).click()
  await expect(dialogOf(page).getByRole("alert")).toContainText("Nothing was changed")
  expect(await grantTexts(world)).toEqual(['deny: "files(write_file)" for every agent'])
})

test("R130: what is exported can be looked at, imported again, and each line is answered", async ({ page, world }) => {
  await remember(world)
  await world.people.addGrant({
    body: { effect: "deny", breadth: { kind: "server", server: "memory", access: "all" } },
  })
  const before = await grantTexts(world)
  await world.signIn(page, "/permissions")
  const downloading = page.waitForEvent("download")
  await page.getByRole("button", { name: "Export" }).click()
  const path = await (await downloading).path()
  expect(JSON.parse(readFileSync(path, "utf8")).grants).toHaveLength(2)
  await world.people.clearGrants({
    body: { server: "files", digest: await grantsDisplayed(world.people, { server: "files" }) },
  })
  await page.getByLabel("Permissions file").setInputFiles(path)
  await expect(dialogOf(page)).toContainText("contains 2 permissions; 1 of them")
  await expect(dialogOf(page)).toContainText("For every agent, always allow files(write_file)")
  await dialogOf(page).getByRole("button", { name: "Import 2 permissions" }).click()
  await expect(dialogOf(page)).toContainText("2 of 2 imported.")
  await expect(dialogOf(page).getByText("Already saved")).toBeVisible()
  expect(await grantTexts(world)).toEqual(before)
})

test.describe("with many permissions", () => {
  test.use({ newWorld: true })

  test(
    "thousands of permissions come a hundred at a time, and every one can be found",
    atNight,
    async ({ page, world }) => {
      const grants = Array.from({ length: 1_000 }, (_, at) => ({
        effect: "allow" as const,
        breadth: { kind: "tool" as const, server: "files", tool: `tool_${at}` },
      }))
      const imported = await world.people.importGrants({ body: { version: 1, grants } })
      expect(imported.ok).toBe(true)
      await world.signIn(page, "/permissions?server=files")
      const forget = page.getByRole("button", { name: /^Revoke: / })
      await expect(forget).toHaveCount(100)
      await page.getByRole("button", { name: "Show 100 more of 900" }).click()
      await expect(forget).toHaveCount(200)
      await page.getByLabel("Search", { exact: true }).fill("tool_777")
      await expect(forget).toHaveCount(1)
    },
  )
})

test("a file that is something else changes nothing", atNight, async ({ page, world }) => {
  await world.signIn(page, "/permissions")
  const buffer = Buffer.from('{"version": 1, "grants": [{"effect": "allow"}]}')
  await page.getByLabel("Permissions file").setInputFiles({ name: "x.json", mimeType: "application/json", buffer })
  await expect(dialogOf(page)).toContainText("Nothing was imported")
  expect(await grantTexts(world)).toEqual([])
})

test("R129: allowing all of a server needs a clear yes, and then nobody is asked", async ({ page, world }) => {
  await world.signIn(page, "/permissions")
  await page.getByRole("region", { name: "memory" }).getByRole("button", { name: "Server actions" }).click()
  await page.getByRole("menuitem", { name: /Allow all tools/ }).click()
  const allow = dialogOf(page).getByRole("button", { name: "Always allow all tools" })
  await expect(allow).toBeDisabled()
  await dialogOf(page).getByRole("checkbox").check()
  await expectAccessible(page)
  await allow.click()
  await expect(dialogOf(page)).toBeHidden()
  const agent = await world.agent("memory")
  expect((await agent.call("read_graph")).isError ?? false).toBe(false)
  expect(await waitingTools(world)).toEqual([])
})

test("what is remembered for one session is cleared at once", async ({ page, world }) => {
  const agent = await world.agent()
  const held = agent.call("write_file", args(world))
  await expect.poll(() => waitingTools(world)).toEqual(["write_file"])
  const waiting = await world.people.listApprovals({ query: { status: "pending" } })
  const approval = waiting.ok ? waiting.value.items[0] : undefined
  if (approval === undefined) throw new Error("nothing waits")
  const remembered = { scope: "session", breadth: write } as const
  await answerCall(world.people, approval.id, { kind: "approve", remember: remembered })
  await held
  await world.signIn(page, "/permissions")
  await page.getByRole("button", { name: /^Revoke all permissions for / }).click()
  await dialogOf(page).getByRole("button", { name: "Revoke 1 permission" }).click()
  await expect(page.getByText("For one session")).toBeHidden()
  expect(await grantTexts(world)).toEqual([])
})

test.describe("with a rule on arguments", () => {
  test.use({
    options: {
      policy: `policy:
  rules:
    - allow: "files(read_*)"
    - allow: "files(write_file)"
      when: { path: { glob: "*/drafts/*" } }
`,
    },
  })

  test("R135: each tool says what would happen, and a call can be tried without calling", async ({ page, world }) => {
    const agent = await world.agent()
    await agent.call("read_file", { path: join(world.workspace, "notes.txt") })
    await world.signIn(page, "/permissions")
    await page.getByRole("button", { name: "By tool" }).click()
    await page.getByLabel("Search", { exact: true }).fill("write_file")
    const row = page.getByRole("listitem").filter({ hasText: "write_file" })
    await expect(row.getByText("Needs approval", { exact: true })).toBeVisible()
    await row.getByRole("button", { name: "Test a call of write_file" }).click()
    const field = dialogOf(page).getByLabel("Arguments (JSON)")
    await expect(field).toHaveValue(/"path": ""/)
    await field.fill("{")
    await dialogOf(page).getByRole("button", { name: "Test call" }).click()
    await expect(dialogOf(page).getByRole("alert")).toBeVisible()
    await field.fill(JSON.stringify(args(world)))
    await dialogOf(page).getByRole("button", { name: "Test call" }).click()
    const told = dialogOf(page).getByRole("region", { name: "Result" })
    await expect(told.getByText("Allowed", { exact: true })).toBeVisible()
    await expect(told.getByRole("listitem").filter({ hasText: "Decided" })).toContainText("files(write_file)")
    await expectAccessibleAtNight(page)
    await field.fill(JSON.stringify({ path: "/etc/passwd", content: "" }))
    await expect(told).toBeHidden()
    await dialogOf(page).getByRole("button", { name: "Test call" }).click()
    await expect(told.getByText("Needs approval", { exact: true })).toBeVisible()
    await expect(told).toContainText("What would change it")
    expect(await waitingTools(world)).toEqual([])
  })
})
