/** A browser that was signed in without the PIN: every page says so, it may look and say no, and nothing that says yes is done. */
import { readFileSync } from "node:fs"
import type { Page } from "@playwright/test"
import { waitingCall } from "../fixtures/past-calls.ts"
import { atNight, expect, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import { signInWithoutPin, signInWithPin } from "../fixtures/with-pin.ts"
import type { World } from "../fixtures/world.ts"

test.use({ newWorld: true, signsIn: true })

const banner = "This browser can view and deny calls, but not allow them."
const refused = /needs your PIN/

async function see(page: Page, world: World, path: string): Promise<void> {
  await page.goto(new URL(path, world.url()).href)
  await expect(page.getByText(banner)).toBeVisible()
}

test("it cannot allow or let wait longer, it can deny, and with the PIN it can allow", async ({ page, world }) => {
  const link = await signInWithoutPin(page, world)
  const agent = await world.agent()
  const asked = agent.call("write_file", { path: "drafts/a.txt", content: "x" }).catch(() => undefined)
  const before = await waitingCall(world)
  const { id } = before
  await see(page, world, `/?open=${id}`)
  await page.getByRole("button", { name: /^Allow once/ }).click()
  await expect(page.getByText("Your decision was not applied")).toBeVisible()
  await expect(page.getByText(refused).first()).toBeVisible()
  await page.getByRole("button", { name: "Extend deadline" }).click()
  await page.getByRole("menuitem").first().click()
  await expect(page.getByText(refused).first()).toBeVisible()
  await expectAccessibleAtNight(page)
  expect(await waitingCall(world)).toEqual(before)
  await page.getByRole("button", { name: /^Deny/ }).first().click()
  await expect(page.getByRole("article")).toContainText("Denied")
  await asked

  await signInWithPin(page, link)
  await page.getByRole("navigation").first().waitFor()
  await expect(page.getByText(banner)).toHaveCount(0)
  const ran = agent.call("write_file", { path: "drafts/b.txt", content: "x" })
  await page.locator("[data-approval] button").first().click()
  await page.getByRole("button", { name: /^Allow once/ }).click()
  expect((await ran).isError ?? false).toBe(false)
})

test(
  "a no is not forgotten, a session not loosened, a server not started, a policy not widened, a token not made",
  atNight,
  async ({ page, world }) => {
    const no = { effect: "deny", breadth: { kind: "tool", server: "files", tool: "move_file" } } as const
    expect((await world.people.addGrant({ body: no })).ok).toBe(true)
    await signInWithoutPin(page, world)
    const agent = await world.agent("files", "coder")
    void agent.call("write_file", { path: "drafts/a.txt", content: "x" }).catch(() => undefined)
    await waitingCall(world)

    await see(page, world, "/permissions")
    await page.getByRole("button", { name: /^Revoke: For every agent, always deny/ }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
    await expect(page.getByRole("dialog").getByText(refused)).toBeVisible()

    await see(page, world, "/sessions")
    await page.getByRole("button", { name: "Change mode…" }).click()
    await page.getByRole("radio", { name: /^Autonomous/ }).check()
    await page.getByRole("button", { name: "Set to autonomous" }).click()
    await expect(page.getByRole("dialog").getByText(refused)).toBeVisible()

    await see(page, world, "/servers")
    await page.getByRole("button", { name: "Reconnect files" }).click()
    await expect(page.getByText(refused).first()).toBeVisible()

    const before = readFileSync(world.place.config, "utf8")
    await see(page, world, "/policy")
    await page.getByLabel("byleave.yaml").fill(before.replace('allow: "files(list_*)"', 'allow: "files"'))
    await page.getByRole("button", { name: "Review changes" }).click()
    await page.getByRole("button", { name: "Save and allow more" }).click()
    await expect(page.getByText(refused).first()).toBeVisible()

    await page.goto(new URL("/settings", world.url()).href)
    await expect(page.getByText(banner)).toBeVisible()
    await page.getByRole("button", { name: "Add token…" }).click()
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("laptop")
    await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click()
    await expect(page.getByRole("dialog").getByText(refused)).toBeVisible()

    expect(readFileSync(world.place.config, "utf8")).toBe(before)
    const [grants, sessions, tokens] = await Promise.all([
      world.people.listGrants(),
      world.people.listSessions(),
      world.people.listTokens(),
    ])
    expect(grants.ok && grants.value.items.length).toBe(1)
    expect(sessions.ok && sessions.value.items.map(({ mode }) => mode)).toEqual(["ask"])
    expect(tokens.ok && tokens.value.items.filter(({ kind }) => kind === "agent")).toEqual([])
  },
)
