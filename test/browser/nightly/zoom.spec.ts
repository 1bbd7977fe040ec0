/** R167-R171: at 200 % nothing is lost: no page scrolls sideways, no word is cut off, and every control can be reached and is covered by nothing. */
import type { Page } from "@playwright/test"
import { stillReading } from "../fixtures/look.ts"
import { makeAnswered } from "../fixtures/past-calls.ts"
import { expect, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

test.setTimeout(180_000)

const pages = [
  "",
  "activity",
  "permissions",
  "policy",
  "servers",
  "sessions",
  "runs",
  "insight",
  "audit",
  "settings",
] as const

test.describe("a page of 1280 pixels at 200 %", () => {
  test.use({ viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 })

  test("loses nothing on any page", async ({ page, world }) => {
    for (const path of await pathsOf(page, world)) await expectWhole(page, world, path)
  })
})

test("text alone at 200 % loses nothing on any page", async ({ playwright, launchOptions, world }) => {
  // As the browser's own setting does: rules for narrow pages heed it, as they would not heed a style of the page.
  const args = [...(launchOptions.args ?? []), "--blink-settings=defaultFontSize=32"]
  const browser = await playwright.chromium.launch({ ...launchOptions, args })
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  for (const path of await pathsOf(page, world)) await expectWhole(page, world, path)
  await browser.close()
})

test("where the system chooses the colours, every button keeps an edge, and what is chosen is told by more than colour", async ({
  page,
  world,
}) => {
  await page.emulateMedia({ forcedColors: "active" })
  for (const path of await pathsOf(page, world)) {
    await open(page, world, path)
    expect.soft(await page.evaluate(edgeless), path).toEqual([])
    expect.soft(await page.evaluate(alike), path).toEqual([])
    await page.keyboard.press("Tab")
    expect.soft(await page.evaluate(focusRing), path).toBe(true)
  }
})

test("who wants little motion gets none that goes on", async ({ page, world }) => {
  for (const path of await pathsOf(page, world)) {
    await open(page, world, path)
    expect(await page.evaluate(movingOn), path).toEqual([])
  }
})

test("at every width from a phone to a desk, no page scrolls sideways, and no word is broken", async ({
  page,
  world,
}) => {
  for (const path of await pathsOf(page, world)) {
    await open(page, world, path)
    for (const width of [390, 768, 901, 961, 1024, 1100, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect.soft(wide, `/${path} at ${width} scrolls sideways`).toBeLessThanOrEqual(0)
      expect.soft(await page.evaluate(broken), `words of /${path} at ${width}`).toEqual([])
      expect.soft(await page.evaluate(brokenNames), `names on /${path} at ${width}`).toEqual([])
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
})

/** Every page, with something on it: calls that wait, one that was answered, one that is open. */
async function pathsOf(page: Page, world: World): Promise<readonly string[]> {
  const agent = await world.agent("files", "claude-code")
  const answered = await makeAnswered(
    world,
    agent,
    { path: "drafts/plan.txt", content: "Ship it." },
    { kind: "approve" },
  )
  void agent.call("write_file", { path: "notes.txt", content: "Buy bread.\n" }).catch(() => undefined)
  await world.signIn(page)
  await page.locator("[data-approval]").first().waitFor()
  const id = await page.locator("[data-approval]").first().getAttribute("data-approval")
  return [...pages, `?open=${id}`, `activity/${answered}`]
}

async function open(page: Page, world: World, path: string): Promise<void> {
  await page.goto(`${world.url()}/${path}`)
  await page.getByRole("heading", { level: 1 }).first().waitFor()
  await expect(stillReading(page)).toHaveCount(0)
  if (path.includes("open=")) await page.getByRole("button", { name: /^Allow once/ }).waitFor()
}

async function expectWhole(page: Page, world: World, path: string): Promise<void> {
  await open(page, world, path)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect.soft(wide, `/${path} scrolls sideways`).toBeLessThanOrEqual(0)
  expect.soft(await page.evaluate(cutOff), `words of /${path} that are cut off`).toEqual([])
  expect.soft(await page.evaluate(covered), `controls of /${path} that something covers`).toEqual([])
}

/** Words of ordinary length that a line ends inside of. */
function broken(): readonly string[] {
  const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const box = text.parentElement
    if (box === null || !box.checkVisibility() || box.closest(".only-read-aloud") !== null) continue
    if (box.getBoundingClientRect().width <= 1) continue
    for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[\p{L}\p{N}]{2,24}/gu)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) found.push(`${word} in ${text.textContent}`)
    }
  }
  return found
}

