/** R137, R139: nothing that a server or an agent writes runs, loads, links or passes for a word of ours. */
import { fileURLToPath } from "node:url"
import { answerCall } from "../../api/answer-call.ts"
import { brokenName, hostileTexts } from "../../terminal/programs/hostile-texts.ts"
import { expect, test } from "../fixtures/test.ts"

const program = fileURLToPath(new URL("../../terminal/programs/hostile-server.ts", import.meta.url))

test.use({
  options: {
    servers: `  hostile:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(program)}]`,
  },
})

const pages = [
  "/",
  "/activity",
  "/permissions",
  "/policy",
  "/servers",
  "/sessions",
  "/runs",
  "/audit",
  "/insight",
  "/settings",
]

test.setTimeout(180_000)

test("R139: hostile names, words, arguments and results stay text on every page", async ({ page, world }) => {
  const foreign: string[] = []
  page.on("request", (request) => {
    if (!request.url().startsWith(world.url()) && !request.url().startsWith("blob:")) foreign.push(request.url())
  })
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => foreign.push("a dialog opened")))
  const agent = await world.agent("hostile", hostileTexts[1])
  const calls = hostileTexts.map((value, at) =>
    agent.call(`tool_${at}`, { value, [value]: [value, { [value]: value }] }),
  )
  await world.signIn(page)
  await expect.poll(async () => waitingCount(world.people)).toBe(hostileTexts.length)
  for (const path of pages) await lookAt(page, new URL(path, world.url()).href)
  const waiting = await world.people.listApprovals({ query: { status: "pending" } })
  if (!waiting.ok) throw new Error(waiting.problem.detail)
  for (const { id } of waiting.value.items.slice(0, hostileTexts.length)) {
    await lookAt(page, new URL(`/?open=${id}`, world.url()).href)
  }
  for (const { id } of waiting.value.items) await answerCall(world.people, id, { kind: "approve" })
  await Promise.all(calls)
  for (const { id } of waiting.value.items.slice(0, 4)) await lookAt(page, new URL(`/activity/${id}`, world.url()).href)
  expect(foreign).toEqual([])
})

test("R139: a line break in a tool's name is marked in the card's heading, however long the name is", async ({
  page,
  world,
}) => {
  const agent = await world.agent("hostile", "coder")
  void agent.call(brokenName).catch(() => undefined)
  await world.signIn(page)
  await page.locator("[data-approval] button").first().click()
  const heading = page.getByRole("article").getByRole("heading", { level: 2 })
  await expect(heading.locator("mark")).toHaveText("U+000A")
  await heading.getByRole("button", { name: /^Show \d+ more characters$/ }).click()
  await expect(heading.locator("mark")).toHaveText("U+000A")
  expect(await heading.textContent()).not.toContain("\n")
})

async function waitingCount(people: import("@byleave/api").Client): Promise<number> {
  const waiting = await people.listApprovals({ query: { status: "pending", limit: 100 } })
  return waiting.ok ? waiting.value.items.length : -1
}

/** What ran, what was made of the texts, and what leads away from here. */
async function lookAt(page: import("@playwright/test").Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole("heading", { level: 1 }).waitFor()
  await expect(page.getByRole("status", { name: /loading/i })).toHaveCount(0)
  const found = await page.evaluate(() => ({
    harmed: (window as { harmed?: number }).harmed ?? null,
    made: document.querySelectorAll("iframe, object, embed, img[src='x'], style, script:not([src])").length,
    away: [...document.querySelectorAll("a[href]")]
      .map((link) => new URL(link.getAttribute("href") ?? "", location.href).href)
      .filter((href) => !href.startsWith(location.origin) && !href.startsWith("blob:")),
    // The mark of a bracket that begins a mark: somebody has marked what was marked already.
    twice: document.body.innerText.includes("U+27E8"),
    hidden: /[\u202A-\u202E\u2066-\u2069\u200B\u2060\uFEFF]/.test(document.body.innerText),
  }))
  expect({ url: new URL(url).pathname, ...found }).toEqual({
    url: new URL(url).pathname,
    harmed: null,
    made: 0,
    away: [],
    twice: false,
    hidden: false,
  })
}
