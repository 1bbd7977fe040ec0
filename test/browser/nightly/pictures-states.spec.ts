/** R167-R171: the states between and beside what pages usually show: nothing yet, loading, no connection, back again, failed, not there. */
import { expect, type Page } from "@playwright/test"
import { look, sizes, stillReading, themes } from "../fixtures/look.ts"
import { test } from "../fixtures/test.ts"

test.setTimeout(240_000)

for (const [size, viewport] of Object.entries(sizes)) {
  for (const theme of themes) {
    test.describe(`on a ${size} in ${theme}`, () => {
      test.use({ viewport, colorScheme: theme, hasTouch: size === "phone" })

      test("nothing yet, loading, and not there", async ({ page, world }) => {
        await world.signIn(page)
        await expect(page.getByText("Waiting for the first call…")).toBeVisible()
        await look(page, `empty-${size}-${theme}`)
        for (const name of ["activity", "sessions", "runs", "insight", "permissions", "connect"]) {
          await page.goto(`${world.url()}/${name}`)
          await look(page, `empty-${name}-${size}-${theme}`)
        }
        await page.goto(`${world.url()}/settings/nowhere`)
        await look(page, `not-here-${size}-${theme}`)
        await page.goto(`${world.url()}/activity/none`)
        await look(page, `no-such-call-${size}-${theme}`)
        await holdReads(page)
        for (const name of ["", "activity", "servers"]) {
          await page.goto(`${world.url()}/${name}`)
          await expect(stillReading(page).first()).toBeVisible()
          await look(page, `loading-${name === "" ? "waiting" : name}-${size}-${theme}`, { isLoading: true })
        }
      })

      test("no connection, and back again", async ({ page, world }) => {
        const agent = await world.agent("files", "claude-code")
        void agent.call("write_file", { path: "notes.txt", content: "Buy bread.\n" }).catch(() => undefined)
        await world.signIn(page)
        await page.getByRole("button", { name: /not now/i }).click()
        await page.locator("[data-approval] button").first().click()
        await expect(page.getByRole("button", { name: /^allow once/i })).toBeEnabled()
        await expect(page.getByText("Compared with the file as it is now")).toBeVisible()
        await world.stop()
        await expect(page.getByText("Not connected to Byleave")).toBeVisible()
        await page.getByRole("button", { name: /^allow once/i }).click()
        await expect(page.getByText("nothing was sent and nothing was decided")).toBeVisible()
        await look(page, `offline-${size}-${theme}`)
        await world.start()
        await expect(page.getByText("Reconnected.")).toBeVisible({ timeout: 30_000 })
        await look(page, `back-${size}-${theme}`)
      })
    })
  }
}

/** Real requests that are never let through: what the page reads stays on its way. */
async function holdReads(page: Page): Promise<void> {
  await page.route(/\/api\/(?!events|me)/, () => new Promise(() => undefined))
}