/** Names whose version or bracket a line ends inside of, where that is short enough for a line. */
function brokenNames(): readonly string[] {
  const names = [...document.querySelectorAll<HTMLElement>('main [translate="no"]')]
  return names
    .filter((name) => name.checkVisibility() && name.closest(".only-read-aloud, [data-long=true]") === null)
    .flatMap((name) => {
      const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT)
      const letters: { readonly text: Node; readonly at: number }[] = []
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (let at = 0; at < (text.textContent ?? "").length; at++) letters.push({ text, at })
      }
      const lineOf = (index: number): number | undefined => {
        const letter = letters[index]
        if (letter === undefined) return undefined
        const range = document.createRange()
        range.setStart(letter.text, letter.at)
        range.setEnd(letter.text, letter.at + 1)
        const [box] = range.getClientRects()
        return box === undefined ? undefined : Math.round(box.top)
      }
      return [...(name.textContent ?? "").matchAll(/\d+(\.\d+)+|\([\w:]{1,20}\)/g)]
        .filter(({ 0: part, index }) => lineOf(index) !== lineOf(index + part.length - 1))
        .map(({ 0: part }) => `${part} in ${name.textContent}`)
    })
}

/** Words in a box that hides what does not fit, without saying so. */
function cutOff(): readonly string[] {
  const boxes = [...document.querySelectorAll<HTMLElement>("body *")].filter((box) => {
    const { overflowX, overflowY, textOverflow, clip, position } = getComputedStyle(box)
    if (textOverflow === "ellipsis" || clip !== "auto" || position === "fixed") return false
    const isWide = overflowX === "hidden" && box.scrollWidth > box.clientWidth + 1
    const isHigh = overflowY === "hidden" && box.scrollHeight > box.clientHeight + 1
    return (isWide || isHigh) && box.checkVisibility() && (box.textContent ?? "").trim() !== "" && box.clientWidth > 2
  })
  return boxes.map((box) => `${box.tagName} ${box.className}: ${(box.textContent ?? "").slice(0, 60)}`)
}

/** Controls whose middle belongs to something else once they are scrolled to. */
function covered(): readonly string[] {
  const controls = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")]
  return controls
    .filter((control) => {
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
      control.scrollIntoView({ block: "center", inline: "center" })
      const { left, top, width, height } = control.getBoundingClientRect()
      if (width <= 1 || height <= 1 || left + width < 0 || top + height < 0) return false
      const found = document.elementFromPoint(left + width / 2, top + height / 2)
      const label = control.closest("label")
      return found === null || !(control.contains(found) || found.contains(control) || label?.contains(found) === true)
    })
    .map(
      (control) =>
        `${control.tagName}: ${(control.textContent || control.getAttribute("aria-label") || "").slice(0, 60)}`,
    )
}

/** Buttons that neither an edge nor an underline nor an icon tells from text. */
function edgeless(): readonly string[] {
  const edgeOf = (box: Element): number => {
    const { borderTopWidth, borderBottomWidth } = getComputedStyle(box)
    return Number.parseFloat(borderTopWidth) + Number.parseFloat(borderBottomWidth)
  }
  const buttons = [...document.querySelectorAll<HTMLElement>("button, select, input:not([type=file]), textarea")]
  return buttons
    .filter((button) => {
      const { textDecorationLine, appearance } = getComputedStyle(button)
      const isNative = button.matches("input[type=checkbox], input[type=radio]") && appearance !== "none"
      const isFramed = button.closest("li, [data-approval]") !== null || edgeOf(button.parentElement ?? button) > 0
      const isMarked = textDecorationLine.includes("underline") || button.querySelector("svg") !== null
      const isChoice = button.hasAttribute("aria-pressed")
      return button.checkVisibility() && !isChoice && edgeOf(button) === 0 && !isNative && !isMarked && !isFramed
    })
    .map((button) => `${button.tagName}: ${(button.textContent ?? "").slice(0, 60)}`)
}

/** What is chosen, and looks like what is not: shadows and backgrounds are not drawn there. */
function alike(): readonly string[] {
  const looks = (box: Element | undefined): string => {
    if (box === undefined) return ""
    const { fontWeight, textDecorationLine, borderTopWidth, borderBottomWidth, outlineStyle } = getComputedStyle(box)
    return [fontWeight, textDecorationLine, borderTopWidth, borderBottomWidth, outlineStyle].join(" ")
  }
  const chosen = [...document.querySelectorAll<HTMLElement>('[aria-pressed="true"], nav [aria-current="page"]')]
  return chosen
    .filter((one) => {
      const attribute = one.hasAttribute("aria-pressed") ? "aria-pressed" : "aria-current"
      const others = [...(one.closest("nav, fieldset, [role=group]")?.querySelectorAll("a, button") ?? [])]
      const other = others.find((each) => each !== one && each.getAttribute(attribute) !== one.getAttribute(attribute))
      return one.checkVisibility() && other !== undefined && looks(other) === looks(one)
    })
    .map((one) => one.textContent ?? "")
}

function focusRing(): boolean {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
  return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2
}

function movingOn(): readonly string[] {
  return document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY)
    .map((animation) => (animation as CSSAnimation).animationName)
}
