/** Where the rules come from that `byleave launch` and `byleave export` pass on. */
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Client } from "@byleave/api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { answerChange, must, waitingChange } from "../../service/fixtures/reading-agent.ts"
import { compiled, main, makePlace, type Place } from "../../service/fixtures/service-process.ts"

const policy = (rule: string, use = "") =>
  `version: 1\nreviewers: { presence: none }\npolicy:\n${use}  rules:\n    - ${rule}\n`
/** Copilot's flags carry the rule as a denial of the tool as a whole: what matters is whether they are given. */
const under = policy(`{ deny: "files(read)", when: { path: { under: "$${"{PROJECT}"}" } } }`)
const own = policy('deny: "files"')
const foreign = policy('allow: "files"')
const denies = "--deny-tool=files"
const allows = "--allow-tool=files"

let place: Place
beforeEach(() => {
  place = makePlace(own)
})
afterEach(() => place.dispose())

/** The folder of a repository that somebody else wrote. */
function clone(): string {
  const folder = join(dirname(place.config), "clone")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "byleave.yaml"), foreign)
  return folder
}

function launchIn(cwd: string, ...more: readonly string[]) {
  return launchWith({}, cwd, ...more)
}

function launchWith(variables: Readonly<Record<string, string>>, cwd: string, ...more: readonly string[]) {
  const env = { PATH: process.env.PATH ?? "", HOME: dirname(place.config), NODE_COMPILE_CACHE: compiled, ...variables }
  const words = [main, "copilot", "--json", "--data", place.data, ...more]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd, env, encoding: "utf8" })
  const printed = status === 0 ? JSON.parse(stdout) : { args: [], config: null }
  return { status, args: printed.args, config: printed.config, stderr }
}

const serveAndStop = async (meanwhile?: (client: Client) => Promise<void>) => {
  const { child, ended, url } = await place.serve()
  await meanwhile?.(await place.reviewer(url))
  child.kill("SIGTERM")
  await ended
}

describe("without --config and without a service", () => {
  it("I1: the data folder's own file counts, whatever lies in the current folder", () => {
    mkdirSync(place.data, { recursive: true })
    writeFileSync(join(place.data, "byleave.yaml"), own)
    expect(launchIn(clone())).toMatchObject({
      status: 0,
      args: [denies],
      config: join(place.data, "byleave.yaml"),
    })
  })

  it("I1: where the data folder has none, nothing is started, and nothing is passed on", () => {
    expect(launchIn(clone())).toMatchObject({
      status: 1,
      args: [],
      stderr: expect.stringContaining("Specify a file with --config"),
    })
    expect(launchIn(clone(), "--config", "byleave.yaml")).toMatchObject({ status: 0, args: [allows] })
  })

  it("I1: the file that the service used counts, wherever it is, as long as it is as it was in force", async () => {
    await serveAndStop()
    expect(launchIn(clone())).toMatchObject({ status: 0, args: [denies], config: place.config })
    place.write(foreign)
    expect(launchIn(clone())).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is not as it was in force last"),
    })
    place.write(own)
    expect(launchIn(clone())).toMatchObject({ status: 0, args: [denies] })
  })

  it("I1: an edit counts once it is approved, and not while it waits", async () => {
    const wider = policy('allow: "files(read_file)"')
    await place.command("init", "--data", place.data, "--presence", "none")
    await serveAndStop(async (client) => {
      place.write(wider)
      await waitingChange(client)
    })
    expect(launchIn(clone())).toMatchObject({ status: 1, stderr: expect.stringContaining("answer the changes") })
    await serveAndStop(async (client) => {
      await waitingChange(client)
      await answerChange(client, "approve")
    })
    expect(launchIn(clone())).toMatchObject({ status: 0, args: ["--allow-tool=files(read_file)"] })
  })

  it("I1: a text of which a part has ceased to be in force counts no more, also where it is put back", async () => {
    const before = policy('allow: "files(read_file)"')
    place.write(before)
    await place.command("init", "--data", place.data, "--presence", "none")
    await serveAndStop(async (client) => {
      // The deny holds at once, and the allow waits.
      place.write(`${policy('deny: "files(read_file)"')}    - allow: "git(status)"\n`)
      await waitingChange(client)
    })
    place.write(before)
    expect(launchIn(clone())).toMatchObject({ status: 1, stderr: expect.stringContaining("Start the service") })
    await serveAndStop(async (client) => {
      await answerChange(client, "approve")
    })
    expect(launchIn(clone())).toMatchObject({ status: 0, args: ["--allow-tool=files(read_file)"] })
  })

  it("I1: a text that stays in force while an edit waits as a whole counts where it is put back", async () => {
    await place.command("init", "--data", place.data, "--presence", "none")
    const edited = `${own}    - allow: "git(status)"\n`
    await serveAndStop(async (client) => {
      place.write(edited)
      await waitingChange(client)
    })
    await serveAndStop(async (client) => {
      await waitingChange(client)
    })
    expect(launchIn(clone())).toMatchObject({ status: 1 })
    place.write(own)
    expect(launchIn(clone())).toMatchObject({ status: 0, args: [denies] })
  })

  it("I1: a template file that the configuration uses is a part of it", async () => {
    const template = join(dirname(place.config), "team.yaml")
    place.write("version: 1\nreviewers: { presence: none }\npolicy:\n  use: [./team.yaml]\n")
    writeFileSync(template, 'version: 1\npolicy:\n  rules:\n    - deny: "files"\n')
    await serveAndStop()
    expect(launchIn(clone())).toMatchObject({ status: 0, args: [denies] })
    writeFileSync(template, 'version: 1\npolicy:\n  rules:\n    - allow: "files"\n')
    expect(launchIn(clone())).toMatchObject({ status: 1 })
    rmSync(template)
    expect(launchIn(clone())).toMatchObject({ status: 1 })
  })
})

