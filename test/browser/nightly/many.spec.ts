/** Ten thousand calls wait, and the page is as quick as with ten. */
import type { Page } from "@playwright/test"
import { longestTask } from "../fixtures/longest-task.ts"
import { putWaiting } from "../fixtures/many-calls.ts"
import { tellNumber } from "../fixtures/tell-number.ts"
import { expect, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

const waiting = 10_000
const updates = Number(process.env.BYLEAVE_UPDATES ?? "5000")
const mostMs = 100

test.use({ options: { more: "wait: 8h" } })

test("R172, R174: 10,000 waiting calls: no update works longer than 100 ms, and memory stays flat", async ({
  page,
  browser,
  world,
}) => {
  test.setTimeout(900_000)
  const agent = await world.agent()
  void agent.call("write_file", { path: "drafts/model.txt", content: "x" }).catch(() => undefined)
  await expect.poll(async () => (await pendingIds(world, 1)).length).toBe(1)
  await world.stop("SIGKILL")
  await putWaiting(world, waiting)
  await world.start()
  await world.signIn(page)
  await expect(page.getByText(`${waiting + 1} calls`, { exact: true })).toBeVisible({ timeout: 120_000 })
  expect(await page.locator("[data-approval]").count()).toBeLessThan(80)

  const loading = await longestTask(browser, page, async () => {
    await page.reload()
    await expect(page.getByText(`${waiting + 1} calls`, { exact: true })).toBeVisible({ timeout: 120_000 })
  })
  tellNumber("longest task while loading, ms", loading)
  expect.soft(loading).toBeLessThanOrEqual(mostMs)

  const ids = await pendingIds(world, 500)
  await extend(world, ids, 100)
  await settled(page)
  const longest = await longestTask(browser, page, async () => {
    await extend(world, ids, 100)
    await settled(page)
    await page.mouse.move(300, 500)
    for (let turns = 0; turns < 20; turns++) await page.mouse.wheel(0, 2_000)
    await settled(page)
  })
  tellNumber("longest task of the main thread, ms", longest)
  expect.soft(longest).toBeLessThanOrEqual(mostMs)

  const before = await heap(page)
  await extend(world, ids, updates)
  await settled(page)
  const after = await heap(page)
  tellNumber("heap before the updates, MB", before)
  tellNumber("heap after the updates, MB", after)
  expect(after).toBeLessThan(before * 1.1)
})

async function pendingIds(world: World, limit: number): Promise<readonly string[]> {
  const reply = await world.people.listApprovals({ query: { status: "pending", limit } })
  return reply.ok ? reply.value.items.map(({ id }) => id) : []
}

/** Each gives one call more time, which every open page is told and reads. */
async function extend(world: World, ids: readonly string[], count: number): Promise<void> {
  const atOnce = 4
  for (let done = 0; done < count; done += atOnce) {
    const some = Array.from({ length: atOnce }, (_, at) => ids[(done + at) % ids.length] ?? "")
    const until = Date.now() + 8 * 60 * 60_000 + done
    await Promise.all(some.map((id) => world.people.extendApproval({ params: { id }, body: { until } })))
  }
}

/** The page has nothing left to do. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("domcontentloaded")
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let last = performance.now()
        const watch = setInterval(() => {
          if (performance.getEntriesByType("resource").some((entry) => entry.startTime > last - 1_500)) {
            last = performance.now()
            performance.clearResourceTimings()
            return
          }
          if (performance.now() - last > 1_500) {
            clearInterval(watch)
            resolve()
          }
        }, 200)
      }),
  )
}

async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send("HeapProfiler.collectGarbage")
  await session.send("HeapProfiler.collectGarbage")
  const { usedSize } = await session.send("Runtime.getHeapUsage")
  await session.detach()
  return usedSize / 1_000_000
}
