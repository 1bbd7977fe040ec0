/** Requests for approval in a thread: many at once, together, in a dialog, and answered from elsewhere. */
import { bar, begin, card, cards, messages, test, wroteIn } from "../fixtures/chatting.ts"
import { dialog, waiting } from "../fixtures/deciding.ts"
import { sizes } from "../fixtures/look.ts"
import { expect, expectAccessibleAtNight, expectAccessibleInBoth } from "../fixtures/test.ts"

test("R122: many requests: the first are drawn whole, another opens in a dialog whose close box decides nothing", async ({
  page,
  world,
}) => {
  await begin(page, world, "write five files")
  await expect(bar(page)).toContainText("5 calls wait")
  await expect(cards(page)).toHaveCount(3)
  const review = messages(page).getByRole("button", { name: /^Review files/ })
  await expect(review).toHaveCount(2)
  await expectAccessibleAtNight(page)
  await review.last().click()
  const window = dialog(page)
  await expect(window.getByRole("article")).toContainText("5.txt")
  await expect(window).toContainText("Closing this window decides nothing")
  await expectAccessibleInBoth(page)
  await window.getByRole("button", { name: "Close" }).first().click()
  await expect(window).toHaveCount(0)
  expect(await waiting(world)).toHaveLength(5)
  await review.last().click()
  await page.keyboard.press("Escape")
  await expect(window).toHaveCount(0)
  expect(await waiting(world)).toHaveLength(5)

  await review.last().click()
  await window.getByRole("button", { name: /^Allow once/ }).click()
  await expect(bar(page)).toContainText("4 calls wait")
  await expect(window).toHaveCount(0)
  expect((await waiting(world)).map(({ args }) => args?.path)).not.toContain("5.txt")
  await page.setViewportSize(sizes.phone)
  await expectAccessibleAtNight(page)
})

test("R147: the calls of one message are decided together with one press, and each says so for itself", async ({
  page,
  world,
}) => {
  await begin(page, world, "write five files")
  const together = page.getByRole("region", { name: "5 calls of this message wait" })
  await together.getByRole("button", { name: "Allow 5 once…" }).click()
  await expect(dialog(page)).toContainText("Each call may run once, with exactly these arguments.")
  await expectAccessibleAtNight(page)
  await dialog(page).getByRole("button", { name: "Allow 5 calls once" }).click()
  await expect(messages(page).getByText("All five are decided.")).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
  await expect(page.getByRole("list", { name: "Calls" }).getByText(/in the chat/)).toHaveCount(5)
  expect(["1.txt", "2.txt", "3.txt", "4.txt", "5.txt"].every((name) => wroteIn(world, name))).toBe(true)
  await expect(card(page, "txt")).toHaveCount(0)
})
