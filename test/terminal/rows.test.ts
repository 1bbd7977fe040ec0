/** Words that others chose, at terminals of several widths: none of them begins a row, where it would look like words of ours. */
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { lineWidth } from "../../apps/cli/src/decide/cut-line.ts"
import { type Ended, runHere } from "../../apps/cli/src/service/fixtures/run-here.ts"
import { makePlace } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { answerCall } from "../api/answer-call.ts"
import { legacyAgent } from "../api/legacy-agent.ts"
import { atTerminal, hasTerminals } from "./at-terminal.ts"
import { forged, forging, forgingFolder } from "./programs/hostile-texts.ts"

const program = fileURLToPath(new URL("./programs/hostile-server.ts", import.meta.url))

let scene: Awaited<ReturnType<typeof openScene>>
beforeAll(async () => {
  scene = await openScene()
}, 120_000)
afterAll(() => scene?.close())

/** Commands that print what agents, tools, folders, rules and people are named. */
const commands: ReadonlyArray<readonly string[]> = [
  ["pending"],
  ["pending", "--full"],
  ["pending", "ID"],
  ["approve", "ID", "no-such-call"],
  ["deny", "no-such-call"],
  ["grants", "list"],
  ["sessions", "list"],
  ["servers", "list"],
  ["servers", "changes"],
  ["tokens", "list"],
  ["reviewers", "list"],
  ["policy", "check", "--config", "CONFIG"],
  ["policy", "explain", "hostile", forging],
  ["policy", "explain", "hostile", "write_file", "--args", JSON.stringify({ path: `/srv/${forging}` })],
  ["policy", "replay", "--config", "OTHER"],
  ["policy", "suggest"],
  ["policy", "suggest", "--digest"],
  ["policy", "observed"],
  ["policy", "templates"],
  ["policy", "templates", forging],
  ["export", "claude-code"],
  ["import", "claude-code", "SETTINGS", "--dry-run"],
  ["launch", "claude", "--print"],
  ["setup", "--dry-run"],
  ["runs", "list"],
  ["runs", "show", forging],
  ["replay", forging],
  ["audit", "list"],
  ["audit", "export", "--format", "csv"],
  ["doctor"],
  [forgingFolder],
]

describe.each([60, 80, 100, 120])("R139: at a terminal %i columns wide", (columns) => {
  it.each(commands.map((words) => ({ words, name: words.map((word) => word.slice(0, 12)).join(" ") })))(
    "no row of byleave $name is begun by others",
    async ({ words }) => {
      const { stdout, stderr } = await scene.at(columns, words)
      expect(`${stdout}${stderr}`).not.toBe("")
      expectRowsOfOurs(stdout, columns)
      expectRowsOfOurs(stderr, columns)
    },
    60_000,
  )
})

describe.skipIf(!hasTerminals)("R139: on a real terminal (skipped: needs Linux and util-linux script)", () => {
  it.each([60, 100])(
    "what an approval saves is told in rows of ours, %i columns wide",
    async (columns) => {
      const { id, over } = await scene.hold(forging, { value: columns })
      const { code, shown } = await atTerminal(["approve", id, "--always", ...scene.data], [], {}, columns)
      expect(code, shown).toBe(0)
      expect(shown).toContain("  save       ")
      expect(shown).toContain("Saved: ")
      expectRowsOfOurs(shown, columns)
      await over()
      const { grants } = JSON.parse((await scene.place.command("grants", "list", "--json", ...scene.data)).stdout)
      await scene.place.command("grants", "revoke", grants[0].id, ...scene.data)
    },
    60_000,
  )

  it.each([60, 100])(
    "so is what accepted rules add and replace, %i columns wide",
    async (columns) => {
      const list = await atTerminal(["policy", "suggest", ...scene.data], [], {}, columns)
      expect(list.shown).toContain("Accept one with")
      expectRowsOfOurs(list.shown, columns)
      const before = readFileSync(scene.place.config, "utf8")
      const { code, shown } = await atTerminal(["policy", "suggest", "--accept", "all", ...scene.data], [], {}, columns)
      expect(code, shown).toBe(0)
      expect(shown).toContain("Add:")
      expectRowsOfOurs(shown, columns)
      scene.place.write(before)
    },
    60_000,
  )
})

/** Whether a command takes the data folder. */
function isOfService([first = "", second]: readonly string[]): boolean {
  return first !== "replay" && first !== forgingFolder && second !== "templates"
}

/** No row is ended by the terminal itself, and none begins with the words of others. */
function expectRowsOfOurs(shown: string, columns: number): void {
  const rows = shown.replaceAll("\r", "").split("\n")
  expect(rows.filter((row) => lineWidth(row) > columns)).toEqual([])
  expect(rows.filter((row) => row.trimStart().startsWith(forged))).toEqual([])
}

/** A service whose agents, tools and folders are named by others, some calls approved and one waiting. */
async function openScene() {
  const config = `version: 1
servers:
  hostile:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(program)}]
policy:
  rules:
    - deny: ${JSON.stringify(`hostile(${forgingFolder}*x)`)}
      when: { path: { under: ${JSON.stringify(`/srv/${forgingFolder}`)} } }
      reason: ${JSON.stringify(forging)}
agents: { anonymous: true }
reviewers: { presence: none }
`
  const place = makePlace(config)
  const folder = dirname(place.config)
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  await place.command("init", "--presence", "none", "--data", place.data)
  const { url } = await place.serve()
  const people = await place.reviewer(url)
  const held = new Set<string>()
  const waiting = async (): Promise<string> => {
    const listed = await people.listApprovals({ query: { status: "pending" } })
    return listed.ok ? (listed.value.items.find(({ id }) => !held.has(id))?.id ?? "") : ""
  }
  /** A call that waits, by an agent of its own. */
  const hold = async (name: string, args: Record<string, unknown>) => {
    const agent = await legacyAgent(`${url}/mcp/hostile`, forging)
    const outcome = agent.call(name, args).catch(() => "")
    const id = await vi.waitUntil(waiting, { timeout: 30_000 })
    held.add(id)
    return { id, over: () => outcome }
  }
  for (const at of [1, 2, 3, 4]) {
    const { id, over } = await hold("write_file", { path: `/srv/${forgingFolder}/${at}.md` })
    await answerCall(people, id, { kind: "approve" })
    await over()
  }
  const data = ["--data", place.data]
  const other = file("other.yaml", config.replace("- deny", "- allow"))
  const settings = file(
    "settings.json",
    JSON.stringify({ permissions: { allow: [`Read(/srv/${forging}/**)`], deny: [forging] } }),
  )
  const waits = await hold(forging, { [forging]: forging })
  /** A command, in this process, as a terminal of so many columns gets it. */
  const at = (columns: number, words: readonly string[]): Promise<Ended> => {
    const given = new Map([
      ["ID", waits.id],
      ["CONFIG", place.config],
      ["OTHER", other],
      ["SETTINGS", settings],
    ])
    const said = words.map((word) => given.get(word) ?? word)
    const withData = isOfService(words) ? [...said, ...data] : said
    return runHere(withData, { PATH: process.env.PATH ?? "", HOME: folder, NO_COLOR: "1" }, columns)
  }
  return { place, data, at, hold, close: () => place.dispose() }
}
