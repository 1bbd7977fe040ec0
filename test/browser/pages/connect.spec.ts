import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { atNight, expect, expectAccessible, expectAccessibleAtNight, test } from "../fixtures/test.ts"

test.use({ newWorld: true })

test("an agent is connected from nothing: a client is chosen, a token made, all of it copied, and its first call told of", async ({
  page,
  context,
  world,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  await world.signIn(page)
  await expect(page.getByText("Waiting for the first call…")).toBeVisible()
  await expect(page.getByText("npm run demo")).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole("navigation", { name: "Client" }).getByRole("link", { name: "Codex" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Connect an agent" })).toBeVisible()
  await expect(page.getByText(`url = "${world.url()}/mcp"`)).toBeVisible()
  await expect(page.getByText(`leaves asking to Byleave`)).toBeVisible()
  await expect(page.getByRole("button", { name: /whole configuration/ })).toHaveCount(0)
  await expect(page.getByRole("link", { name: "Review change" })).toHaveCount(0)
  await page.getByRole("combobox", { name: "Servers" }).selectOption("files")
  await page.getByRole("button", { name: "Create token" }).click()
  await expect(page.getByText("Token created")).toBeVisible()
  await expectAccessible(page)

  // Leaving now would lose the token: that is asked about.
  await page.getByRole("link", { name: "Servers" }).first().click()
  await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click()
  await page.getByRole("button", { name: /whole configuration/ }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const [, token = ""] = /BYLEAVE_TOKEN=(\S+)/.exec(copied) ?? []
  const [, url = ""] = /url = "([^"]+)"/.exec(copied) ?? []
  expect(url).toBe(`${world.url()}/mcp/files`)

  const agent = new Client({ name: "codex-test", version: "1.2.3" })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await agent.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  await expect(page.getByText("codex-test 1.2.3 is connected")).toBeVisible()
  await agent.callTool({ name: "list_directory", arguments: { path: "." } })
  await expect(page.getByText("codex-test 1.2.3 called files(list_directory)")).toBeVisible()
  await expectAccessibleAtNight(page)
  await page.getByRole("link", { name: "View session" }).click()
  await expect(page.getByRole("heading", { level: 1 })).toContainText("codex-test 1.2.3")
  await agent.close()
  await page.getByRole("link", { name: "Waiting", exact: true }).first().click()
  await expect(page.getByText("No calls waiting")).toBeVisible()
})

test("where servers are missing, a change that waits to add some is linked", atNight, async ({ page, world }) => {
  world.place.write("version: 1\nagents: { anonymous: true }\nreviewers: { presence: none }\n")
  await world.restart()
  await world.signIn(page, "/servers")
  await expect(page.getByText("No servers yet")).toBeVisible()
  writeFileSync(
    world.place.config,
    `version: 1
servers: { files: { command: node, args: [../servers/filesystem.js, .], cwd: workspace } }
agents: { anonymous: true }
reviewers: { presence: none }
`,
  )
  await expect(page.getByRole("link", { name: "Review change" })).toBeVisible()
  await expectAccessibleAtNight(page)
  await page.getByRole("link", { name: "Connect an agent" }).click()
  await expect(page.getByText("No servers are configured")).toBeVisible()
  await page.getByRole("link", { name: "Review change" }).click()
  await expect(page.getByText("change_policy").first()).toBeVisible()
})

test("agents on the machine are set up with one press, and undone with another", async ({ page, world }) => {
  const file = join(dirname(world.place.config), ".cursor", "mcp.json")
  const text =
    '{\n  // mine\n  "mcpServers": { "notes": { "command": "npx", "args": ["-y", "notes-server", "--key", "sk-1234567890abcdef"] },\n    "web": { "url": "http://127.0.0.1:9/mcp", "headers": { "Plan": "basic", "X-Api-Key": "nobody-may-see" } } }\n}\n'
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  await world.signIn(page)
  await page.getByRole("link", { name: "Put Byleave in front of their servers" }).click()
  const cursor = page.getByRole("region", { name: "Cursor" })
  await expect(cursor).toContainText("notes: npx -y notes-server --key …")
  await expect(cursor).toContainText("notes: byleave wrap --name notes -- npx -y notes-server --key …")
  await expect(cursor).toContainText(
    'Then waits for your approval: Server web was added: http://127.0.0.1:9/mcp (with headers Plan="basic", X-Api-Key, a secret of 14 characters).',
  )
  await expect(page.getByText(/sk-1234567890abcdef|nobody-may-see/)).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole("button", { name: "Put Byleave in front of these" }).click()
  await expect(cursor).toContainText("notes: behind Byleave")
  expect(readFileSync(file, "utf8")).toContain('"wrap"')
  await page.getByRole("button", { name: "Undo setup" }).click()
  await expect(page.getByRole("button", { name: "Put Byleave in front of these" })).toBeVisible()
  await expect(page.getByRole("button", { name: "Undo setup" })).toHaveCount(0)
  expect(readFileSync(file, "utf8")).toBe(text)
})
