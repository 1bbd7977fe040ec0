/**
 * R167-R171: every page in both themes, at the width of a phone and of a desk: nothing that axe finds, nothing that scrolls sideways, and the look it
 * had when somebody last looked. `BYLEAVE_PICTURES=1 npm run browser -- pictures --update-snapshots` takes them anew, and those of the guide.
 */
import type { Page } from "@playwright/test"
import { expect, expectAccessible, test } from "./fixtures/test.ts"
import type { World } from "./fixtures/world.ts"

test.use({
  options: {
    policy: `policy:
  rules:
    - allow: "files(read_*)"
    - allow: "files(list_*)"
    - deny: "files(move_file)"
      reason: Files are moved by hand here.
    - hide: "memory(delete_*)"
`,
  },
})
test.setTimeout(240_000)

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const pages = ["permissions", "policy", "servers", "sessions", "insight", "activity", "audit", "settings"] as const
/** Shown in the guide, with their times. */
const inGuide = new Set([
  "waiting-desktop-light",
  "card-phone-dark",
  "insight-desktop-dark",
  "policy-desktop-dark",
  "permissions-desktop-light",
])

for (const [size, viewport] of Object.entries(sizes)) {
  for (const theme of ["light", "dark"] as const) {
    test.describe(`on a ${size} in ${theme}`, () => {
      test.use({ viewport, colorScheme: theme, hasTouch: size === "phone" })

      test("the sign-in page and the empty inbox", async ({ page, world }) => {
        await page.goto(`${world.url()}/`)
        await look(page, `sign-in-${size}-${theme}`)
        await world.signIn(page)
        await look(page, `empty-${size}-${theme}`)
      })

      test("what waits, and every other page", async ({ page, world }) => {
        const card = await fill(world)
        await world.signIn(page)
        await page.getByRole("button", { name: /no, thanks/i }).click()
        await page.goto(`${world.url()}/?open=${card}`)
        await page.getByRole("button", { name: /^allow once/i }).waitFor()
        await look(page, `${size === "phone" ? "card" : "waiting"}-${size}-${theme}`)
        if (size === "phone") {
          await page.goto(`${world.url()}/`)
          await look(page, `waiting-${size}-${theme}`)
        }
        for (const name of pages) {
          await page.goto(`${world.url()}/${name}`)
          await look(page, `${name}-${size}-${theme}`)
        }
        await page.goto(`${world.url()}/activity/${card}`)
        await look(page, `story-${size}-${theme}`)
      })
    })
  }
}

/** Holds what differs from run to run: then the picture is looked at by axe alone. */
const unstable = /^(?:story|audit|activity|insight|settings|sessions)-/

async function look(page: Page, name: string): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor()
  await expect(page.getByRole("status", { name: /loading/i })).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await expectAccessible(page)
  if (process.env.BYLEAVE_PICTURES !== undefined && inGuide.has(name)) {
    await page.screenshot({ path: `docs/guides/pictures/${name}.png`, scale: "css" })
  }
  if (unstable.test(name)) return
  const mask = [page.locator("time"), page.getByText("byleave.yaml:"), page.getByText(/\bmin(?: left)?\b/)]
  await expect(page).toHaveScreenshot(`${name}.png`, { mask, maskColor: "#b8ae96" })
}

/** A session that has read, one call of each kind, and several that wait; gives the one to look at. */
async function fill(world: World): Promise<string> {
  const agent = await world.agent("files", "claude-code")
  const other = await world.agent("memory", "cursor")
  await agent.call("read_text_file", { path: "notes.txt" })
  await agent.call("move_file", { source: "notes.txt", destination: "b.txt" })
  const shopping = "Buy milk and bread.\nCall Ada.\nWrite to Grace.\n"
  void agent.call("write_file", { path: "notes.txt", content: shopping }).catch(() => {})
  await waiting(world, 1)
  void agent.call("create_directory", { path: "drafts/\u202Etxt.exe" }).catch(() => {})
  await waiting(world, 2)
  void other
    .call("create_entities", { entities: [{ name: "Ada", entityType: "person", observations: [] }] })
    .catch(() => {})
  const calls = await waiting(world, 3)
  return calls.find(({ tool }) => tool.tool === "write_file")?.id ?? ""
}

async function waiting(world: World, count: number) {
  for (;;) {
    const calls = await world.people.listApprovals({ query: { status: "pending" } })
    if (!calls.ok) throw new Error(calls.problem.detail)
    if (calls.value.items.length === count) return calls.value.items
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
