/** The policy is edited, reviewed and saved. */
import { join } from "node:path"
import { answerAll, editorOf, saved, type, withRule } from "../fixtures/policy-page.ts"
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

const args = (world: World) => ({ path: join(world.workspace, "drafts", "a.txt"), content: "Hello." })

test.describe("after one call that was denied", () => {
  test.use({ newWorld: true })

  test("a widening is reviewed, saved, and decides the next call", async ({ page, world }) => {
    const agent = await world.agent()
    const held = agent.call("write_file", args(world))
    await expect.poll(() => answerAll(world, "deny")).toBe(1)
    expect((await held).isError).toBe(true)
    await world.signIn(page, "/policy")
    await type(page, (text) => withRule(text, 'allow: "files(write_file)"'))
    await page.getByRole("button", { name: "Review changes" }).click()
    const widens = page.getByRole("region", { name: "Allows more" })
    await expect(widens).toContainText("files(write_file)")
    await expect(page.getByRole("region", { name: "Restricts" })).toBeHidden()
    const tools = page.locator("section", { hasText: "Tools that change outcome" }).getByRole("listitem")
    await expect(tools.filter({ hasText: "files(write_file)" }).first()).toContainText(
      /Needs approval.*becomes.*Allowed/,
    )
    const past = page.getByRole("link", { name: "files(write_file)" })
    await expect(past).toHaveAttribute("href", /^\/activity\/.+/)
    const calls = page.locator("section", { hasText: "Past calls with a different outcome" }).getByRole("listitem")
    await expect(calls.filter({ has: past })).toContainText(/path: .*A person denied it/)
    await expect(page.getByRole("table", { name: "Text changes" })).toContainText("added: ")
    await expectAccessible(page)
    await page.getByRole("button", { name: "Save and allow more" }).click()
    await expect(page.getByText("Saved and in effect.")).toBeVisible()
    expect(saved(world)).toContain('- allow: "files(write_file)"')
    expect((await agent.call("write_file", args(world))).isError ?? false).toBe(false)
  })
})

test("two people save at once: both are shown, and nothing that was typed is lost", async ({ page, world }) => {
  await world.signIn(page, "/policy")
  await type(page, (text) => withRule(text, 'deny: "files(move_file)"'))
  await page.getByRole("button", { name: "Review changes" }).click()
  const current = await world.people.getPolicyText()
  if (!current.ok || current.value.text === null) throw new Error("there is no text")
  const theirs = withRule(current.value.text, 'deny: "files(edit_file)"')
  const other = await world.people.savePolicy({ body: { text: theirs, version: current.value.version } })
  expect(other.ok).toBe(true)
  await expect(page.getByRole("heading", { name: "Someone else saved this file" })).toBeVisible()
  await expect(page.getByRole("table", { name: "Their changes" })).toContainText("files(edit_file)")
  await expect(page.getByRole("table", { name: "Your changes" })).toContainText("files(move_file)")
  await expectAccessibleAtNight(page)
  await page.getByRole("button", { name: "Use theirs, keep mine aside" }).click()
  await expect(editorOf(page)).toContainText(/files\(edit_file\)/)
  await expect(page.getByRole("table", { name: "Differences from the text above" })).toContainText("files(move_file)")
  await type(page, (text) => withRule(text, 'deny: "files(move_file)"'))
  await page.getByRole("button", { name: "Review changes" }).click()
  await page.getByRole("button", { name: "Save and apply" }).click()
  await expect(page.getByText("Saved and in effect.")).toBeVisible()
  expect(saved(world)).toContain("files(edit_file)")
  expect(saved(world)).toContain("files(move_file)")
})

