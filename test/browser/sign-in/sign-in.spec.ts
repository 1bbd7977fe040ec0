/** Signing in with a one-time link and a PIN, signing out, and being signed out. */
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import { askForPin, linksForAnna, pin, signInWithPin } from "../fixtures/with-pin.ts"
import type { World } from "../fixtures/world.ts"

test.use({ newWorld: true, signsIn: true })

/** Links for Anna, then the service asks for her PIN. */
async function annaWithPin(world: World, count: number): Promise<readonly string[]> {
  const links = await linksForAnna(world, count)
  await askForPin(world)
  return links
}

test("a link and the PIN sign in a browser once; its secret leaves no trace, and signing out keeps nothing", async ({
  page,
  world,
}) => {
  const [link = ""] = await annaWithPin(world, 1)
  await page.goto(link)
  await expect(page).toHaveURL(`${world.url()}/sign-in`)
  await expectAccessible(page)
  await page.getByLabel("Browser name").fill("Anna's laptop")
  await page.getByLabel("Your PIN").fill("not the pin")
  await page.getByRole("button", { name: "Sign in" }).click()
  await expect(page.getByRole("alert")).toContainText("Wrong PIN")
  await expect(page.getByRole("alert")).toContainText("The link is still valid")
  await page.getByLabel("Your PIN").fill(pin)
  await page.getByRole("button", { name: "Sign in" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Waiting" })).toBeVisible()
  await expect(page.getByText("Anna's laptop")).toBeVisible()
  await expect(page.getByText("PINs are turned off")).toBeHidden()
  const kept = await page.evaluate(() => ({
    cookie: document.cookie,
    local: JSON.stringify(localStorage),
    history: history.length,
  }))
  expect(kept.cookie).toBe("")
  expect(kept.local).not.toContain(link.split("#")[1] ?? "")
  await page.goBack().catch(() => undefined)
  expect(page.url()).not.toContain("#")

  await page.goto(world.url())
  await page.getByRole("button", { name: "Sign out" }).click()
  await expect(page.getByText("You are signed out")).toBeVisible()
  await page.reload()
  await expect(page.getByText("byleave open")).toBeVisible()
  await expectAccessibleAtNight(page)
  await signInWithPin(page, link)
  await expect(page.getByText("This link no longer works")).toBeVisible()
})

test("the browser's key cannot be taken out of it", atNight, async ({ page, world }) => {
  await world.signIn(page)
  const key = await page.evaluate(async () => {
    const request = indexedDB.open("byleave")
    await new Promise((resolve) => {
      request.onsuccess = resolve
    })
    const all = request.result.transaction("device").objectStore("device").getAll()
    await new Promise((resolve) => {
      all.onsuccess = resolve
    })
    const { privateKey } = all.result[0].key as { privateKey: CryptoKey }
    const taken = await crypto.subtle.exportKey("jwk", privateKey).then(
      () => "taken",
      () => "refused",
    )
    return { extractable: privateKey.extractable, taken }
  })
  expect(key).toEqual({ extractable: false, taken: "refused" })
})

test("guessing PINs ends after five tries", atNight, async ({ page, world }) => {
  const [link = ""] = await annaWithPin(world, 1)
  await page.goto(link)
  for (let tried = 0; tried < 6; tried++) {
    await page.getByLabel("Your PIN").fill(`guess ${tried}`)
    await page.getByRole("button", { name: "Sign in" }).click()
    await expect(page.getByRole("alert")).toContainText(tried < 5 ? "Wrong PIN" : "Too many wrong PINs")
    await expect(page.getByLabel("Your PIN")).toHaveValue("")
  }
})

test("a browser that is revoked while open says so, and shows nothing any more", async ({ page, world }) => {
  const agent = await world.agent()
  void agent.call("write_file", { path: "a.txt", content: "x" }).catch(() => undefined)
  await world.signIn(page)
  await expect(page.getByText("files(write_file)").first()).toBeVisible()
  const devices = await world.people.listDevices()
  const browser = devices.ok ? devices.value.items.find(({ name }) => name.includes("Chrome")) : undefined
  await world.people.revokeDevice({ params: { id: browser?.id ?? "" } })
  await expect(page.getByText("This browser was signed out")).toBeVisible()
  await expect(page.getByText("files(write_file)")).toBeHidden()
  await page.reload()
  await expect(page.getByText("byleave open")).toBeVisible()
})

test.describe("with a clock of its own", () => {
  test.use({ newBrowser: true })

  test("a clock that runs wrong keeps nobody out", atNight, async ({ page, world }) => {
    await page.clock.install({ time: Date.now() + 3 * 60 * 60_000 })
    await world.signIn(page)
    await expect(page.getByRole("heading", { level: 1, name: "Waiting" })).toBeVisible()
  })
})
