/** What is asked for need not be a tool: resources, prompts, and what servers ask of their clients. */
import type { Page } from "@playwright/test"
import { waitingCall } from "../fixtures/past-calls.ts"
import { everything, talkativeAgent } from "../fixtures/talkative-agent.ts"
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"

test.use({
  options: {
    servers: `${everything}\n    pin: off`,
    policy: `policy:
  rules:
    - allow: "everything"
    - ask: "everything(resource:*)"
    - ask: "everything(prompt:*)"
    - ask: "everything(sampling)"
    - ask: "everything(elicitation)"
`,
  },
})
test.setTimeout(120_000)

const bar = (page: Page) => page.getByRole("region", { name: "Your decision" })
const allow = (page: Page) => bar(page).getByRole("button", { name: /^Allow once/ })
const deny = (page: Page) => bar(page).getByRole("button", { name: /^Deny/ })

test(
  "each kind has a card that says what a yes means, and only a yes lets it through",
  atNight,
  async ({ page, world }) => {
    const { client, heard } = await talkativeAgent(world)
    await world.signIn(page)
    /** Opens the card of what has just been asked for. */
    const open = async (name: string, sentence: string, meaning: RegExp): Promise<void> => {
      const { id } = await waitingCall(world)
      await page.goto(new URL(`/?open=${id}`, world.url()).href)
      const card = page.getByRole("article", { name })
      await expect(card).toContainText(sentence)
      await expect(card.getByRole("region", { name: "About" })).toContainText(meaning)
      await expect(card).not.toContainText("May modify data")
      await expect(bar(page).getByRole("button", { name: /session|Always allow|Edit arguments/ })).toHaveCount(0)
      await expect(allow(page)).toBeEnabled()
    }

    const uri = "demo://resource/dynamic/text/1"
    const read = client.readResource({ uri })
    await open(
      `everything(resource:${uri})`,
      "An anonymous agent, through talker 1.0.0, asks to read the resource",
      /wants to read the resource at this address/,
    )
    await expectAccessible(page)
    await allow(page).click()
    expect((await read).contents).toHaveLength(1)

    const prompt = client.getPrompt({ name: "simple-prompt" }).catch((cause: Error) => cause.message)
    await open("everything(prompt:simple-prompt)", "asks to fetch the prompt", /a prompt prepared by the server/)
    await deny(page).click()
    expect(await prompt).toContain("simple-prompt of everything was not run")

    const sampled = client.callTool({
      name: "trigger-sampling-request",
      arguments: { prompt: "Say hello.", maxTokens: 9 },
    })
    await open(
      "everything(sampling)",
      "A server asks to use the model of an anonymous agent through talker 1.0.0",
      /wants to use the agent's model/,
    )
    await expect(page.getByRole("article").getByText(/Say hello\./)).toBeVisible()
    expect(heard).toEqual([])
    await expectAccessibleAtNight(page)
    await allow(page).click()
    await sampled
    expect(heard).toEqual(["sampling/createMessage"])

    const asked = client.callTool({ name: "trigger-elicitation-request", arguments: {} }).catch(() => null)
    await open(
      "everything(elicitation)",
      "A server asks for input from the user of an anonymous agent through talker 1.0.0",
      /wants to ask the agent's user a question/,
    )
    await expectAccessibleAtNight(page)
    await deny(page).click()
    await asked
    expect(heard).toEqual(["sampling/createMessage"])
  },
)
