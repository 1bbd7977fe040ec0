import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { main, makePlace, type Place } from "../../service/fixtures/service-process.ts"

const hasTerminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0

const places: Place[] = []
function place(): Place {
  const made = makePlace("version: 1\npolicy: { default: ask }\n")
  places.push(made)
  return made
}
afterEach(async () => {
  for (const made of places.splice(0)) await made.dispose()
})

/** Runs a command on a terminal of its own and types an answer at each prompt. */
async function atTerminal(args: readonly string[], answers: ReadonlyArray<readonly [string, string]>) {
  const words = [process.execPath, main, ...args].map((word) => `'${word}'`).join(" ")
  const child = spawn("script", ["--quiet", "--return", "--command", words, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  let shown = ""
  const left = [...answers]
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text
    const [next] = left
    if (next === undefined || !shown.endsWith(next[0])) return
    left.shift()
    child.stdin.write(`${next[1]}\r`)
  })
  const [code] = await once(child, "close")
  return { code: code as number, shown }
}

const choose = (pin: string, again = pin): ReadonlyArray<readonly [string, string]> => [
  ["characters): ", pin],
  ["Repeat the PIN: ", again],
]

describe.skipIf(!hasTerminals)("the PIN (skipped: needs Linux and util-linux script)", () => {
  it("is typed unseen, unlocks signing in, and is in no file", async () => {
    const { data, serve } = place()
    const init = await atTerminal(["init", "--data", data], choose("corr3ct-horse"))
    expect(init, init.shown).toMatchObject({ code: 0 })
    expect(init.shown).not.toContain("corr3ct-horse")
    for (const name of ["terminal.json", "reviewer-key.json", "byleave.db"]) {
      expect(readFileSync(join(data, name)).includes("corr3ct-horse"), name).toBe(false)
    }
    await serve()
    const opened = await atTerminal(
      ["open", "--print", "--data", data],
      [
        ["PIN: ", "wrong"],
        ["PIN: ", "corr3ct-horse"],
      ],
    )
    expect(opened, opened.shown).toMatchObject({
      code: 0,
      shown: expect.stringMatching(/http:\/\/127\.0\.0\.1:\d+\/\S+/),
    })
  })

  it("is changed only by who knows it, and then the old one opens nothing", async () => {
    const { data } = place()
    await atTerminal(["init", "--data", data], choose("corr3ct-horse"))
    const before = readFileSync(join(data, "reviewer-key.json"), "utf8")
    const wrong = await atTerminal(["init", "--data", data], [...choose("another-one"), ["Current PIN: ", "guess"]])
    expect(wrong).toMatchObject({ code: 1, shown: expect.stringContaining("Wrong PIN") })
    expect(readFileSync(join(data, "reviewer-key.json"), "utf8")).toBe(before)
    const right = await atTerminal(
      ["init", "--data", data],
      [...choose("another-one"), ["Current PIN: ", "corr3ct-horse"]],
    )
    expect(right, right.shown).toMatchObject({ code: 0 })
    expect(readFileSync(join(data, "reviewer-key.json"), "utf8")).not.toBe(before)
  })

  it("is asked for again after one that is too short, and after two that differ", async () => {
    const { data } = place()
    const slips = [...choose("12345").slice(0, 1), ...choose("corr3ct-horse", "correct-horse")]
    const init = await atTerminal(["init", "--data", data], [...slips, ...choose("corr3ct-horse")])
    expect(init, init.shown).toMatchObject({ code: 0, shown: expect.stringMatching(/at least 6[\s\S]*did not match/) })
  })

  it.each([
    { name: "too short", answers: choose("12345").slice(0, 1), says: "at least 6" },
    {
      name: "typed differently the second time",
      answers: choose("corr3ct-horse", "correct-horse"),
      says: "did not match",
    },
  ])("is not taken when $name three times, and nothing is begun", async ({ answers, says }) => {
    const { data } = place()
    const init = await atTerminal(["init", "--data", data], [...answers, ...answers, ...answers])
    expect(init).toMatchObject({ code: 1, shown: expect.stringContaining(says) })
    expect(existsSync(data)).toBe(false)
  })

  it("is not asked for again once the person gives up", async () => {
    const { data } = place()
    const init = await atTerminal(["init", "--data", data], choose("corr3ct-horse", "\u0003"))
    expect(init).toMatchObject({ code: 1, shown: expect.stringContaining("No PIN was entered") })
    expect(existsSync(data)).toBe(false)
  })
})

it("a PIN comes from a terminal alone: neither pipe nor environment gives one", async () => {
  const { data } = place()
  const options = {
    input: "corr3ct-horse\ncorr3ct-horse\n",
    encoding: "utf8",
    env: { PATH: process.env.PATH, PIN: "corr3ct-horse" },
  } as const
  // In a session of its own there is no terminal to ask on.
  const init = spawnSync("setsid", ["--wait", process.execPath, main, "init", "--data", data], options)
  expect(init).toMatchObject({ status: 1, stderr: expect.stringContaining("must be typed in a terminal") })
  expect(existsSync(join(data, "terminal.json"))).toBe(false)
})

describe("presence: pin, while no reviewer has a PIN", () => {
  const config = (presence: "pin" | "none") => `version: 1\nreviewers: { presence: ${presence} }\n`

  async function withoutPin() {
    const made = place()
    made.write(config("none"))
    await made.run("init", "--presence", "none", "--data", made.data).ended
    return made
  }

  it("is not taken from the file, by an edit or at a start, and everything goes on without", async () => {
    const made = await withoutPin()
    const running = await made.serve()
    const person = await made.reviewer(running.url)
    const version = async () => {
      const text = await person.getPolicyText()
      return text.ok ? text.value : null
    }
    const before = await version()
    expect(await person.savePolicy({ body: { text: config("pin"), version: before?.version ?? "" } })).toMatchObject({
      ...{ ok: false, problem: { problems: [expect.stringContaining("byleave init")] } },
    })
    made.write(config("pin"))
    await expect.poll(() => running.output().stderr, { timeout: 15_000 }).toContain("no reviewer has a PIN")
    expect((await version())?.problems[0]?.message).toContain("byleave init")
    expect(await person.me()).toMatchObject({ ok: true, value: { presence: "none" } })
    running.child.kill("SIGTERM")
    await running.ended
    const refused = await made.run("serve", "--config", made.config, "--data", made.data, "--port", "0").ended
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("no reviewer has a PIN") })
    made.write(config("none"))
    await made.serve()
  })

  it.skipIf(!hasTerminals)("is taken once somebody has chosen one with init", async () => {
    const made = await withoutPin()
    const { url } = await made.serve()
    const person = await made.reviewer(url)
    const init = await atTerminal(["init", "--data", made.data], choose("corr3ct-horse"))
    expect(init, init.shown).toMatchObject({ code: 0 })
    made.write(config("pin"))
    const again = await made.reviewer(url)
    const presence = async () => {
      const me = await again.me()
      return me.ok && me.value.presence
    }
    await expect.poll(presence, { timeout: 15_000 }).toBe("pin")
    expect(await person.me()).toMatchObject({ ok: false })
  })
})
