/** The side panel with a service: paired, approved by a person, and revoked. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "@playwright/test"
import { allow, card, messages, newThread, say } from "../fixtures/side-panel/in-panel.ts"
import { expect, test } from "../fixtures/test.ts"
import { askForPin, linksForAnna, pin, signInWithPin } from "../fixtures/with-pin.ts"

/** Begins to note what a screen reader is told; gives how to ask for it. */
async function listen(panel: Page): Promise<() => Promise<readonly string[]>> {
  type Listened = { readonly announced: string[] }
  await panel.evaluate(() => {
    const announced: string[] = []
    const note = (): void => {
      for (const { textContent } of document.querySelectorAll("[role=status]")) announced.push(textContent ?? "")
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { announced })
  })
  return () => panel.evaluate(() => (window as never as Listened).announced)
}

const models = `models:
  writer:
    provider: scripted
    script:
      - { when: one file, say: I write one file., calls: [{ tool: "files(write_file)", args: { path: one.txt, content: Written. } }] }
      - { when: one file, say: "Now it is there." }
`

test.use({ newWorld: true, signsIn: true, options: { more: models } })

test("14: the panel pairs by link and PIN, waits for a person, then approves; revoked, it can do nothing", async ({
  alone: { browser },
  world,
  page,
}) => {
  const [forPanel = "", forAnna = ""] = await linksForAnna(world, 2)
  await askForPin(world)
  await browser.closePanel()
  let panel = await browser.openPanel()
  await newThread(panel)
  await panel.getByRole("button", { name: "Settings", exact: true }).click()
  const pairing = panel.getByRole("region", { name: "Pairing" })
  await pairing.getByLabel("Sign-in link").fill(forPanel)
  await pairing.getByLabel("PIN").fill("not the pin")
  await pairing.getByRole("button", { name: "Pair" }).click()
  await expect(pairing.getByRole("alert")).toContainText("Wrong PIN")
  await pairing.getByLabel("PIN").fill(pin)
  await pairing.getByRole("button", { name: "Pair" }).click()
  await expect(panel.getByText("This browser waits for approval")).toBeVisible()

  const foreign = (origin: string) =>
    fetch(`${world.url()}/api/runs`, {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: "{}",
    })
  for (const origin of [
    `chrome-extension://${"a".repeat(32)}`,
    `chrome-extension://${browser.id}`,
    "https://evil.example",
  ]) {
    expect((await foreign(origin)).status, origin).toBe(403)
  }
  await panel.getByRole("button", { name: "Look again" }).click()
  await expect(panel.getByText("This browser waits for approval")).toBeVisible()

  await signInWithPin(page, forAnna)
  await page.getByRole("navigation").first().waitFor()
  await page.goto(`${world.url()}/settings`)
  await expect(page.getByText(`chrome-extension://${browser.id}`)).toBeVisible()
  await page.getByRole("button", { name: "Approve Chrome side panel" }).click()
  await expect(page.getByText("Waits for your approval")).toBeHidden()

  await panel.getByRole("button", { name: "Look again" }).click()
  await say(panel, "Write one file")
  await expect(allow(panel)).toBeVisible()
  await expect(card(panel)).toContainText("The file does not exist. It would be created.")
  await expect.poll(() => browser.badge()).toBe("1")
  const announced = await listen(panel)
  await allow(panel).click()
  await expect(messages(panel).getByText("Now it is there.")).toBeVisible()
  await expect.poll(announced).toContain("You allowed files(write_file).")
  await panel.getByRole("button", { name: "Permissions", exact: true }).click()
  await expect(panel.getByRole("region", { name: "By your policy" })).toContainText("Your policy allows")
  expect(existsSync(join(world.workspace, "one.txt"))).toBe(true)
  await expect.poll(() => browser.badge()).toBe("")

  // While the panel is closed, the worker asks the service now and then.
  await browser.closePanel()
  await browser.ringAlarm()
  await page.goto(`${world.url()}/chat`)
  await page.getByRole("textbox", { name: "Message" }).fill("Write one file again")
  await page.keyboard.press("Enter")
  await expect(allow(page)).toBeVisible()
  await browser.ringAlarm()
  await expect.poll(() => browser.badge()).toBe("1")
  expect(await browser.notifications()).toHaveLength(1)
  await allow(page).click()
  await expect(messages(page).getByText("Now it is there.")).toBeVisible()
  await browser.ringAlarm()
  await expect.poll(() => browser.badge()).toBe("")
  expect(await browser.notifications()).toEqual([])

  panel = await browser.openPanel()
  await expect(panel.getByRole("textbox", { name: "Message" })).toBeVisible()
  await page.goto(`${world.url()}/settings`)
  await page.getByRole("button", { name: "Sign out Chrome side panel" }).click()
  await expect(panel.getByText("Byleave could not be opened")).toBeVisible()
  await panel.getByRole("button", { name: "End the pairing" }).click()
  await expect(panel.getByRole("textbox", { name: "Message" })).toBeVisible()
})
