import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import { atTerminal, hasTerminals } from "../../../../../test/terminal/at-terminal.ts"
import { makePlace, type Place } from "../../service/fixtures/service-process.ts"

const places: Place[] = []
afterEach(async () => {
  for (const made of places.splice(0)) await made.dispose()
})

const memory = fileURLToPath(
  new URL("../../../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js", import.meta.url),
)
const text = `{
  // mine
  "mcpServers": {
    "memory": { "command": "node", "args": [${JSON.stringify(memory)}] },
    "web": { "url": "http://127.0.0.1:9/mcp", "headers": { "Authorization": "Bearer nobody-may-see-1" } }
  }
}
`

const change =
  "Server web was added: http://127.0.0.1:9/mcp (with headers Authorization, a secret of 23 characters). Existing permissions for web will apply to it."

/** A home with a client in it. */
function place(presence: "none" | "pin" = "none") {
  const made = makePlace(`version: 1\nreviewers: { presence: ${presence} } # mine\n`)
  places.push(made)
  const file = join(dirname(made.data), ".cursor", "mcp.json")
  mkdirSync(dirname(file))
  writeFileSync(file, text)
  const setup = (...args: readonly string[]) => made.command("setup", "--data", made.data, ...args)
  return { ...made, file, setup, read: () => readFileSync(file, "utf8") }
}

describe("byleave setup", () => {
  it("shows the difference without secrets, and changes nothing with --dry-run", async () => {
    const { setup, read, data } = place()
    const { code, stdout } = await setup("--dry-run")
    expect(code).toBe(0)
    expect(stdout).toContain("Cursor  ~/.cursor/mcp.json")
    expect(stdout).toContain(`- memory: node ${memory}`)
    expect(stdout).toContain(`+ memory: byleave wrap --name memory -- node ${memory}`)
    expect(stdout).toContain("- web: http://127.0.0.1:9/mcp (with Authorization), which moves to byleave.yaml")
    expect(stdout).toContain(`Your yes to setup is also one to this: ${change}`)
    expect(stdout).not.toContain("nobody-may-see")
    expect(read()).toBe(text)
    expect(existsSync(join(data, "setup"))).toBe(false)
  })

  it("R27: puts a running service before every server; undo leaves no trace", async () => {
    const { setup, read, config, serve, command, data, reviewer } = place()
    await command("init", "--presence", "none", "--data", data)
    const { url } = await serve()
    const before = readFileSync(config, "utf8")
    const done = await setup("--yes", "--json")
    expect(done, done.stderr).toMatchObject({ code: 0 })
    expect(done.stdout).not.toContain("nobody-may-see")
    // What the yes is to is shown before it, also where a program gets the outcome, and is the very sentence that the service asks.
    expect(done.stderr).toContain(change)
    expect((await command("audit", "export", "--data", data)).stdout).toContain(change)
    const { memory: wrapped, web } = JSON.parse(read().replace("// mine", "")).mcpServers
    expect(wrapped.args.slice(0, 7)).toEqual(["wrap", "--data", data, "--name", "memory", "--", "node"])
    expect(web).toEqual({
      url: `${url}/mcp/web`,
      headers: { Authorization: expect.stringMatching(/^Bearer byl_agent_/) },
    })
    const client = await reviewer(url)
    const tokens = await client.listTokens()
    expect(tokens.ok && tokens.value.items.find(({ id }) => id === "cursor")).toMatchObject({
      kind: "agent",
      owner: null,
    })
    const servers = await client.listServers()
    expect(servers.ok && servers.value.items.map(({ id }) => id)).toContain("web")
    expect(await setup("--yes")).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing to change.") })

    expect(await setup("--undo", "--yes")).toMatchObject({ code: 0 })
    expect(read()).toBe(text)
    expect(readFileSync(config, "utf8")).toBe(before)
    expect(existsSync(join(data, "setup"))).toBe(false)
    const left = await client.listTokens()
    expect(left.ok && left.value.items.map(({ id }) => id)).not.toContain("cursor")
    expect(await setup("--undo", "--yes")).toMatchObject({ code: 0, stdout: "There is nothing to undo.\n" })
  })

  it("says yes to nothing but its own servers", async () => {
    const { setup, read, config, serve, command, data, write } = place()
    await command("init", "--presence", "none", "--data", data)
    const { url } = await serve()
    const own = readFileSync(config, "utf8")
    write(`${own}servers:\n  other: { url: "http://127.0.0.1:9/x" }\n`)
    const { code, stderr } = await setup("--yes")
    expect(code).toBe(1)
    expect(stderr).toContain("Another change of byleave.yaml waits for approval")
    expect(read()).toBe(text)
    expect(readFileSync(config, "utf8")).toContain("other:")
    expect(readFileSync(config, "utf8")).not.toContain("web:")
    expect(url).not.toBe("")
  })

  it("moves no server under a name that has permissions from an earlier one", async () => {
    const { setup, read, config, serve, command, data } = place()
    await command("init", "--presence", "none", "--data", data)
    await serve()
    const own = readFileSync(config, "utf8")
    await command("grants", "add", "web(pay)", "--data", data)
    const { code, stderr } = await setup("--yes")
    expect(code).toBe(1)
    expect(stderr).toContain("Permissions given to an earlier server called web would apply")
    expect(read()).toBe(text)
    expect(readFileSync(config, "utf8")).toBe(own)
  })

  it("ends with 1 and the line where a file is broken, and with 2 where there is no such client", async () => {
    const { setup, file } = place()
    writeFileSync(file, '{\n  "mcpServers": {{\n')
    const { code, stdout } = await setup("--dry-run")
    expect(code).toBe(1)
    expect(stdout).toContain("~/.cursor/mcp.json:2: This is not JSON")
    expect(await setup("emacs")).toMatchObject({ code: 2 })
    expect(await setup("codex")).toMatchObject({ code: 0, stdout: "No agents were found on this machine.\n" })
  })

  it("does nothing where nobody chose a PIN, or nobody is there to type it", async () => {
    const { setup, read, data } = place("pin")
    expect(await setup()).toMatchObject({ code: 1, stderr: expect.stringContaining("byleave init") })
    expect(read()).toBe(text)
    expect(existsSync(join(data, "setup"))).toBe(false)
  })
})

