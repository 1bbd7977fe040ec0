/** Two programs under one name: what was allowed to one is not allowed to the other. */
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import { answerCall } from "../api/answer-call.ts"
import { definitionDisplayed } from "../api/as-displayed.ts"
import { decide, makeScene, type Scene, type Wrapped, waitingCalls } from "./wrapping.ts"

let scene: Scene
afterEach(() => scene.dispose())

const config = `version: 1
policy:
  rules:
    - allow: "odd-server(surroundings)"
reviewers: { presence: none }
`

/** The odd server, copied into a folder of its own, wrapped without a name. */
function wrapIn(folder: string): Wrapped {
  const [node = "", file = "", log = ""] = scene.oddServer
  const copy = join(dirname(log), folder, "odd-server.ts")
  mkdirSync(dirname(copy), { recursive: true })
  copyFileSync(file, copy)
  return scene.wrapAs("--", node, copy, log)
}

describe("two programs whose files have the same name", { timeout: 60_000 }, () => {
  it("are told apart: no yes for one runs the other until a person has accepted it", async () => {
    scene = await makeScene(config)
    const { url } = await scene.serve()
    const person = await scene.reviewer(url)
    const one = wrapIn("one")
    await one.open()
    expect((await one.call("surroundings")).result.isError ?? false).toBe(false)
    const echoed = one.call("echo")
    const [first] = await waitingCalls(person, 1)
    if (first === undefined) throw new Error("nothing waits")
    const remember = { scope: "always", breadth: { kind: "tool", ...first.tool } } as const
    expect((await answerCall(person, first.id, { kind: "approve", remember })).ok).toBe(true)
    await echoed
    expect((await one.call("echo", '{"again":true}')).result.isError ?? false).toBe(false)
    const ran = scene.calls().length

    const two = wrapIn("two")
    await two.open()
    const answers = [two.call("echo", '{"twin":true}'), two.call("surroundings")]
    const held = await waitingCalls(person, 2)
    expect(held.map(({ tool }) => tool.tool).toSorted()).toEqual(["echo", "surroundings"])
    expect(scene.calls()).toHaveLength(ran)
    const [looked] = held[0]?.risks ?? []
    expect(looked).toMatchObject({
      kind: "other-program",
      sentence: expect.stringMatching(/two\/odd-server\.ts.*one\/odd-server\.ts/),
    })
    await expect.poll(two.stderr).toContain("--name")
    const pending = await scene.command("pending", held[0]?.id ?? "", "--data", scene.data)
    expect(pending.stdout.replaceAll(/[\s│]+/g, " ")).toContain("is now a different program")
    // The first goes on as before.
    expect((await one.call("surroundings")).result.isError ?? false).toBe(false)
    for (const view of held) await decide(person, "deny", view)
    await Promise.all(answers)

    void two.call("surroundings")
    await waitingCalls(person, 1)
    const pins = await person.listPins({ query: { server: "odd-server", waiting: "true" } })
    const [program] = pins.ok ? pins.value.items : []
    expect(program).toMatchObject({ tool: "(program)", differences: expect.arrayContaining([expect.anything()]) })
    const accepted = await definitionDisplayed(person, { server: "odd-server", tool: "(program)" })
    expect((await person.acceptPin({ body: accepted })).ok).toBe(true)
    expect((await two.call("echo", '{"accepted":true}')).result.isError ?? false).toBe(false)
  })
})

