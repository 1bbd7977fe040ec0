/** How long the page works at a time when a thread of two thousand messages opens and goes on; `chat/long.spec.ts` has what it shows. */
import type { Page } from "@playwright/test"
import { field, test } from "../fixtures/chatting.ts"
import { longThread, words } from "../fixtures/long-thread.ts"
import { longestTask } from "../fixtures/longest-task.ts"
import { tellNumber } from "../fixtures/tell-number.ts"
import { expect } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

const mostMs = 50

// A record of the test is made in the page, and would be measured with it.
test.use({ trace: "off" })

const isDrawn = (page: Page, text: string) =>
  page.waitForFunction((end) => document.querySelector("main")?.textContent.includes(end), text, { polling: "raf" })

test("a thread of 2,000 messages: no task of the page works longer than 50 ms while 200 tokens a second come in", async ({
  page,
  browser,
  world,
  provider,
}) => {
  provider.next({ kind: "answer", say: "First." }, { kind: "answer", say: "Second." })
  const id = await longThread(world)
  await world.signIn(page, "/chat")
  // Looking for elements by their roles works in the page, too: while it is measured, its text alone is looked at.
  const loading = await longestTask(browser, page, async () => {
    await page.goto(new URL(`/chat/${id}`, world.url()).href)
    await isDrawn(page, "Second.")
  })
  tellNumber("longest task while a thread of 2,000 messages opens, ms", loading)

  provider.next({ kind: "answer", say: `${words.repeat(50)}The end.`, everyMs: 5 })
  await field(page).fill("tell me a story")
  const streaming = await longestTask(browser, page, async () => {
    await page.keyboard.press("Enter")
    await expect.poll(() => stateOf(world, id), { intervals: [500] }).toBe("running")
    await expect.poll(() => stateOf(world, id), { intervals: [500], timeout: 60_000 }).toBe("finished")
    await isDrawn(page, "The end.")
  })
  tellNumber("longest task while 200 tokens a second come into a thread of 2,000 messages, ms", streaming)
  expect.soft(streaming).toBeLessThanOrEqual(mostMs)
})

async function stateOf(world: World, id: string): Promise<string> {
  const reply = await world.people.getRun({ params: { id } })
  return reply.ok ? reply.value.run.status : reply.problem.code
}
