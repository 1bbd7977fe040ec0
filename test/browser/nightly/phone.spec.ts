/** Pages on the narrowest phone: nothing scrolls sideways, nothing is out of reach. */
import type { Page } from "@playwright/test"
import { pastPolicy } from "../fixtures/past-calls.ts"
import { expect, expectAccessible, test } from "../fixtures/test.ts"

const narrow = { width: 320, height: 700 }
const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme })

    test("permissions, by rule and by tool", async ({ page, world }) => {
      const breadth = { kind: "tool", server: "files", tool: "write_file" } as const
      expect((await world.people.addGrant({ body: { effect: "allow", breadth } })).ok).toBe(true)
      await world.signIn(page, "/permissions")
      await expect(page.getByText("Always allowed")).toBeVisible()
      await expectAccessible(page)
      await page.setViewportSize(narrow)
      expect(await sideways(page)).toBeLessThanOrEqual(0)
      await page.getByRole("button", { name: "By tool" }).click()
      expect(await sideways(page)).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    })

    test("the policy's text", async ({ page, world }) => {
      await world.signIn(page, "/policy")
      await expect(page.getByRole("textbox", { name: "byleave.yaml" })).toBeVisible()
      await expectAccessible(page)
      await page.setViewportSize(narrow)
      expect(await sideways(page)).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    })
  })
}

test.describe("after one call of every kind", () => {
  test.use({ viewport: narrow, hasTouch: true, options: { policy: pastPolicy, hasPast: true } })

  test("calls, and the story of one", async ({ page, world }) => {
    await world.signIn(page, "/activity")
    const rows = page.getByRole("region", { name: "Calls" }).getByRole("listitem")
    await expect(rows).toHaveCount(6)
    expect(await sideways(page)).toBeLessThanOrEqual(0)
    await rows.filter({ hasText: "Buy bread." }).getByRole("link").first().click()
    await expect(page.getByText("The tool succeeded.")).toBeVisible()
    expect(await sideways(page)).toBeLessThanOrEqual(0)
  })

  test.describe("in the dark", () => {
    test.use({ colorScheme: "dark" })

    test("plots, whose bars are wide enough to touch", async ({ page, world }) => {
      await world.signIn(page, "/insight?range=month")
      const bar = page.getByRole("group", { name: "Calls by decision" }).getByRole("link").last()
      await expect(bar).toBeVisible()
      expect((await bar.boundingBox())?.width).toBeGreaterThanOrEqual(24)
      expect(await sideways(page)).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    })
  })
})
