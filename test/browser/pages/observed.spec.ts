import { readFileSync } from "node:fs"
import { join } from "node:path"
import { answerCall } from "../../api/answer-call.ts"
import { sessionDisplayed } from "../../api/as-displayed.ts"
import { expect, expectAccessibleInBoth, test } from "../fixtures/test.ts"

test.use({ newWorld: true })

test("R37: observe mode ends with a report: the banner and the session lead to it, and its rule is put among the rules, unsaved", async ({
  page,
  world,
}) => {
  const agent = await world.agent()
  const create = (name: string) => agent.call("create_directory", { path: join(world.workspace, "drafts", name) })
  const first = create("x")
  const waiting = async () => {
    const list = await world.people.listApprovals({ query: { status: "pending" } })
    return list.ok ? list.value.items : []
  }
  await expect.poll(waiting).toHaveLength(1)
  const [held] = await waiting()
  const session = { principal: held?.principal.id ?? "", id: held?.session.id ?? "" }
  await answerCall(world.people, held?.id ?? "", { kind: "approve" })
  await first
  const setMode = async (mode: "observe" | "ask") =>
    world.people.setMode({ body: { ...(await sessionDisplayed(world.people, session)), mode } })
  expect(await setMode("observe")).toMatchObject({ ok: true })
  for (const name of ["a", "b", "c"]) await create(name)

  await world.signIn(page, "/sessions")
  await expect(page.getByText("3 calls would have needed approval so far.")).toBeVisible()
  await page.getByRole("link", { name: "What would have been asked" }).click()
  const report = page.getByRole("region", { name: "Observe report" })
  await expect(report).toBeInViewport()
  await expect(report).toContainText("3 calls ran in observe mode that would have needed approval.")
  await expect(report).toContainText("The rule below would have spared 3 of 3 questions.")
  await expect(report).toContainText("Nobody was asked about these calls.")
  await report.getByText("Would have allowed 3 observed calls in 1 session over 1 day").click()
  await expect(report.getByRole("link", { name: "Call 3" })).toBeVisible()
  await expectAccessibleInBoth(page)

  expect(await setMode("ask")).toMatchObject({ ok: true })
  await expect(page.getByRole("link", { name: "What would have been asked" })).toBeHidden()
  const before = readFileSync(world.place.config, "utf8")
  await report.getByRole("button", { name: /^Add to editor/ }).click()
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible()
  await expect(page.getByRole("textbox", { name: "byleave.yaml" })).toContainText("files(create_directory)")
  expect(readFileSync(world.place.config, "utf8")).toBe(before)
  await page.getByRole("button", { name: "Discard changes" }).click()
  await page.goto(`${world.url()}/sessions/${held?.sessionKey}`)
  await expect(page.getByText("3 calls would have needed approval while it was observed.")).toBeVisible()
})
