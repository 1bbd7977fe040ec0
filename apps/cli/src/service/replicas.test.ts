import { randomBytes } from "node:crypto"
import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Client } from "@byleave/api"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openHeldCall } from "./fixtures/legacy-held-call.ts"
import { answerChange, notesConfig, readNote, writeNotes } from "./fixtures/reading-agent.ts"
import { makePlace, type Place } from "./fixtures/service-process.ts"

const cluster = process.env.BYLEAVE_TEST_POSTGRES
const name = `byleave_cli_${randomBytes(6).toString("hex")}`
const places: Place[] = []

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster })
  await client.connect()
  await client.query(statement)
  await client.end()
}

const base = 'version: 1\nreviewers: { presence: none }\npolicy:\n  rules:\n    - allow: "files(read_*)"\n'

function place(text = base): Place {
  const url = new URL(cluster ?? "postgres://nowhere")
  url.pathname = `/${name}`
  const made = makePlace(text, { BYLEAVE_STORE: url.href })
  places.push(made)
  return made
}

async function rulesOf(client: Client): Promise<string> {
  const reply = await client.getPolicy()
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value.rules.map(({ text }) => text).join("\n")
}

describe.skipIf(cluster === undefined)(
  "two services on one PostgreSQL (skipped: BYLEAVE_TEST_POSTGRES is not set)",
  () => {
    beforeEach(() => administer(`CREATE DATABASE ${name}`))
    afterEach(async () => {
      for (const made of places.splice(0)) await made.dispose()
      await administer(`DROP DATABASE ${name} WITH (FORCE)`)
    })

    it("share keys, reviewers and the policy, which lives in the store", async () => {
      const one = place()
      const two = place()
      expect(await one.command("init", "--presence", "none", "--data", one.data)).toMatchObject({ code: 0 })
      const first = await one.serve()
      await expect(two.serve()).rejects.toThrow("Copy keys.json")
      mkdirSync(two.data, { recursive: true })
      for (const file of ["keys.json", "terminal.json"]) copyFileSync(join(one.data, file), join(two.data, file))
      two.write("version: 1\npolicy: { default: allow }\n")
      const second = await two.serve()
      const there = await two.reviewer(second.url)
      expect(await rulesOf(there)).toContain("read_*")
      one.write(`${base}    - deny: "files(move_file)"\n`)
      await expect.poll(() => rulesOf(there), { timeout: 15_000 }).toContain("move_file")
      first.child.kill("SIGKILL")
      await first.ended
      expect(await rulesOf(there)).toContain("move_file")
    })

    it("cancel a held call wherever its client says so, and refuse to cancel what neither knows", async () => {
      const one = place(notesConfig(".", "./public"))
      const two = place(notesConfig(".", "./public"))
      expect(await one.command("init", "--presence", "none", "--data", one.data)).toMatchObject({ code: 0 })
      const first = await one.serve()
      mkdirSync(two.data, { recursive: true })
      for (const file of ["keys.json", "terminal.json"]) copyFileSync(join(one.data, file), join(two.data, file))
      const second = await two.serve()
      const there = await two.reviewer(second.url)
      await answerChange(there, "approve")
      const held = await openHeldCall(first.url, there)
      expect(await held.cancelledAt(second.url, "never sent")).toMatchObject({ status: 409 })
      expect(await held.status()).toBe("pending")
      await expect.poll(() => held.cancelledAt(second.url, held.request)).toMatchObject({ status: 202 })
      await expect.poll(held.status).toBe("cancelled")
    })

    it("keep the rules there: without a service none of the file are passed on any more", async () => {
      const made = place()
      const launch = () => made.command("copilot", "--json", "--data", made.data)
      const serveAndStop = async (store: string) => {
        const { child, ended } = await made.serve("--store", store)
        child.kill("SIGTERM")
        await ended
      }
      await serveAndStop("sqlite")
      expect(await launch()).toMatchObject({ code: 0, stdout: expect.stringContaining("files(read_*)") })
      const url = new URL(cluster ?? "")
      url.pathname = `/${name}`
      await serveAndStop(url.href)
      expect(await launch()).toMatchObject({ code: 1, stderr: expect.stringContaining("kept elsewhere") })
    })

    it("judge a relative path each from where its own server runs, whatever the other accepts or changes", async () => {
      const one = place(notesConfig("./public", "./public"))
      const two = place(notesConfig("./private", "./public"))
      const names = ["a.md", "b.md", "c.md"]
      for (const made of [one, two]) writeNotes(made, ["public", "private"], names)
      expect(await one.command("init", "--presence", "none", "--data", one.data)).toMatchObject({ code: 0 })
      const first = await one.serve()
      const here = await one.reviewer(first.url)
      expect(await readNote(here, first.url, "a.md")).toContain("this is public")

      mkdirSync(two.data, { recursive: true })
      for (const file of ["keys.json", "terminal.json"]) copyFileSync(join(one.data, file), join(two.data, file))
      const second = await two.serve()
      const there = await two.reviewer(second.url)
      await answerChange(there, "approve")
      expect(await readNote(there, second.url, "a.md")).toBe("asks")
      one.write(`${notesConfig("./public", "./public")}    - deny: "notes(move_file)"\n`)
      await expect.poll(() => rulesOf(there), { timeout: 15_000 }).toContain("move_file")
      expect(await readNote(there, second.url, "b.md")).toBe("asks")
      expect(await readNote(here, first.url, "b.md")).toContain("this is public")

      first.child.kill("SIGTERM")
      await first.ended
      one.write(notesConfig("./private", "./public"))
      const again = await one.serve()
      const later = await one.reviewer(again.url)
      await answerChange(later, "approve")
      expect(await readNote(later, again.url, "c.md")).toBe("asks")
    })
  },
)
