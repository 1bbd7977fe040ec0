/** An agent run as people have one: it pauses, the service dies, somebody approves with their PIN, and it finishes. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place, type Running } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { atTerminal, hasTerminals } from "./at-terminal.ts"

const filesystem = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
)
const pin = "corr3ct-horse"

const config = (workspace: string) => `version: 1
servers:
  files: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(filesystem)}, ${JSON.stringify(workspace)}], cwd: ${JSON.stringify(workspace)} }
policy:
  rules:
    - allow: "files(list_*)"
    - allow: "files(read_*)"
models:
  scripted:
    provider: scripted
    script:
      - when: tidy
        say: "Let me see.\\u001b[2J"
        calls: [{ tool: "files(list_directory)", args: { path: . } }, { tool: "files(read_text_file)", args: { path: notes.md } }]
      - when: tidy
        say: I would write it like this.
        calls: [{ tool: "files(write_file)", args: { path: notes.md, content: tidy } }]
      - when: tidy
        say: It is tidy now.
      - say: I know one task only.
reviewers: { presence: pin }
`

describe.skipIf(!hasTerminals)(
  "an agent run (skipped: needs Linux and util-linux script)",
  { timeout: 120_000 },
  () => {
    const workspace = realpathSync(mkdtempSync(join(tmpdir(), "byleave-runs-")))
    const notes = join(workspace, "notes.md")
    let place: Place
    let service: Running
    const data = () => ["--data", place.data]
    const start = (prompt: string) => atTerminal(["run", prompt, "--no-wait", ...data()], [["PIN: $", `${pin}\r`]])
    const started = async (prompt: string) => {
      await start(prompt)
      const { runs } = await json("runs", "list", "--status", "paused")
      return json("runs", "show", runs[0].id)
    }
    const json = async (...args: readonly string[]) => {
      const { stdout, stderr } = await place.command(...args, "--json", ...data())
      return JSON.parse(stdout === "" ? `"${stderr}"` : stdout)
    }

    beforeAll(async () => {
      writeFileSync(notes, "- b\n- a\n- b\n")
      place = makePlace(config(workspace))
      await atTerminal(
        ["init", ...data()],
        [
          ["characters\\): $", `${pin}\r`],
          ["Repeat the PIN: $", `${pin}\r`],
        ],
      )
      service = await place.serve()
    }, 60_000)

    afterAll(async () => {
      await place?.dispose()
      rmSync(workspace, { recursive: true, force: true })
    })

    it("R14, R68, R70, R77, R78: pauses at a write, outlives the service, and finishes once it is approved", async () => {
      const begun = await start("tidy my notes")
      expect(begun, begun.shown).toMatchObject({ code: 0, shown: expect.stringContaining("byleave approve") })
      const { runs: paused } = await json("runs", "list")
      const shown = place.run("runs", "show", paused[0].id, "--follow", ...data())
      await expect.poll(() => shown.output().stdout, { timeout: 30_000 }).toContain("Ctrl-C leaves")
      expect(shown.output().stdout).toContain("byleave approve")
      expect(shown.output().stdout).toContain("⟨U+001B⟩[2J")
      expect(shown.output().stdout).not.toContain("\u001b")
      expect(readFileSync(notes, "utf8")).toBe("- b\n- a\n- b\n")

      service.child.kill("SIGKILL")
      await service.ended
      await expect.poll(() => shown.output().stdout, { timeout: 30_000 }).toContain("The service is not running")
      service = await place.serve()

      const { runs } = await json("runs", "list")
      expect(runs).toMatchObject([{ status: "paused", title: "tidy my notes", steps: 2 }])
      const { waiting } = await json("pending")
      expect(waiting).toMatchObject([{ tool: { tool: "write_file" }, principal: { id: "run" } }])
      const { id } = waiting[0]
      const approved = await atTerminal(["approve", id, ...data()], [["PIN: $", `${pin}\r`]])
      expect(approved, approved.shown).toMatchObject({ code: 0, shown: expect.stringContaining("its agent run") })
      expect(approved.shown).toContain("tidy my notes")

      const ended = await shown.ended
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      expect(ended.stdout).toContain("It is tidy now.")
      expect(ended.stdout).toContain("Finished (3 steps")
      expect(ended.stdout.split("Let me see.")).toHaveLength(2)
      expect(readFileSync(notes, "utf8")).toBe("tidy")

      const { story } = await json("runs", "show", runs[0].id)
      const outcomes = story.filter(({ kind }: { kind: string }) => kind === "outcome")
      expect(outcomes.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["result", "result", "result"])
    })

    it("is left with Ctrl-C without being lost, and goes on with a message", async () => {
      const { run: begun } = await started("tidy once more")
      const shown = place.run("runs", "show", begun.id, "--follow", ...data())
      await expect.poll(() => shown.output().stdout, { timeout: 30_000 }).toContain("Ctrl-C leaves")
      shown.child.kill("SIGINT")
      expect(await shown.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("come back with") })
      const { runs } = await json("runs", "list", "--status", "paused")
      expect(runs).toHaveLength(1)
      const [run] = runs
      const goOn = (...more: readonly string[]) =>
        atTerminal(["runs", "continue", ...more, ...data()], [["PIN: $", `${pin}\r`]])
      const waits = await goOn(run.id, "hello")
      expect(waits).toMatchObject({ code: 1, shown: expect.stringContaining("still waits") })
      const absent = await place.command("runs", "continue", run.id, "hello", ...data())
      expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining("PIN") })
      const { waiting } = await json("pending")
      const denied = await place.command("deny", waiting[0].id, "--reason", "Not now.", ...data())
      expect(denied).toMatchObject({ code: 0 })
      await expect.poll(async () => (await json("runs", "list"))?.runs[0].status).toBe("finished")
      const told = await goOn(run.id.slice(-8), "hello", "--no-wait")
      expect(told, told.shown).toMatchObject({ code: 0, shown: expect.stringContaining("I know one task only.") })
      const whole = await place.command("runs", "show", run.id, ...data())
      expect(whole.stdout).toContain("Not now.")
    })

    it("is cancelled, with what waits for it", async () => {
      const paused = await started("tidy again")
      expect(paused).toMatchObject({ run: { status: "paused" }, requirements: [{ isAnswered: false }] })
      const cancelled = await place.command("runs", "cancel", paused.run.id, ...data())
      expect(cancelled).toMatchObject({ code: 0, stdout: "Cancelled: tidy again\n" })
      expect((await json("pending")).waiting).toEqual([])
      const shown = await place.command("runs", "show", paused.run.id, ...data())
      expect(shown.stdout).toContain("cancelled")
    })

    it("R71, R190: is taken away in a file, goes on once where it is brought, and is recorded when it is over", async () => {
      const paused = await started("tidy for the road")
      const file = join(workspace, "road.run")
      const exported = await place.command("runs", "export", paused.run.id, file, ...data())
      expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining("runs import") })
      expect(readFileSync(file, "utf8")).toMatch(/^byleave-run\.1\./)
      expect((await json("pending")).waiting).toEqual([])
      expect((await json("runs", "show", paused.run.id)).run).toMatchObject({ status: "cancelled", wasExported: true })

      const again = await place.command("runs", "export", paused.run.id, `${file}.2`, ...data())
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("cancelled") })
      expect(existsSync(`${file}.2`)).toBe(false)

      const brought = await atTerminal(["runs", "import", file, "--no-wait", ...data()], [["PIN: $", `${pin}\r`]])
      expect(brought, brought.shown).toMatchObject({ code: 0, shown: expect.stringContaining("byleave approve") })
      const { runs } = await json("runs", "list", "--status", "paused")
      expect(runs).toMatchObject([{ title: "tidy for the road" }])
      const tooEarly = await place.command("runs", "record", runs[0].id, ...data())
      expect(tooEarly).toMatchObject({ code: 1, stderr: expect.stringContaining("still waits") })
      const used = await atTerminal(["runs", "import", file, ...data()], [["PIN: $", `${pin}\r`]])
      expect(used, used.shown).toMatchObject({ code: 1, shown: expect.stringContaining("imported already") })

      const { waiting } = await json("pending")
      await place.command("deny", waiting[0].id, "--reason", "Not on the road.", ...data())
      await expect.poll(async () => (await json("runs", "show", runs[0].id)).run.status).toBe("finished")
      const recording = join(workspace, "road.jsonl")
      const recorded = await place.command("runs", "record", runs[0].id, recording, ...data())
      expect(recorded, recorded.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("byleave replay") })
      expect(readFileSync(recording, "utf8")).toContain("tidy for the road")
      expect(await place.command("runs", "record", runs[0].id, recording, ...data())).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("exists already"),
      })
    })

    it("R192, R194: is recorded, and the recording played", async () => {
      const { runs } = await json("runs", "list", "--status", "finished")
      const first = runs.find(({ title }: { title: string }) => title === "tidy my notes")
      const recording = join(workspace, "first.jsonl")
      await place.command("runs", "record", first.id, recording, ...data())
      const played = await place.command("replay", recording)
      expect(played, played.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining("it is the same") })
    })

    it.each([
      { args: ["run", "x", "--model", "none"], words: "There is no model called none. There are: scripted" },
      { args: ["run", "x", "--server", "nowhere"], words: "No server is called nowhere. There are: files." },
    ])("byleave $args says what there is", async ({ args, words }) => {
      const ended = await atTerminal([...args, ...data()], [["PIN: $", `${pin}\r`]])
      expect(ended, ended.shown).toMatchObject({ code: 1, shown: expect.stringContaining(words) })
    })

    it.each([
      { args: ["run", "  "], code: 2, words: "Say what the agent is to do." },
      { args: ["run", "x", "--max-steps", "many"], code: 2, words: "--max-steps takes a number" },
      { args: ["runs", "show", "zzzz"], code: 1, words: "See byleave runs list." },
      { args: ["tokens", "add", "x", "--conveys-decisions"], code: 2, words: "goes with --runner" },
      { args: ["tokens", "add", "x", "--runner", "--gate"], code: 2, words: "not both" },
    ])("byleave $args says what is wrong", async ({ args, code, words }) => {
      const ended = await place.command(...args, ...data())
      expect(ended).toMatchObject({ code, stderr: expect.stringContaining(words) })
    })
  },
)
