/** What a card can have done besides an answer: it says that it is under way, and is done once, however often it is pressed. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "@playwright/test"
import { answerCall } from "../../api/answer-call.ts"
import { legacyAgent } from "../../api/legacy-agent.ts"
import { answer, bar, dialog, fileIn, waiting } from "../fixtures/deciding.ts"
import { soon, waitingCall } from "../fixtures/past-calls.ts"
import { everything, talkativeAgent } from "../fixtures/talkative-agent.ts"
import { alsoAtNight, atNight, expect, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import { askForPin, linksForAnna, signInWithoutPin, signInWithPin } from "../fixtures/with-pin.ts"
import type { World } from "../fixtures/world.ts"

/** A server that dies of a call: whether that was carried out nobody can tell. */
const mortal = `  odd:
    command: ${process.execPath}
    args: [${fileURLToPath(new URL("../../terminal/programs/odd-server.ts", import.meta.url))}, ../calls]
    cwd: workspace`

test.use({
  options: {
    servers: `${everything}\n${mortal}`,
    policy: 'policy:\n  rules:\n    - allow: "everything"\n',
  },
})

/** Requests that this part of the API gets, each of which waits until it is let go. */
async function heldBack(page: Page, path: string) {
  const requests: string[] = []
  const free = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    requests.push(route.request().url())
    await free.promise
    await route.continue()
  })
  return { requests, letGo: () => free.resolve() }
}

test("a new tool is accepted once, and the button says so meanwhile", async ({ page, world }) => {
  const { client } = await talkativeAgent(world)
  // Only clients that lend their model are offered it: to the service it is a tool that was not there before.
  void client
    .callTool({ name: "trigger-sampling-request", arguments: { prompt: "Hello.", maxTokens: 9 } })
    .catch(() => null)
  const { id } = await waitingCall(world)
  await world.signIn(page, `/?open=${id}`)
  const section = page.getByRole("region", { name: "New tool" })
  const { requests, letGo } = await heldBack(page, "**/api/pins/accept")
  await section.getByRole("button", { name: "Accept tool" }).dblclick()
  const busy = section.getByRole("button", { name: "Accepting…" })
  await expect(busy).toBeDisabled()
  await expectAccessibleAtNight(page)
  letGo()
  await expect(section).toBeHidden()
  expect(requests).toHaveLength(1)
})

for (const { place, path } of alsoAtNight(
  [{ place: "its card", path: (id: string) => `/?open=${id}` }],
  [{ place: "its story", path: (id: string) => `/activity/${id}` }],
))
  test(`a call of which nobody knows the outcome is allowed anew once from ${place}, and runs when it is made again`, async ({
    page,
    world,
  }) => {
    const agent = await world.agent("odd")
    const asked = agent.call("die")
    const { id } = await waitingCall(world)
    await answerCall(world.people, id, { kind: "approve" })
    expect((await asked).isError).toBe(true)
    await world.signIn(page, path(id))
    const card = page.getByRole("article")
    await expect(card.getByText("Outcome unknown", { exact: true })).toBeVisible()
    await expect(card).toContainText("it may happen twice")
    const { requests, letGo } = await heldBack(page, "**/api/approvals/*/rerun")
    await card.getByRole("button", { name: "Run again" }).dblclick()
    await expect(card.getByRole("button", { name: "Allowing…" })).toBeDisabled()
    letGo()
    await expect(card).toHaveAttribute("data-status", "approved")
    await expect(card).toContainText("waiting for the agent to come back")
    await expect(card).toContainText("This repeats a call whose outcome is unknown.")
    expect(requests).toHaveLength(1)
    expect(page.url()).not.toContain(id)
  })

