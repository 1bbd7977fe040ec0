/**
 * R167-R171: every page in both themes, at the width of a phone and of a desk: nothing that axe finds, nothing that scrolls sideways, and the look it
 * had when somebody last looked. `npm run pictures` takes them.
 */
import { look, sizes, themes } from "../fixtures/look.ts"
import { makeAnswered } from "../fixtures/past-calls.ts"
import { expect, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

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

const pages = ["permissions", "policy", "servers", "sessions", "insight", "activity", "audit", "settings"] as const

for (const [size, viewport] of Object.entries(sizes)) {
  for (const theme of themes) {
    test.describe(`on a ${size} in ${theme}`, () => {
      test.use({ viewport, colorScheme: theme, hasTouch: size === "phone" })

      test("a thread, from a recording", async ({ page, world }) => {
        await world.signIn(page, "/chat")
        await page.getByLabel("Recording to play").setInputFiles("recordings/threads/haiku.jsonl")
        await page.getByText("This call waited for a decision here").waitFor()
        await expect(page.getByRole("button", { name: /^Allow once/ })).toBeEnabled()
        await look(page, `chat-${size}-${theme}`)
      })

      test("the sign-in page", async ({ page, world }) => {
        await page.goto(`${world.url()}/`)
        await look(page, `sign-in-${size}-${theme}`)
      })

      test("what waits, and every other page", async ({ page, world }) => {
        const { card, session, answered, leave } = await fill(world)
        await world.signIn(page)
        await page.getByRole("button", { name: /not now/i }).click()
        await page.goto(`${world.url()}/?open=${card}`)
        await expect(page.getByRole("button", { name: /^allow once/i })).toBeEnabled()
        await page.getByText("Compared with the file as it is now").waitFor()
        await look(page, `${size === "phone" ? "card" : "waiting"}-${size}-${theme}`)
        if (size === "phone") {
          await page.goto(`${world.url()}/`)
          await look(page, `waiting-${size}-${theme}`)
        }
        await page.goto(`${world.url()}/review/${session}`)
        await page.getByText("Write to Grace.").first().waitFor()
        await look(page, `review-${size}-${theme}`)
        await leave()
        await page.goto(`${world.url()}/sessions/${session}`)
        await look(page, `session-${size}-${theme}`)
        for (const name of pages) {
          await page.goto(`${world.url()}/${name}`)
          await look(page, `${name}-${size}-${theme}`)
        }
        await page.goto(`${world.url()}/activity/${answered}`)
        await look(page, `story-${size}-${theme}`)
      })
    })
  }
}

type Filled = {
  readonly card: string
  /** The key of the session that wants to write. */
  readonly session: string
  readonly answered: string
  /** The agents are gone, and their calls wait on: a client that lost patience would withdraw them. */
  readonly leave: () => Promise<void>
}

/** A session that has read, one call of each kind, and several that wait; gives the one to look at, and one that was answered. */
async function fill(world: World): Promise<Filled> {
  const agent = await world.agent("files", "claude-code")
  const other = await world.agent("memory", "cursor")
  const earlier = await world.agent("files", "codex")
  await agent.call("read_text_file", { path: "notes.txt" })
  await agent.call("move_file", { source: "notes.txt", destination: "b.txt" })
  const answered = await makeAnswered(
    world,
    earlier,
    { path: "drafts/plan.txt", content: "Ship it." },
    { kind: "approve" },
  )
  const no = { kind: "deny", reason: "Not into the notes, please." } as const
  await makeAnswered(world, earlier, { path: "notes.txt", content: "" }, no)
  const shopping = "Buy milk and bread.\nCall Ada.\nWrite to Grace.\n"
  void agent.call("write_file", { path: "notes.txt", content: shopping }).catch(() => {})
  await waiting(world, 1)
  void agent.call("create_directory", { path: "drafts/\u202Etxt.exe" }).catch(() => {})
  await waiting(world, 2)
  void other
    .call("create_entities", { entities: [{ name: "Ada", entityType: "person", observations: [] }] })
    .catch(() => {})
  const calls = await waiting(world, 3)
  const leave = async (): Promise<void> => {
    for (const each of [agent, other]) await each.close()
  }
  const write = calls.find(({ tool }) => tool.tool === "write_file")
  const sessions = await world.people.listSessions()
  const session = sessions.ok ? sessions.value.items.find(({ id }) => id === write?.session.id) : undefined
  return { card: write?.id ?? "", session: session?.key ?? "", answered, leave }
}

async function waiting(world: World, count: number) {
  for (;;) {
    const calls = await world.people.listApprovals({ query: { status: "pending" } })
    if (!calls.ok) throw new Error(calls.problem.detail)
    if (calls.value.items.length === count) return calls.value.items
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
