/** A thread of two thousand messages is as quick as a short one. */
import { bar, cards, field, messages, test } from "../fixtures/chatting.ts"
import { longThread } from "../fixtures/long-thread.ts"
import { expect } from "../fixtures/test.ts"

test("a thread of 2,000 messages opens with its last ones drawn, and earlier ones are there on demand", async ({
  page,
  world,
  provider,
}) => {
  provider.next({ kind: "answer", say: "First." }, { kind: "answer", say: "Second." })
  const id = await longThread(world)
  await world.signIn(page, `/chat/${id}`)
  await expect(messages(page).getByText("Second.")).toBeVisible()
  expect(await messages(page).getByRole("listitem").count()).toBeLessThan(500)
  provider.next({ kind: "answer", say: "The end." })
  await field(page).fill("tell me a story")
  await field(page).press("Enter")
  await expect(messages(page).getByText("The end.")).toBeVisible()
  // The end stays where it is.
  await page.getByRole("button", { name: /earlier message/ }).click()
  await expect(messages(page).getByText("Message 900: please go on.")).toHaveCount(1)
  await field(page).fill("still quick")
  await expect(field(page)).toHaveValue("still quick")
  await expect(cards(page)).toHaveCount(0)
  await expect(bar(page)).toBeHidden()
})
