/** A thread as a file: exported, recorded and played again. */
import { readFileSync } from "node:fs"
import { allow, begin, card, cards, field, messages, say, test, wroteIn } from "../fixtures/chatting.ts"
import { sizes } from "../fixtures/look.ts"
import { expect, expectAccessibleAtNight, expectAccessibleInBoth } from "../fixtures/test.ts"

test("R190, R191, R192, R194, R204: a thread is recorded once nothing waits, and played in the page without the service", async ({
  page,
  world,
}) => {
  await begin(page, world, "write one file")
  await expect(cards(page)).toHaveCount(1)
  const more = page.getByRole("button", { name: "More for this thread" })
  const record = page.getByRole("menuitem", { name: "Save a recording" })
  await more.click()
  await expect(record).toBeDisabled()
  await page.keyboard.press("Escape")
  await allow(page, "one.txt").click()
  await expect(messages(page).getByText("Now it is there.")).toBeVisible()
  await more.click()
  const saving = page.waitForEvent("download")
  await record.click()
  const path = await (await saving).path()
  const text = readFileSync(path, "utf8")
  expect(text).toContain('"call.asked"')
  expect(text.trimEnd().split("\n").at(-1)).toBe('{"end":{"status":"finished"}}')

  const asked: string[] = []
  page.on("request", (request) => {
    if (/\/api\/(?:runs|approvals)/.test(request.url()) && request.method() !== "GET") asked.push(request.url())
  })
  await page.getByLabel("Recording to play").setInputFiles(path)
  const controls = page.getByRole("region", { name: "Recording" })
  await expect(controls).toContainText("This call waited for a decision here")
  await expect(card(page, "one.txt")).toBeVisible()
  await expectAccessibleInBoth(page)
  await card(page, "one.txt").getByRole("button", { name: /^Deny/ }).first().click()
  await expect(controls).toContainText("In the recording this call was allowed")
  await expect(messages(page).getByText("Now it is there.")).toBeVisible()
  await expect(controls).toContainText("The recording is over.")
  await expect(page.getByRole("list", { name: "Calls" })).toContainText("A reviewer allowed it.")
  await page.setViewportSize(sizes.phone)
  await expectAccessibleAtNight(page)
  await controls.getByRole("button", { name: "Start over" }).click()
  await expect(card(page, "one.txt")).toBeVisible()
  expect(asked).toEqual([])
  await controls.getByRole("button", { name: "Close the recording" }).click()
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible()
  expect(wroteIn(world, "one.txt")).toBe(true)
})

test("a file that is no recording says why it cannot be played", async ({ page, world }) => {
  await world.signIn(page, "/chat")
  const file = { name: "notes.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from("{}\n") }
  await page.getByLabel("Recording to play").setInputFiles([file])
  await expect(page.getByText("It does not begin like a recording of Byleave.")).toBeVisible()
})

test("R84, R85: an exported thread has a block per request with everything of it, and no configured secret", async ({
  page,
  world,
}) => {
  await begin(page, world, "write one file; the key is hush-hush-hush-42")
  await expect(cards(page)).toHaveCount(1)
  const save = async (name: string): Promise<string> => {
    await page.getByRole("button", { name: "More for this thread" }).click()
    const saving = page.waitForEvent("download")
    await page.getByRole("menuitem", { name }).click()
    return readFileSync(await (await saving).path(), "utf8")
  }
  const text = await save("Export as JSON")
  expect(text).not.toContain("hush-hush")
  const json = JSON.parse(text)
  const block = json.messages[1].blocks.find(({ type }: { type: string }) => type === "tool_call_permission")
  expect(block).toMatchObject({
    status: "pending",
    tool_call: { server_name: "files", server_icons: "", server_description: expect.stringContaining("stdio: ") },
    extra: { permissionType: "write", serverName: "files", toolName: "write_file", needsUserAction: true },
  })
  const markdown = await save("Export as Markdown")
  expect(markdown).toMatch(/\n\n## You\n\n> write one file; the key is [^\n]+\n\n## writer\n/)
  expect(markdown).not.toContain("hush-hush")
})

test("a picture goes to a model that takes pictures, and stands in the thread; another model says that it takes none", async ({
  page,
  world,
  provider,
}) => {
  await world.signIn(page, "/chat")
  await expect(page.getByText("What should the agent do?")).toBeVisible()
  const picture = { name: "page.png", mimeType: "image/png", buffer: await page.screenshot() }
  const choose = page.getByLabel("Files to attach")
  await choose.setInputFiles([picture])
  await expect(page.getByText("page.png is a picture, and the model that is chosen takes none.")).toBeVisible()
  const model = page.getByRole("combobox", { name: "Model" })
  await model.selectOption("remote")
  await choose.setInputFiles([picture])
  const attached = page.getByRole("list", { name: "Attached files" })
  await expect(attached).toContainText("page.png")
  await model.selectOption("writer")
  await expect(page.getByText("The model that is chosen takes no pictures.")).toBeVisible()
  await expectAccessibleAtNight(page)
  await model.selectOption("remote")
  provider.next({ kind: "answer", say: "A page of Byleave." })
  await say(page, "what is this?")
  await expect(messages(page).getByText("A page of Byleave.")).toBeVisible()
  const shown = messages(page).getByRole("img", { name: "page.png", exact: true })
  await expect(shown).toBeVisible()
  await expect(attached).toHaveCount(0)
  const sent = JSON.stringify(provider.requests.at(-1)?.body)
  expect(sent).toMatch(/"image_url":\{"url":"data:image\/(?:png|jpeg);base64,[A-Za-z0-9+/]{100}/)
  await page.reload()
  await expect(shown).toBeVisible()
  await messages(page).getByRole("button", { name: "Edit and send again" }).click()
  await expect(field(page)).toHaveValue("what is this?")
  await expect(attached).toContainText("page.png")
  await field(page).fill("")
  await attached.getByRole("button", { name: "Remove page.png" }).click()
  expect(await shown.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(100)
  await expectAccessibleAtNight(page)
})
