import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Page } from "@playwright/test"
import { answerCall } from "../../api/answer-call.ts"
import {
  atNight,
  expect,
  expectAccessible,
  expectAccessibleAtNight,
  expectAccessibleInBoth,
  test,
} from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

const editorOf = (page: Page) => page.getByRole("textbox", { name: "byleave.yaml" })
const saved = (world: World) => readFileSync(world.place.config, "utf8")
const args = (world: World) => ({ path: join(world.workspace, "drafts", "a.txt"), content: "Hello." })

/** Puts a rule below the last one of the file the world begins with. */
const withRule = (text: string, rule: string) =>
  text.replace('    - allow: "files(list_*)"\n', `    - allow: "files(list_*)"\n    - ${rule}\n`)

/** Reads the text that the editor shows, as long as all of its lines are near enough to be drawn. */
const textOf = (page: Page) =>
  editorOf(page).evaluate((area) => [...area.querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"))

async function type(page: Page, change: (text: string) => string): Promise<void> {
  await editorOf(page).fill(change(await textOf(page)))
}

/** The editor takes no key for the first moments of a suggestion: nobody accepts what they have not seen. */
async function someFrames(): Promise<void> {
  for (let left = 10; left > 0; left--) await new Promise((resolve) => requestAnimationFrame(resolve))
}

async function waitingIds(world: World): Promise<readonly string[]> {
  const waiting = await world.people.listApprovals({ query: { status: "pending" } })
  return waiting.ok ? waiting.value.items.map(({ id }) => id) : []
}

async function answerAll(world: World, kind: "approve" | "deny"): Promise<number> {
  const ids = await waitingIds(world)
  for (const id of ids) await answerCall(world.people, id, { kind })
  return ids.length
}

/** Allows the creation of these folders, each asked for in a session of its own. */
async function allowInSessions(world: World, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const agent = await world.agent()
    const held = agent.call("create_directory", { path: join(world.workspace, "drafts", name) })
    await expect.poll(() => answerAll(world, "approve")).toBe(1)
    await held
  }
}

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

test("the editor suggests what the schema has, explains it, and marks a wrong word where it is", async ({
  page,
  world,
}) => {
  const refused: string[] = []
  page.on("console", (message) => /security policy|trusted/i.test(message.text()) && refused.push(message.text()))
  await world.signIn(page, "/policy")
  const before = saved(world)
  const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option")
  const line = (words: string) => editorOf(page).locator(".cm-line", { hasText: words })
  await line("files(list_*)").click()
  await page.keyboard.press("End")
  await page.keyboard.press("Enter")
  await page.keyboard.type("ac")
  await expect(options).toHaveText(["access"])
  await expect(page.getByText("Only tools that read, only tools that write, or all.")).toBeVisible()
  await expectAccessibleAtNight(page)
  await page.evaluate(someFrames)
  await page.keyboard.press("Enter")
  await expect(options).toHaveText(["read", "write", "all"])
  await options.getByText("write").click()
  await expect(line("access")).toHaveText("      access: write")
  await line("rules:").getByText("rules").hover()
  await expect(page.getByRole("tooltip")).toContainText("hide beats deny")
  await page.keyboard.press("Escape")
  await expect(page.getByRole("tooltip")).toBeHidden()
  await page.keyboard.press("Home")
  await page.keyboard.press("F1")
  await expect(page.getByRole("tooltip")).toContainText("One of read, write, all")
  await page.getByRole("button", { name: "Discard changes" }).click()
  await expect(line("access")).toBeHidden()

  await line("files(list_*)").click()
  await page.keyboard.press("End")
  await page.keyboard.press("Enter")
  await page.keyboard.press("Backspace")
  await page.keyboard.type('- alow: "files(write_?ile)"')
  const number = (await textOf(page)).split("\n").findIndex((each) => each.includes("alow")) + 1
  await page
    .getByRole("button", { name: new RegExp(`Line ${number} `) })
    .first()
    .click()
  await expect(editorOf(page)).toBeFocused()
  const caret = await editorOf(page).evaluate((area) => {
    const root = area.getRootNode() as ShadowRoot & Pick<Document, "getSelection">
    return root.getSelection()?.anchorNode?.parentElement?.closest(".cm-line")?.textContent
  })
  expect(caret).toContain("alow")
  await expect(editorOf(page).locator(".problem-error").first()).toHaveText("alow")
  await expect(editorOf(page)).toHaveAttribute("aria-invalid", "true")
  await line("alow").getByText("alow").hover()
  await expect(page.getByRole("tooltip")).toContainText("alow")
  await expectAccessible(page)
  await page.keyboard.press("Control+s")
  await expect(page.getByRole("heading", { name: "Review changes" })).toBeFocused()
  await expect(page.getByText("has errors and cannot be saved")).toBeVisible()
  await expect(page.getByRole("button", { name: "Save and apply" })).toBeDisabled()
  expect(saved(world)).toBe(before)
  expect(refused).toEqual([])
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

test(
  "Tab leaves the text, until somebody chooses that it indents; Escape then lets it leave again",
  atNight,
  async ({ page, world }) => {
    await world.signIn(page, "/policy")
    const before = await textOf(page)
    await editorOf(page).focus()
    await page.keyboard.press("Tab")
    await expect(editorOf(page)).not.toBeFocused()
    await page.getByLabel("Tab key indents").check()
    await editorOf(page).focus()
    await page.keyboard.press("Control+Home")
    await page.keyboard.press("Tab")
    expect(await textOf(page)).toBe(`  ${before}`)
    await expect(editorOf(page)).toBeFocused()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Tab")
    await expect(editorOf(page)).not.toBeFocused()
  },
)

test("a change of the file that widens waits, and the page leads to it", async ({ page, world }) => {
  await world.signIn(page, "/policy")
  await expect(editorOf(page)).toBeVisible()
  world.place.write(withRule(saved(world), 'allow: "files(write_file)"'))
  await page.getByRole("link", { name: "Review change" }).click()
  await expect(page).toHaveURL(/\/\?open=/)
  const texts = page.getByRole("table", { name: "Accepted and current configuration" })
  await expect(texts.getByRole("row", { name: 'added: - allow: "files(write_file)"' })).toBeVisible()
  await expectAccessibleAtNight(page)
})

test("what was denied and still stands in the file is said not to be in force", atNight, async ({ page, world }) => {
  await world.signIn(page, "/policy")
  await expect(editorOf(page)).toBeVisible()
  await expect(page.getByText("Saved", { exact: true })).toBeVisible()
  world.place.write(withRule(saved(world), 'allow: "files(write_file)"'))
  await page.getByRole("link", { name: "Review change" }).click()
  const answers = page.getByRole("region", { name: "Your decision" })
  await expect(answers).toContainText("in effect until the file changes again")
  await expect(answers.getByRole("button", { name: "Allow takes effect now" }).first()).toBeEnabled()
  await answers.getByRole("button", { name: "Deny nothing happens" }).first().click()
  await expect(page.getByRole("article")).toContainText("Denied")
  await page.getByRole("link", { name: "Policy" }).first().click()
  await expect(page.getByText("Not all of this is in effect")).toBeVisible()
  await expect(page.getByText("Saved; not all of it is in effect")).toBeVisible()
  await expectAccessibleAtNight(page)
})

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
  await expect(offer).toContainText(
    `path is directly in ${join(world.workspace, "drafts")} and no argument looks sensitive`,
  )
  await offer.getByRole("button", { name: "Make it a rule" }).click()
  await expect(offer).toContainText("Rule added. It applies to later calls; this one still needs your answer.")
  expect(saved(world)).toContain("directlyIn")
  await offer.getByRole("button", { name: "Undo" }).click()
  await expect(offer.getByRole("button", { name: "Make it a rule" })).toBeVisible()
  expect(saved(world)).toBe(before)
  await answerAll(world, "deny")
  await held
})

test(
  "without the editor's program there is a text area: on a phone a long line goes on below itself, beside its number",
  atNight,
  async ({ page, world }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.route("**/assets/open-code-editor-*.js", (route) => route.abort())
    await world.signIn(page, "/policy")
    await expect(page.getByRole("code").filter({ hasText: "anonymous: true" })).toBeVisible()
    const long = "One word and another, so that this reason is far longer than a phone is wide. ".repeat(3)
    const text = await editorOf(page).inputValue()
    await editorOf(page).fill(withRule(text, `deny: "files(move_file)"\n      reason: ${long}`))
    const [hidden, typed, numbered] = await editorOf(page).evaluate((area: HTMLTextAreaElement) => {
      const lines = area.parentElement?.querySelector("ol")?.offsetHeight ?? 0
      const sideways = area.scrollWidth - area.clientWidth
      area.style.height = "0"
      return [sideways, area.scrollHeight, lines]
    })
    expect(hidden).toBe(0)
    expect(numbered).toBe(typed)
    await expectAccessibleAtNight(page)
  },
)

test.describe("with templates in use", () => {
  test.use({ newWorld: true })

  test("the page shows the rules that templates bring along, and what an own template widens waits (R34, R35)", async ({
    page,
    world,
  }) => {
    const team = join(dirname(world.place.config), "team.yaml")
    writeFileSync(team, 'version: 1\npolicy:\n  rules:\n    - ask: "files(move_file)"\n      remember: never\n')
    world.place.write(
      saved(world).replace("policy:\n", "policy:\n  use: [ask-for-writes, { filesystem: files }, ./team.yaml]\n"),
    )
    await expect.poll(() => answerAll(world, "approve")).toBe(1)
    await world.signIn(page, "/policy")
    const sheet = page.locator("section", { hasText: "Rules from templates" })
    await expect(sheet.getByRole("group")).toHaveCount(3)
    await sheet.getByText("./team.yaml").click()
    await expect(sheet.getByRole("listitem").filter({ hasText: "files(move_file)" }).first()).toBeVisible()
    await expect(sheet.getByRole("group").filter({ hasText: "./team.yaml" })).toContainText("1 rule")
    await expectAccessibleAtNight(page)

    writeFileSync(team, 'version: 1\npolicy:\n  rules:\n    - allow: "files(move_file)"\n')
    await page.getByRole("link", { name: "Review change" }).click()
    await expect(page.getByRole("main")).toContainText("files(move_file)")
  })
})