describe("with a running service", () => {
  it("I1: a rule is passed on that holds a word which is a secret elsewhere in the file", async () => {
    const servers = `servers: { files: { command: ${process.execPath}, env: { DB_PASSWORD: admin } } }\n`
    place.write(`${servers}${policy('deny: "files(admin_reset)"')}`)
    await place.command("init", "--data", place.data, "--presence", "none")
    const { url } = await place.serve()
    const { text } = must(await (await place.reviewer(url)).getPolicyText())
    expect(text).toContain("files(‹secret-1-of-5-characters›_reset)")
    const found = launchIn(clone())
    expect(found, found.stderr).toMatchObject({ status: 0, args: ["--deny-tool=files(admin_reset)"] })
  })

  it("I1, I2: rules count as the service read them, and no others, whatever variables say here", async () => {
    await place.dispose()
    place = makePlace(under, { PROJECT: "/srv/project" })
    await place.command("init", "--data", place.data, "--presence", "none")
    const { child, ended } = await place.serve()
    const asRead = { status: 0, args: ["--deny-tool=files(read)"] }
    const refused = { status: 1, args: [], stderr: expect.stringContaining("variable") }
    const tries = () => {
      expect(launchWith({ PROJECT: "/srv/project" }, clone())).toMatchObject(asRead)
      expect(launchWith({ PROJECT: "/" }, clone())).toMatchObject(refused)
      expect(launchWith({}, clone())).toMatchObject(refused)
    }
    tries()
    child.kill("SIGTERM")
    await ended
    tries()
  })

  it("rules of a template file are passed on, from the configuration's own place", async () => {
    writeFileSync(join(dirname(place.config), "team.yaml"), 'version: 1\npolicy:\n  rules:\n    - deny: "files"\n')
    place.write("version: 1\nreviewers: { presence: none }\npolicy:\n  use: [./team.yaml]\n")
    await place.command("init", "--data", place.data, "--presence", "none")
    await place.serve()
    const found = launchIn(clone())
    expect(found, found.stderr).toMatchObject({ status: 0, args: [denies], config: place.config })
  })
})

it("byleave export takes no file that lies in the current folder, and says which one it takes", async () => {
  await serveAndStop()
  const env = { PATH: process.env.PATH ?? "", HOME: dirname(place.config), NODE_COMPILE_CACHE: compiled }
  const words = [main, "export", "copilot", "--data", place.data]
  const exported = spawnSync(process.execPath, words, { cwd: clone(), env, encoding: "utf8" })
  expect(exported).toMatchObject({ status: 0, stdout: `${denies}\n`, stderr: expect.stringContaining(place.config) })
})
