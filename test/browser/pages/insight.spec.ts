import type { Page } from "@playwright/test"
import { answerCall } from "../../api/answer-call.ts"
import { makePastCalls, pastPolicy, waitingCall } from "../fixtures/past-calls.ts"
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

test.use({ options: { policy: pastPolicy, hasPast: true } })

test("R150: the plots count what happened, in words and as tables", async ({ page, world }) => {
  await world.signIn(page, "/insight")
  await expect(page.getByText("6 calls in the last 24 hours; 3 of them (50%) needed approval.")).toBeVisible()
  const asked = page.getByRole("region", { name: "Most reviewed", exact: true })
  await expect(asked.getByRole("link", { name: /files\(write_file\)/ })).toContainText("1 allowed, 1 denied")
  await expect(asked.getByRole("link", { name: /files\(create_directory\)/ })).toContainText("1 no decision")
  await expect(
    page.getByRole("region", { name: "Decisions by reviewer", exact: true }).getByRole("link"),
  ).toContainText("1 allowed, 1 denied")
  await expect(page.getByText(/(?:Nearly all|Half of the) decisions took less than/)).toBeVisible()

  const byDecision = page.getByRole("region", { name: "Calls by decision", exact: true })
  await byDecision.getByText("As a table").click()
  await expect(byDecision.getByRole("columnheader")).toHaveText([
    "Time",
    "Allowed",
    "Needed approval",
    "Denied",
    "Hidden",
  ])
  await expectAccessible(page)
})

test("a bar is reached and read by keyboard, and leads to its calls", async ({ page, world }) => {
  await world.signIn(page, "/insight")
  // The calls may lie on both sides of a full hour: then the last bar holds some of them.
  const bar = page.getByRole("group", { name: "Calls by decision" }).getByRole("link").last()
  await expect(bar).toHaveAccessibleName(/^\w+ \d\d:00–\d\d:00: \d+ \w+/)
  const said = (await bar.getAttribute("aria-label"))?.split(": ")[1] ?? ""
  const count = [...said.matchAll(/\d+/g)].reduce((sum, [number]) => sum + Number(number), 0)
  await bar.focus()
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(/\/activity\?since=\d+&until=\d+/)
  await expect(rowsOf(page)).toHaveCount(count)
})

const rowsOf = (page: Page) => page.getByRole("region", { name: "Calls" }).getByRole("listitem")

/** Allowed while its caller is away: it was answered, and has not run. */
async function approveForNobody(world: World): Promise<void> {
  const agent = await world.agent("files", "gone-agent")
  const left = agent.call("write_file", { path: "left.txt", content: "" }).catch(() => undefined)
  const { id } = await waitingCall(world)
  await agent.close()
  await left
  const verdict = await answerCall(world.people, id, { kind: "approve" })
  if (!verdict.ok) throw new Error(verdict.problem.detail)
}

test.describe("before a service that nobody has used", () => {
  test.use({ options: { policy: pastPolicy }, newWorld: true })

  test("R150: every number of every plot leads to exactly so many calls", atNight, async ({ page, world }) => {
    await makePastCalls(world)
    await approveForNobody(world)
    await world.signIn(page, "/insight")
    const plots = [
      "Calls by decision",
      "Time to decide",
      "Most reviewed",
      "Decisions by reviewer",
      "Why calls did not run",
    ]
    const numbers: { readonly plot: string; readonly count: number; readonly href: string }[] = []
    for (const plot of plots) {
      const region = page.getByRole("region", { name: plot, exact: true })
      await region.getByText("As a table").click()
      for (const link of await region.getByRole("table").getByRole("link").all()) {
        numbers.push({ plot, count: Number(await link.innerText()), href: (await link.getAttribute("href")) ?? "" })
      }
    }
    const total = (plot: string) =>
      numbers.filter((one) => one.plot === plot).reduce((sum, { count }) => sum + count, 0)
    expect(plots.map(total)).toEqual([7, 3, 4, 3, 4])
    for (const { plot, count, href } of numbers) {
      await page.goto(new URL(href, world.url()).href)
      await expect(rowsOf(page), `${plot}: ${href}`).toHaveCount(count)
    }
  })

  test("a time without calls says so, and how to look further back", atNight, async ({ page, world }) => {
    await world.signIn(page, "/insight?range=week")
    await expect(page.getByText("No calls in the last 7 days")).toBeVisible()
    await page.getByLabel("Time").selectOption({ label: "Last 30 days" })
    await expect(page).toHaveURL(/range=month/)
    await expect(page.getByText("No calls in the last 30 days")).toBeVisible()
    await expectAccessibleAtNight(page)
  })
})
