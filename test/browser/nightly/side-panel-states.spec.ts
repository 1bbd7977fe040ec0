/**
 * Every state of the side panel at its own width, in both themes: looked at by axe, and with `npm run pictures` by people. Takes half a minute;
 * every change has its card and permissions looked at by `side-panel/alone.spec.ts`.
 */
import { mkdirSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import type { Locator, Page } from "@playwright/test"
import { openPanelBrowser, type PanelBrowser } from "../fixtures/side-panel/panel-browser.ts"
import { expect, expectAccessible, test } from "../fixtures/test.ts"

const folder = process.env.BYLEAVE_PICTURES ?? ""
const guide: ReadonlySet<string> = new Set(["side-panel-card-light", "side-panel-servers-dark"])

async function look(panel: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await panel.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await expectAccessible(panel)
    const named = `side-panel-${name}-${colorScheme}`
    if (folder === "kept" && guide.has(named)) await panel.screenshot({ path: `docs/guides/pictures/${named}.png` })
    if (!isAbsolute(folder)) continue
    mkdirSync(folder, { recursive: true })
    await panel.screenshot({ path: join(folder, `${named}.png`) })
  }
}

/** The page on which Chrome lists its extensions, as it is once this one is loaded. */
async function showLoaded(browser: PanelBrowser): Promise<void> {
  const page = await browser.newPage()
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 900, height: 416 })
  await page.goto("chrome://extensions")
  await page.evaluate(() =>
    (
      globalThis as never as { chrome: { developerPrivate: Developer } }
    ).chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true }),
  )
  await expect(page.getByRole("button", { name: "Load unpacked" })).toBeVisible()
  // The row of buttons slides in.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  await page.screenshot({ path: "docs/guides/pictures/side-panel-loading.png" })
}

type Developer = {
  readonly updateProfileConfiguration: (change: { readonly inDeveloperMode: boolean }) => Promise<void>
}

/** Words in the thread: what is said is also read aloud, elsewhere. */
const said = (panel: Page, words: string | RegExp): Locator =>
  panel.getByRole("list", { name: "Messages" }).getByText(words)

// Chrome's own page of extensions cannot be recorded with the others.
test.use(folder === "kept" ? { trace: "off" } : {})

test.setTimeout(600_000)

test("every state of the side panel is accessible, in light and dark, with the demonstration alone", async () => {
  const browser = await openPanelBrowser()
  try {
    const panel = await browser.newPage()
    await panel.setViewportSize({ width: 380, height: 720 })
    await panel.goto(`chrome-extension://${browser.id}/panel.html`)
    const say = async (text: string): Promise<void> => {
      await panel.getByRole("textbox", { name: "Message" }).fill(text)
      await panel.getByRole("button", { name: "Send", exact: true }).click()
    }
    const go = (name: string): Promise<void> => panel.getByRole("button", { name, exact: true }).click()
    await expect(panel.getByRole("button", { name: /^Write a haiku/ })).toBeVisible()
    await look(panel, "new")
    await say("Write a haiku into notes.md")
    await expect(panel.getByRole("button", { name: /^Allow once/ })).toBeEnabled()
    await look(panel, "card")
    await panel.getByLabel("Auto-approve all tools of notebook in this thread").check()
    await panel.getByRole("button", { name: "Allow and auto-approve" }).scrollIntoViewIfNeeded()
    await look(panel, "auto")
    await panel.getByRole("button", { name: "Allow and auto-approve" }).click()
    await expect(said(panel, "Done: the haiku is in")).toBeVisible()
    await say("Now write two notes")
    await expect(said(panel, "What you allowed is written")).toBeVisible()
    await expect(said(panel, "Auto-approved")).toHaveCount(2)
    await look(panel, "done")
    await go("Permissions: 1 in this thread")
    await look(panel, "permissions")
    await go("Threads")
    await look(panel, "threads")
    await panel.getByRole("button", { name: "Rename Write a haiku into notes.md" }).click()
    await look(panel, "rename")
    await go("Servers")
    await panel.getByText("4 tools").click()
    await look(panel, "servers")
    await go("Add a server")
    await panel.getByRole("button", { name: "Test and add" }).click()
    await expect(panel.getByRole("alert")).toBeVisible()
    await look(panel, "add-server")
    await go("Settings")
    await look(panel, "settings")
    await go("New thread")
    await say("Write two notes")
    await expect(panel.getByRole("button", { name: /^Allow once/ })).toHaveCount(2)
    await look(panel, "two")
    const cards = panel.getByRole("list", { name: "Messages" }).getByRole("article")
    await cards
      .nth(0)
      .getByRole("button", { name: /^Allow once/ })
      .click()
    await expect(cards).toHaveCount(1)
    await cards.nth(0).getByRole("button", { name: /^Deny/ }).click()
    await expect(said(panel, "What you allowed is written")).toBeVisible()
    await expect(said(panel, "You denied it. It did not run")).toBeVisible()
    const other = await browser.newPage()
    await other.setViewportSize({ width: 380, height: 720 })
    await other.goto(`chrome-extension://${browser.id}/panel.html`)
    await expect(other.getByText("Byleave is open in another window")).toBeVisible()
    await expect(other.getByRole("heading", { level: 1 })).toBeVisible()
    await look(other, "elsewhere")
    await other.getByRole("button", { name: "Use it here" }).click()
    await expect(other.getByRole("textbox", { name: "Message" })).toBeVisible()
    await expect(panel.getByText("Byleave is open in another window")).toBeVisible()
    await other.close()

    const late = await browser.newPage()
    await late.clock.install()
    await late.setViewportSize({ width: 380, height: 720 })
    await late.goto(`chrome-extension://${browser.id}/panel.html`)
    await late.getByRole("button", { name: "New thread", exact: true }).click()
    await late.getByRole("textbox", { name: "Message" }).fill("Write a haiku into notes.md")
    await late.getByRole("button", { name: "Send", exact: true }).click()
    await expect(late.getByText("If you have not answered by then, it expires")).toBeVisible()
    await late.clock.fastForward("05:30")
    await expect(said(late, "Nobody answered in time, so I left everything as it was.")).toBeVisible()
    await expect(said(late, /^Nobody decided in time. It did not run, and the agent was told./)).toBeVisible()
    await expect(late.getByText("Expired", { exact: true })).toBeVisible()
    await look(late, "expired")
    if (folder === "kept") await showLoaded(browser)
  } finally {
    await browser.close()
  }
})
