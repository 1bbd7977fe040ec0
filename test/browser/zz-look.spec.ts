import { makeAnswered, makePastCalls, pastPolicy, soon } from "./fixtures/past-calls.ts"
import { expect, expectAccessible, test } from "./fixtures/test.ts"

test.use({ options: { policy: pastPolicy } })
test("look", async ({ page, world }) => {
  test.setTimeout(240_000)
  await makePastCalls(world)
  const agent = await world.agent("files", "coder")
  for (let i = 0; i < 5; i++) await agent.call("read_text_file", { path: `absent-${i}.txt` }).catch(() => undefined)
  await makeAnswered(
    world,
    agent,
    { path: "notes.txt", content: "Buy bread.\nCall Ada on Monday.\n" },
    { kind: "approve" },
  )
  await makeAnswered(
    world,
    agent,
    { path: "b.txt", content: "x" },
    { kind: "deny", reason: "Use the drafts folder instead, and ask again when it is ready for everybody to read." },
  )
  await agent.call("move_file", { source: "notes.txt", destination: "b.txt" }).catch(() => undefined)
  for (let i = 0; i < 30; i++) await agent.call("read_text_file", { path: "notes.txt" }).catch(() => undefined)
  const held = ["one.txt", "two.txt", "three.txt"].map((path) =>
    agent.call("write_file", { path, content: "x" }).catch(() => undefined),
  )
  const other = await world.agent("memory", "researcher")
  held.push(
    other
      .call("create_entities", {
        entities: ["Ada", "Grace", "Alan", "Emmy", "Kurt"].map((name) => ({
          name,
          entityType: "person",
          observations: [],
        })),
      })
      .catch(() => undefined),
  )
  await expect
    .poll(async () => {
      const r = await world.people.listApprovals({ query: { status: "pending" } })
      return r.ok ? r.value.items.length : 0
    }, soon)
    .toBe(4)
  await world.signIn(page, "/sessions")
  await page.getByRole("link", { name: /^coder 1\.0\.0/ }).click()
  await expect(page.getByText("Calls", { exact: true }).first()).toBeVisible()
  const story = new URL(page.url()).pathname
  const only = (process.env.LOOK ?? "story,insight,sessions,activity,waiting").split(",")
  const paths: Record<string, string> = {
    story,
    insight: "/insight?range=hour",
    sessions: "/sessions",
    activity: "/activity",
    waiting: "/",
  }
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme })
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      for (const name of only) {
        await page.goto(new URL(paths[name] ?? "/", world.url()).href)
        await expect(page.getByRole("status").filter({ hasText: /^(?:Reading|Loading|Counting)/ })).toHaveCount(0)
        await page.getByRole("heading", { level: 1 }).first().waitFor()
        if (name === "story") {
          await expect(page.getByRole("listitem").filter({ hasText: "notes.txt" }).first()).toBeVisible()
          await page
            .getByRole("listitem")
            .filter({ hasText: "three.txt" })
            .getByRole("button", { name: "Details" })
            .click()
          await page.waitForTimeout(400)
        }
        await page.waitForTimeout(300)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (wide > 0) console.log("WIDE", name, width, wide)
        await expectAccessible(page).catch((e) =>
          console.log(
            "AXE",
            name,
            width,
            theme,
            String(e)
              .slice(0, 3000)
              .match(/"id": .*/g),
          ),
        )
        await page.screenshot({
          path: `/tmp/w/story-shots/${name}-${width}-${theme}.png`,
          fullPage: name !== "waiting",
          scale: "css",
        })
      }
    }
  }
})
