/** What a card can have done besides an answer: it says that it is under way, and is done once, however often it is pressed. */
import { fileURLToPath } from "node:url"
import type { Page } from "@playwright/test"
import { answerCall } from "../api/answer-call.ts"
import { waitingCall } from "./fixtures/past-calls.ts"
import { everything, talkativeAgent } from "./fixtures/talkative-agent.ts"
import { expect, expectAccessible, test } from "./fixtures/test.ts"

/** A server that dies of a call: whether that was carried out nobody can tell. */
const mortal = `  odd:
    command: ${process.execPath}
    args: [${fileURLToPath(new URL("../terminal/programs/odd-server.ts", import.meta.url))}, ../calls]
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
  await expectAccessible(page)
  letGo()
  await expect(section).toBeHidden()
  expect(requests).toHaveLength(1)
})

for (const { place, path } of [
  { place: "its card", path: (id: string) => `/?open=${id}` },
  { place: "its story", path: (id: string) => `/activity/${id}` },
])
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
