import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { main, makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { atTerminal, hasTerminals } from "./at-terminal.ts"

const filesystem = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
)
const pin = "corr3ct-horse"

describe.skipIf(!hasTerminals)("a person at the terminal (skipped: needs Linux and util-linux script)", () => {
  const workspace = mkdtempSync(join(tmpdir(), "byleave-presence-"))
  let place: Place
  let agent: Client
  let url: string
  const data = () => ["--data", place.data]
  const write = (name: string, content: string) =>
    agent.callTool({ name: "write_file", arguments: { path: join(workspace, name), content } })
  const written = (name: string) => readFileSync(join(workspace, name), "utf8")
  const idOf = async (): Promise<string> => {
    for (let tries = 0; tries < 200; tries++) {
      const { stdout } = await place.command("pending", "--json", ...data())
      const [first] = JSON.parse(stdout).waiting
      if (first !== undefined) return String(first.id)
    }
    throw new Error("nothing waits")
  }

  beforeAll(async () => {
    place = makePlace(`version: 1
servers:
  files: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(filesystem)}, ${JSON.stringify(workspace)}] }
agents: { anonymous: true }
reviewers: { presence: pin }
`)
    await atTerminal(
      ["init", ...data()],
      [
        ["characters\\): $", `${pin}\r`],
        ["Repeat the PIN: $", `${pin}\r`],
      ],
    )
    ;({ url } = await place.serve())
    agent = new Client({ name: "agent", version: "1" })
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/files`)))
  }, 60_000)

  afterAll(async () => {
    await agent?.close().catch(() => undefined)
    await place?.dispose()
    rmSync(workspace, { recursive: true, force: true })
  })

  it("approves with the PIN and not without: a pipe, no terminal and a wrong PIN decide nothing", async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1} of 60`)
    const held = write("a.txt", lines.join("\n"))
    const id = await idOf()
    const piped = spawnSync("setsid", [process.execPath, main, "approve", id, ...data()], { input: `${pin}\n` })
    expect([piped.status, String(piped.stderr)]).toEqual([1, expect.stringContaining("No PIN was entered")])
    const wrong = await atTerminal(
      ["approve", id, ...data()],
      [
        ["PIN: $", "guess-1\r"],
        ["PIN: $", "guess-2\r"],
        ["PIN: $", "guess-3\r"],
      ],
    )
    expect(wrong).toMatchObject({ code: 1, shown: expect.stringContaining("Wrong PIN three times") })
    expect(await idOf()).toBe(id)
    const hasty = await atTerminal(
      ["approve", id, ...data()],
      [
        ["PIN: $", "guess-1\r"],
        // While it is being checked.
        [/^\r?\n/, "54321", 0],
        ["PIN: $", "\u0003"],
      ],
    )
    expect(hasty).toMatchObject({ code: 1, shown: expect.stringContaining("Wrong PIN") })
    expect(hasty.shown).not.toContain("54321")
    const right = await atTerminal(["approve", id, ...data()], [["PIN: $", `${pin}\r`]])
    expect(right, right.shown).toMatchObject({ code: 0, shown: expect.stringContaining("is approved") })
    expect(right.shown).not.toContain(pin)
    // The whole call stands there before the PIN is asked for.
    const beforePin = right.shown.slice(0, right.shown.indexOf("PIN: "))
    for (const part of ["write_file", join(workspace, "a.txt"), ...lines]) expect(beforePin).toContain(part)
    expect((await held).isError).not.toBe(true)
    expect(written("a.txt")).toBe(lines.join("\n"))
  }, 60_000)

  it("a terminal that was signed out is told the way back in, by the command and by doctor", async () => {
    const person = await place.reviewer(url)
    const { devices } = JSON.parse(readFileSync(join(place.data, "terminal.json"), "utf8"))
    expect((await person.revokeDevice({ params: { id: devices[1] } })).ok).toBe(true)
    const opened = await atTerminal(["open", "--print", ...data()], [["PIN: $", `${pin}\r`]])
    expect(opened).toMatchObject({ code: 1, shown: expect.stringContaining("byleave init") })
    const doctor = await place.command("doctor", "--json", ...data())
    expect(JSON.parse(doctor.stdout).findings).toContainEqual(
      expect.objectContaining({ about: "presence", state: "fail", sentence: expect.stringContaining("byleave init") }),
    )
    const again = await atTerminal(
      ["init", ...data()],
      [
        ["characters\\): $", `${pin}\r`],
        ["Repeat the PIN: $", `${pin}\r`],
        ["Current PIN: $", `${pin}\r`],
      ],
    )
    expect(again, again.shown).toMatchObject({ code: 0 })
    expect(await atTerminal(["open", "--print", ...data()], [["PIN: $", `${pin}\r`]])).toMatchObject({ code: 0 })
  }, 60_000)

  it("denies without a PIN", async () => {
    const held = write("b.txt", "no")
    expect((await place.command("deny", await idOf(), ...data())).code).toBe(0)
    expect((await held).isError).toBe(true)
  }, 60_000)

  it("watches: sees the call, a stray key decides nothing, a then y and the PIN do; hostile text stays text", async () => {
    const nasty = "\u001b[2J\u001b]52;c;ZXZpbA==\u0007 \u202eevil"
    const held = write("c.txt", nasty)
    await idOf()
    const watched = await atTerminal(
      ["watch", ...data()],
      [
        [/ {4}content: /, "x"],
        [/a allow once/, "a"],
        [/y: yes/, "n"],
        [/Nothing was decided/, "a"],
        [/y: yes/, "y"],
        ["PIN: $", `${pin}\r`],
        [/No waiting calls/, "q"],
      ],
    )
    expect(watched, watched.shown).toMatchObject({ code: 0 })
    expect((await held).isError).not.toBe(true)
    expect(written("c.txt")).toBe(nasty)
    // What the agent wrote neither cleared the screen nor reached the clipboard; and the screen was given back.
    expect(watched.shown).not.toContain("\u001b]52")
    expect(watched.shown).not.toContain("\u202e")
    expect(watched.shown).toContain("⟨U+001B⟩")
    expect(watched.shown.lastIndexOf("\u001b[?1049l")).toBeGreaterThan(watched.shown.lastIndexOf("\u001b[?1049h"))
  }, 90_000)
})
