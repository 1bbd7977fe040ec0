import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { main } from "../../../apps/cli/src/service/fixtures/service-process.ts"
import { answerCall } from "../../api/answer-call.ts"
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"
import type { Agent, World } from "../fixtures/world.ts"

async function pending(world: World): Promise<number> {
  const reply = await world.people.listApprovals({ query: { status: "pending" } })
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value.items.length
}

function write(world: World, agent: Agent, name: string): Promise<unknown> {
  return agent
    .call("write_file", { path: join(world.workspace, name), content: "x" })
    .then(({ isError }) => (isError === true ? "refused" : "ran"))
    .catch(() => "withdrawn")
}

test("R136: a mode is set with its end, shows on every page, lets calls run, and goes back", async ({
  page,
  world,
}) => {
  const agent = await world.agent("files", "coder")
  const held = write(world, agent, "held.txt")
  await expect.poll(() => pending(world)).toBe(1)
  await world.signIn(page, "/sessions")
  const slip = page.getByRole("region", { name: /coder/ })
  await expect(slip.getByRole("link", { name: "1 waiting call" })).toBeVisible()

  await slip.getByRole("button", { name: "Change mode…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("radio", { name: /^Autonomous/ }).check()
  await dialog.getByLabel("Ends").selectOption("15")
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Set to autonomous" }).click()
  await expect(dialog).toBeHidden()
  await expect(slip.getByText("Running without approval")).toBeVisible()
  await expect(slip.getByText(/1[45] min left/)).toBeVisible()
  expect(await write(world, agent, "free.txt")).toBe("ran")

  await page.goto(new URL("/activity", world.url()).href)
  await expect(page.getByText(/runs without approval/)).toBeVisible()
  await page.goto(new URL("/sessions", world.url()).href)
  await slip.getByRole("button", { name: "Back to Ask mode" }).click()
  await expect(slip.getByText("Running without approval")).toBeHidden()
  await expect(page.getByText(/runs without approval/)).toBeHidden()
  await agent.close()
  await held
})

test("R66, R136: four switches on a session's page let tools, paths or URLs run without approval, for a while", async ({
  page,
  world,
}) => {
  const agent = await world.agent("files", "coder")
  const held = write(world, agent, "held.txt")
  await expect.poll(() => pending(world)).toBe(1)
  await world.signIn(page, "/sessions")
  await page.getByRole("heading", { name: /coder/ }).getByRole("link").click()
  const switches = page.getByRole("group", { name: "Run without approval" })
  await expect(switches.getByRole("switch")).toHaveCount(4)
  await switches.getByRole("switch", { name: /^Tools/ }).click()
  const dialog = page.getByRole("dialog")
  await expect(dialog.getByRole("checkbox", { name: /^Tools/ })).toBeChecked()
  await expect(dialog.getByRole("checkbox", { name: /^Paths/ })).not.toBeChecked()
  await dialog.getByRole("button", { name: "Set to autonomous" }).click()
  await expect(dialog).toBeHidden()
  await expect(switches.getByRole("switch", { name: /^Tools/ })).toBeChecked()
  await expect(switches.getByRole("switch", { name: /^All/ })).not.toBeChecked()
  await expect(page.getByText("No approval for tools", { exact: true })).toBeVisible()
  await expectAccessible(page)
  // A path that no rule allows still asks.
  const elsewhere = write(world, agent, "elsewhere.txt")
  await expect.poll(() => pending(world)).toBe(2)

  await switches.getByRole("switch", { name: /^Paths/ }).click()
  await dialog.getByRole("button", { name: "Set to autonomous" }).click()
  await expect(page.getByText("No approval for tools and paths", { exact: true })).toBeVisible()
  expect(await write(world, agent, "free.txt")).toBe("ran")

  await switches.getByRole("switch", { name: /^Paths/ }).click()
  await expect(switches.getByRole("switch", { name: /^Paths/ })).not.toBeChecked()
  await switches.getByRole("switch", { name: /^Tools/ }).click()
  await expect(switches.getByRole("switch", { name: /^Tools/ })).not.toBeChecked()
  await expect(page.getByText("No approval for tools", { exact: true })).toBeHidden()
  await agent.close()
  await Promise.all([held, elsewhere])
})

test("ending a session withdraws what waits in it, and nothing of it runs", async ({ page, world }) => {
  const agent = await world.agent("files", "coder")
  const held = write(world, agent, "held.txt")
  await expect.poll(() => pending(world)).toBe(1)
  await world.signIn(page, "/sessions")
  await page.getByRole("button", { name: "End session…" }).click()
  const dialog = page.getByRole("dialog")
  await expect(dialog.getByText("1 waiting call is withdrawn and will not run.")).toBeVisible()
  await dialog.getByRole("button", { name: "End session", exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText("No active sessions")).toBeVisible()
  expect(await held).not.toBe("ran")
  expect(await pending(world)).toBe(0)
  expect(existsSync(join(world.workspace, "held.txt"))).toBe(false)
})

test("a session is named by client and first call until somebody renames it", async ({ page, world }) => {
  const agent = await world.agent("files", "coder")
  const held = write(world, agent, "held.txt")
  await expect.poll(() => pending(world)).toBe(1)
  await world.signIn(page, "/sessions")
  await expect(page.getByRole("heading", { name: /coder.*files\(write_file\)/ })).toBeVisible()
  await page.getByRole("button", { name: "Rename…" }).click()
  await page.getByRole("textbox", { name: "Name" }).fill("The release")
  await page.getByRole("button", { name: "Save name" }).click()
  await expect(page.getByRole("heading", { name: "The release" })).toBeVisible()
  await agent.close()
  await held
})

test.describe("what a policy forbids", () => {
  test.use({ options: { policy: "policy:\n  modes: { forbid: [observe] }\n" } })

  test("is offered disabled, with the reason", atNight, async ({ page, world }) => {
    const agent = await world.agent("files", "coder")
    const held = write(world, agent, "held.txt")
    await expect.poll(() => pending(world)).toBe(1)
    await world.signIn(page, "/sessions")
    await page.getByRole("button", { name: "Change mode…" }).click()
    const observe = page.getByRole("radio", { name: /^Observe/ })
    await expect(observe).toBeDisabled()
    await expect(page.getByText("Your policy forbids this mode (policy.modes.forbid).")).toBeVisible()
    await page.keyboard.press("Escape")
    await expect(page.getByRole("dialog")).toBeHidden()
    await agent.close()
    await held
  })
})

test("R131: what is remembered for a session is listed with it and forgotten one by one", async ({ page, world }) => {
  const agent = await world.agent("files", "coder")
  const held = write(world, agent, "held.txt")
  await expect.poll(() => pending(world)).toBe(1)
  const sessions = await world.people.listSessions()
  const [session] = sessions.ok ? sessions.value.items : []
  if (session === undefined) throw new Error("There is no session.")
  const { principal, id } = session
  const breadth = { kind: "tool", server: "files", tool: "create_directory" } as const
  await world.people.addGrant({ body: { effect: "allow", breadth, session: { principal, id } } })
  await world.signIn(page, "/sessions")
  const remembered = page.getByRole("list", { name: "Permissions for this session" })
  await expect(remembered.getByText(/create_directory/)).toBeVisible()
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    await (colorScheme === "light" ? expectAccessible : expectAccessibleAtNight)(page)
  }
  await page.setViewportSize({ width: 320, height: 800 })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide).toBe(0)
  await remembered.getByRole("button", { name: /^Revoke/ }).click()
  await expect(remembered).toBeHidden()
  await agent.close()
  await held
})

test("the session in which Byleave asks about its own configuration is not offered to be ended", async ({
  page,
  world,
}) => {
  const file = readFileSync(world.place.config, "utf8")
  world.place.write(file.replace("  rules:\n", '  rules:\n    - allow: "files(write_file)"\n'))
  await expect.poll(() => pending(world)).toBe(1)
  await world.signIn(page, "/sessions")
  await expect(page.getByText("Byleave's own session")).toBeVisible()
  await expect(page.getByRole("button", { name: "Rename…" })).toHaveCount(1)
  await expect(page.getByRole("button", { name: /End session|Change mode/ })).toHaveCount(0)
  await expectAccessibleAtNight(page)
})

test.describe("before a service that nobody has used", () => {
  test.use({ newWorld: true })

  test(
    "a tool refused after too many denials is shown with its session, and asked about again once somebody lifts that",
    atNight,
    async ({ page, world }) => {
      const agent = await world.agent("files", "coder")
      for (const name of ["one.txt", "two.txt", "three.txt"]) {
        const asked = write(world, agent, name)
        await expect.poll(() => pending(world)).toBe(1)
        await denyAll(world)
        expect(await asked).toBe("refused")
      }
      expect(await write(world, agent, "four.txt")).toBe("refused")
      await world.signIn(page, "/sessions")
      const refused = page.getByRole("list", { name: "Blocked tools" })
      await expect(refused.getByText("files(write_file)")).toBeVisible()
      await refused.getByRole("button", { name: "Unblock files(write_file)" }).click()
      await expect(refused).toBeHidden()
      const asked = write(world, agent, "five.txt")
      await expect.poll(() => pending(world)).toBe(1)
      await denyAll(world)
      await asked
    },
  )
})

async function denyAll(world: World): Promise<void> {
  const waiting = await world.people.listApprovals({ query: { status: "pending" } })
  for (const { id } of waiting.ok ? waiting.value.items : []) await answerCall(world.people, id, { kind: "deny" })
}

test(
  "R148: a client before a wrap is told by its name, version and folder, as connected, and as gone once it was killed",
  atNight,
  async ({ page, world }) => {
    test.slow()
    const tools = join(world.workspace, "tools.json")
    const greet = { name: "greet", description: "Greets somebody.", inputSchema: { type: "object", properties: {} } }
    writeFileSync(tools, JSON.stringify([greet]))
    const server = [process.execPath, fileURLToPath(new URL("../fixtures/told-server.ts", import.meta.url)), tools]
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, "wrap", "--name", "odd", "--data", world.place.data, "--", ...server],
      cwd: world.workspace,
    })
    const name = `Editor ${"with a long name ".repeat(12)}`
    const client = new McpClient({ name, version: "2.1.3" })
    await client.connect(transport)
    const held = client.callTool({ name: "greet", arguments: {} }).catch(() => "cut off")
    await expect.poll(() => pending(world)).toBe(1)

    await world.signIn(page)
    await page.getByRole("button", { name: /^odd\(greet\)/ }).click()
    const card = page.getByRole("region", { name: "Selected call" })
    await expect(card.getByText(/^“Editor with a long name .*…” .*asks to call$/)).toBeVisible()
    await expect(card.getByText(world.workspace)).toBeVisible()
    await expect(card.getByText("waiting for the result")).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

    await page.goto(new URL("/sessions", world.url()).href)
    const slip = page.getByRole("region", { name: /^Editor with a long name/ })
    await expect(slip.getByText("Connected, active")).toBeVisible()
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    process.kill(transport.pid ?? 0, "SIGKILL")
    await held
    await expect(slip.getByText("Disconnected")).toBeVisible({ timeout: 20_000 })
    await expect(slip.getByRole("button")).toHaveCount(0)
    await expectAccessibleAtNight(page)
  },
)