describe.skipIf(!hasTerminals)("at a terminal (skipped: needs Linux and util-linux script)", () => {
  it("the PIN is the yes, for setup and for undo; without a terminal nothing happens", async () => {
    const { data, config, serve, setup, read, file } = place("pin")
    const pin = "corr3ct-horse"
    await atTerminal(
      ["init", "--data", data],
      [
        ["characters\\): ", `${pin}\r`],
        ["Repeat the PIN: ", `${pin}\r`],
      ],
    )
    await serve()
    expect(await setup("--yes")).toMatchObject({ code: 1, stderr: expect.stringContaining("No PIN was entered") })
    expect(read()).toBe(text)
    const typing = (...args: readonly string[]) =>
      atTerminal(["setup", "--data", data, ...args], [["PIN: ", `${pin}\r`]], { HOME: dirname(dirname(file)) })
    // Another program writes to the file while the person reads and types.
    const extra = text.replace('"memory"', '"evil": { "url": "http://127.0.0.1:9/evil" }, "memory"')
    const meanwhile = () => {
      writeFileSync(file, extra)
      return `${pin}\r`
    }
    const refused = await atTerminal(["setup", "--data", data], [["PIN: ", meanwhile]], {
      HOME: dirname(dirname(file)),
    })
    expect(refused.code, refused.shown).toBe(1)
    expect(refused.shown).toContain("has changed since the difference was shown")
    expect(read()).toBe(extra)
    expect(readFileSync(config, "utf8")).not.toContain("127.0.0.1:9")
    writeFileSync(file, text)
    const done = await typing()
    expect(done, done.shown).toMatchObject({ code: 0 })
    expect(read()).toContain('"wrap"')
    expect(await setup("--undo", "--yes")).toMatchObject({ code: 1 })
    expect(read()).toContain('"wrap"')
    const undone = await typing("--undo")
    expect(undone, undone.shown).toMatchObject({ code: 0 })
    const [before = ""] = undone.shown.split("PIN: ")
    expect(before).toMatch(/Puts back:\s+~\/\.cursor\/mcp\.json\s.*byleave\.yaml.*: web\s+Revokes tokens: cursor/s)
    expect(read()).toBe(text)
  })
})
