/** The editor of the policy: suggestions, marks, keys, and the text area in its place. */
import { editorOf, saved, textOf, withRule } from "../fixtures/policy-page.ts"
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"

/** The editor takes no key for the first moments of a suggestion: nobody accepts what they have not seen. */
async function someFrames(): Promise<void> {
  for (let left = 10; left > 0; left--) await new Promise((resolve) => requestAnimationFrame(resolve))
}

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