test.describe("with a PIN", () => {
  test.use({ options: {}, newWorld: true, signsIn: true })

  /** Two browsers of one person: the first is signed in without the PIN, the second with it. */
  async function withAndWithoutPin(page: Page, other: Page, world: World): Promise<void> {
    const link = await signInWithoutPin(page, world)
    await signInWithPin(other, link)
    await other.getByRole("navigation").first().waitFor()
  }

  const at = (world: World, path: string) => new URL(path, world.url()).href
  const happened = (page: Page) => page.getByRole("region", { name: "What happened" })
  const story = (page: Page) => page.getByRole("list").filter({ hasText: "It needs approval" }).getByRole("listitem")

  test(
    "an approved call whose agent went away is run once by a reviewer who is present, and the agent's repeat gets the result",
    atNight,
    async ({ page, otherPage: present, world }) => {
      await withAndWithoutPin(page, present, world)
      const agent = await legacyAgent(`${world.url()}/mcp/files`)
      const file = fileIn(world, "a.txt")
      const args = { path: file, content: "Hello." }
      const gone = new AbortController()
      const asked = agent.call("write_file", args, gone.signal).catch(() => null)
      const { id } = await waitingCall(world)
      gone.abort()
      await asked
      await expect.poll(async () => (await waitingCall(world)).callerWaits, soon).toBe(false)
      await present.goto(at(world, `/?open=${id}`))
      await answer(present, "Allow once").click()
      const card = present.getByRole("article")
      await expect(card).toContainText("Approved, waiting for the agent to come back")
      expect(existsSync(file)).toBe(false)

      await page.goto(at(world, "/"))
      await page.getByRole("group").filter({ hasText: "Approved, not run yet" }).getByRole("button").click()
      await happened(page).getByRole("button", { name: "Run it now" }).click()
      await expect(page.getByText(/needs your PIN/).first()).toBeVisible()
      expect(existsSync(file)).toBe(false)

      const { requests, letGo } = await heldBack(present, "**/api/approvals/*/run-now")
      await happened(present).getByRole("button", { name: "Run it now" }).dblclick()
      await expect(happened(present).getByRole("button", { name: "Running…" })).toBeDisabled()
      letGo()
      await expect(happened(present)).toContainText("anna had it run while the agent was away.")
      await expect(happened(present)).toContainText("The agent has not received the result yet")
      await expect(card).toHaveAttribute("data-status", "succeeded")
      await expect(happened(present).getByRole("button", { name: "Run it now" })).toHaveCount(0)
      expect(requests).toHaveLength(1)
      expect(readFileSync(file, "utf8")).toBe("Hello.")

      expect(await agent.call("write_file", args)).toContain("A reviewer had this call run while you were away")
      expect(await waiting(world)).toEqual([])
      await present.goto(at(world, `/activity/${id}`))
      await expect(story(present)).toContainText([
        "called files(write_file). It needs approval.",
        "anna allowed it.",
        "anna had it run; no agent was waiting for it.",
        "The tool succeeded.",
        "The agent received the result.",
      ])
      await expect(story(present).filter({ hasText: "The call was sent to files." })).toHaveCount(1)
    },
  )

  test(
    "a file is put back once by a call of its own, of a reviewer who is present, and nothing else is put back over it",
    atNight,
    async ({ page, world }) => {
      const [link = ""] = await linksForAnna(world, 1)
      await askForPin(world)
      await signInWithPin(page, link)
      await page.getByRole("navigation").first().waitFor()
      const file = join(world.workspace, "notes.txt")
      const before = readFileSync(file, "utf8")
      const agent = await world.agent()
      const result = agent.call("write_file", { path: file, content: "Buy bread.\n" })
      const { id } = await waitingCall(world)
      await page.goto(at(world, `/?open=${id}`))
      await expect(page.getByRole("region", { name: "Changes", exact: true })).toContainText("2 lines removed")
      await answer(page, "Allow once").click()
      expect((await result).isError ?? false).toBe(false)
      await expect(bar(page)).toBeHidden()
      expect(readFileSync(file, "utf8")).toBe("Buy bread.\n")

      const open = () => happened(page).getByRole("button", { name: "Put it back…" }).click()
      const putBack = dialog(page).getByRole("button", { name: "Put it back" })
      await open()
      await expect(dialog(page)).toContainText("recorded in your name")
      await expect(dialog(page)).toContainText("Buy milk.")
      await expectAccessibleAtNight(page)
      const { requests, letGo } = await heldBack(page, "**/api/approvals/*/undo")
      await putBack.dblclick()
      await expect(dialog(page).getByRole("button", { name: "Putting it back…" })).toBeDisabled()
      letGo()
      await expect(dialog(page)).toBeHidden()
      await expect(happened(page)).toContainText("anna had the file put back.")
      await expect(page.getByRole("region", { name: "Put back" })).toContainText(id)
      expect(requests.filter((url) => url.endsWith("/undo"))).toHaveLength(1)
      expect(readFileSync(file, "utf8")).toBe(before)

      await page.goto(at(world, "/activity"))
      const calls = page.getByRole("region", { name: "Calls" }).getByRole("listitem").filter({ hasText: "write_file" })
      await expect(calls).toHaveCount(2)
      await calls.first().getByRole("link").first().click()
      await expect(story(page)).toContainText([
        "anna puts a file back as it was before another call changed it, with files(write_file).",
        "anna allowed it.",
        "The call was sent to files. anna had it run",
        "The tool succeeded.",
      ])

      await page.goto(at(world, `/?open=${id}`))
      await open()
      await expect(dialog(page)).toContainText("The file holds its former content already.")
      await expect(putBack).toHaveCount(0)
      expect(readFileSync(file, "utf8")).toBe(before)
    },
  )
})