describe("a command that PATH finds", { timeout: 60_000 }, () => {
  it("is the same program in another session, and another one by another file, folder or variable", async () => {
    scene = await makeScene(config)
    const { url } = await scene.serve()
    const person = await scene.reviewer(url)
    const [node = "", file = "", log = ""] = scene.oddServer
    const place = dirname(log)
    for (const each of ["bin", "twin"]) {
      mkdirSync(join(place, each))
      writeFileSync(join(place, each, "odd-server"), `#!${node}\nimport(${JSON.stringify(file)})\n`)
      chmodSync(join(place, each, "odd-server"), 0o755)
    }
    const surroundings = async (cwd: string, env: Readonly<Record<string, string>>) => {
      const wrapped = scene.wrapFrom(cwd, env, "--", "odd-server", log)
      await wrapped.open()
      return { wrapped, answer: wrapped.call("surroundings") }
    }
    const [bin, twin] = [join(place, "bin"), join(place, "twin")]
    const session = (name: string) => ({
      PATH: `${bin}:${scene.env.PATH}`,
      SSH_AUTH_SOCK: `/tmp/${name}`,
      PWD: `/${name}`,
    })
    for (const each of ["one", "two"]) {
      const { answer } = await surroundings(place, session(each))
      expect((await answer).result.isError ?? false).toBe(false)
    }
    const others = [
      // An empty part of PATH is no folder: what is started is the twin.
      { cwd: bin, env: { PATH: `:${twin}:${scene.env.PATH}` }, said: `${twin}/odd-server` },
      { cwd: place, env: { ...session("one"), SOME_TOOLS_OWN: twin }, said: `SOME_TOOLS_OWN=${twin}` },
    ]
    for (const [at, { cwd, env, said }] of others.entries()) {
      const { wrapped } = await surroundings(cwd, env)
      await waitingCalls(person, at + 1)
      await expect.poll(wrapped.stderr).toContain(said)
    }
    expect(scene.calls().filter((line) => line.startsWith("surroundings"))).toHaveLength(2)
  })
})

describe("two programs of one name that list no tools", { timeout: 60_000 }, () => {
  const file = fileURLToPath(new URL("./programs/notes-server.ts", import.meta.url))
  const rules = `version: 1
policy:
  default: deny
  rules:
    - allow: "ruled(resource:*)"
    - allow: "ruled(prompt:*)"
reviewers: { presence: none }
`

  async function notesIn(folder: string, name: string): Promise<Wrapped> {
    const [node = "", , log = ""] = scene.oddServer
    const copy = join(dirname(log), folder, "notes-server.ts")
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(file, copy)
    const wrapped = scene.wrapAs("--name", name, "--", node, copy)
    await wrapped.open()
    return wrapped
  }

  const readAll = async ({ ask }: Wrapped) => [
    (await ask("resources/read", '{"uri":"notes://a"}')).text,
    (await ask("prompts/get", '{"name":"p"}')).text,
  ]

  it("are told apart: what the other one has is refused until a person has accepted it", async () => {
    scene = await makeScene(rules)
    const { url } = await scene.serve()
    const person = await scene.reviewer(url)
    // With rules about what they have, and without any; after a listing, and without one.
    for (const name of ["ruled", "free"]) {
      const one = await notesIn("one", name)
      if (name === "ruled") await one.ask("tools/list", "{}")
      const given = [expect.stringContaining("The note."), expect.stringContaining("The prompt.")]
      expect(await readAll(one)).toEqual(given)
      const two = await notesIn("two", name)
      if (name === "ruled") await two.ask("tools/list", "{}")
      const refused = expect.stringContaining("different program")
      expect(await readAll(two)).toEqual([refused, refused])
      // The first goes on as before.
      expect(await readAll(one)).toEqual(given)

      // One that has listed something withdraws the other by what it lists; that is shown again with its next request.
      expect(await readAll(two)).toEqual([refused, refused])
      const accepted = await definitionDisplayed(person, { server: name, tool: "(program)" })
      expect((await person.acceptPin({ body: accepted })).ok).toBe(true)
      expect(await readAll(two)).toEqual(given)
      // Both are accepted now, until a person rejects one.
      expect(await readAll(one)).toEqual(given)
      const rejecting = await scene.command("servers", "reject", `${name}((program))`, "--data", scene.data)
      expect(rejecting.stdout).toContain("Rejected")
      expect(await readAll(two)).toEqual([refused, refused])
      expect(await readAll(one)).toEqual(given)
    }
  })
})