test(
  "a save that meets another page's loses nothing: both texts are shown, and ours can follow theirs",
  atNight,
  async ({ page, otherPage: other, world }) => {
    await world.signIn(page, "/policy")
    await type(page, (text) => withRule(text, 'deny: "files(move_file)"'))
    await page.getByRole("button", { name: "Review changes" }).click()
    await expect(page.getByRole("region", { name: "Restricts" })).toContainText("files(move_file)")
    // What the other page saves is heard of late here, so that the answer to our own saving tells it first.
    let hear = (): void => {}
    const heard = new Promise<void>((resolve) => {
      hear = resolve
    })
    await page.route("**/api/policy/text", async (route) => {
      if (route.request().method() === "GET") await heard
      await route.continue()
    })
    await world.signIn(other, "/policy")
    await type(other, (text) => withRule(text, 'deny: "files(edit_file)"'))
    await other.getByRole("button", { name: "Review changes" }).click()
    await other.getByRole("button", { name: "Save and apply" }).click()
    await expect(other.getByText("Saved and in effect.")).toBeVisible()
    const refused = page.waitForResponse((response) => response.request().method() === "PUT")
    await page.getByRole("button", { name: "Save and apply" }).click()
    expect((await refused).status()).toBe(409)
    await expect(page.getByRole("alert").filter({ hasText: "Not saved" })).toBeVisible()
    await expect(editorOf(page)).toContainText(/files\(move_file\)/)
    hear()
    await expect(page.getByRole("table", { name: "Their changes" })).toContainText("files(edit_file)")
    await page.getByRole("button", { name: "Use mine, replace theirs" }).click()
    await page.getByRole("button", { name: "Review changes" }).click()
    await expect(page.getByRole("table", { name: "Text changes" })).toContainText(/removed: .*edit_file/)
    expect(saved(world)).toContain("files(edit_file)")
    expect(saved(world)).not.toContain("files(move_file)")
  },
)

test("a file that somebody breaks takes no typed text away, and says what is wrong", async ({ page, world }) => {
  await world.signIn(page, "/policy")
  await type(page, (text) => withRule(text, 'deny: "files(move_file)"'))
  const good = saved(world)
  world.place.write(withRule(good, 'alow: "files(write_file)"'))
  await page.getByRole("button", { name: "Review changes" }).click()
  await expect(page.getByText("This policy cannot be edited here")).toBeVisible()
  await expect(page.getByRole("region", { name: "Problems in byleave.yaml" })).toContainText(/Line \d+: alow/)
  await expect(page.getByText("Your text is kept here.")).toBeVisible()
  await expect(editorOf(page)).toContainText(/files\(move_file\)/)
  await expect(page.getByRole("button", { name: "Review changes" })).toBeDisabled()
  await expectAccessibleAtNight(page)
  world.place.write(good)
  await page.getByRole("button", { name: "Check again" }).click()
  await page.getByRole("button", { name: "Review changes" }).click()
  await page.getByRole("button", { name: "Save and apply" }).click()
  await expect(page.getByText("Saved and in effect.")).toBeVisible()
  expect(saved(world)).toBe(withRule(good, 'deny: "files(move_file)"'))
})

test.describe("with a secret in the file, and the line ends of Windows", () => {
  const secret = "kW7vRq2LxT9sB4nZ"
  const notes = `  notes:
    command: node
    args: [../servers/memory.js]
    cwd: workspace
    env: { MEMORY_FILE_PATH: ../notes.jsonl, API_TOKEN: ${secret} }`
  test.use({ options: { servers: notes } })

  test("a saving puts neither masks nor other line ends into the file", async ({ page, world }) => {
    const file = saved(world).replaceAll("\n", "\r\n")
    world.place.write(file)
    await world.signIn(page, "/policy")
    await expect(editorOf(page)).toContainText(/API_TOKEN: ‹secret-1-of-16-characters›/)
    await expect(page.getByText("Secrets in this file are masked.")).toBeVisible()
    await type(page, (text) => withRule(text, 'deny: "files(move_file)"'))
    await page.getByRole("button", { name: "Review changes" }).click()
    await expect(page.getByRole("table", { name: "Text changes" })).toContainText("added: ")
    await page.getByRole("button", { name: "Save and apply" }).click()
    await expect(page.getByText("Saved and in effect.")).toBeVisible()
    const rule = '    - allow: "files(list_*)"\r\n'
    expect(saved(world)).toBe(file.replace(rule, `${rule}    - deny: "files(move_file)"\r\n`))
    expect(await page.content()).not.toContain(secret)
  })
})

test("unsaved text is not left behind without a question", async ({ page, world }) => {
  await world.signIn(page, "/policy")
  await type(page, (text) => `${text}# a note\n`)
  await page.getByRole("link", { name: "Permissions" }).first().click()
  await page.getByRole("button", { name: "Keep editing" }).click()
  await expect(editorOf(page)).toContainText(/# a note/)
  await page.getByRole("link", { name: "Permissions" }).first().click()
  await page.getByRole("button", { name: "Discard and leave" }).click()
  await expect(page.getByRole("heading", { name: "Permissions", level: 1 })).toBeVisible()
})
