/** Trying out a policy on recorded calls: agents choose how many there are and what is in them, and everybody else is answered meanwhile. */
import { setImmediate } from "node:timers/promises"
import { afterEach, expect, it } from "vitest"
import { callOf, policyOf, rule } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { codeOf, must, openService } from "./open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const under = { when: [{ key: "p", op: "under", folder: "/srv/closed" }] } as const

/** A service with `calls` allowed calls of `paths` different paths each; the time goes on by a millisecond whenever somebody looks at it. */
async function open({ calls, paths }: { readonly calls: number; readonly paths: number }) {
  const seen = { ms: 0, turns: 0, followed: [] as string[], longest: 0, since: 0 }
  const service = await openOne({
    policy: policyOf([rule("allow", "files"), rule("deny", "files(act)", under)]),
    nextPolicy: policyOf([rule("ask", "files"), rule("deny", "files(act)", under)]),
    turns: {
      now: () => (seen.ms += 1),
      nextTurn: async () => {
        seen.turns += 1
        seen.longest = Math.max(seen.longest, seen.followed.length - seen.since)
        await setImmediate()
        seen.since = seen.followed.length
      },
    },
    policyPorts: {
      realPaths: () => (path) => {
        seen.followed.push(path)
        return [path]
      },
    },
  })
  await service.engine.gate.seeTools("files", [{ name: "act" }])
  for (let call = 0; call < calls; call += 1) {
    const p = Array.from({ length: paths }, (_, at) => `/opt/${call}/${at}`)
    await service.engine.submit(callOf("files(act)", { p }))
  }
  return { service, seen, client: (await service.person("ana")).client }
}

it("follows each path once, and others have their turn meanwhile", async () => {
  const { client, seen } = await open({ calls: 100, paths: 20 })
  const { calls } = must(await client.previewPolicy({ body: { text: "" } }))
  expect(calls).toMatchObject({ looked: 100, skipped: 0, different: { length: 100 } })
  expect(new Set(seen.followed).size).toBe(seen.followed.length)
  expect(seen.turns).toBeGreaterThanOrEqual(20)
  expect(seen.longest).toBeLessThanOrEqual(11 * 21)
})

it("follows no more paths than so many, and says of how many calls nobody can tell", async () => {
  const { client, seen } = await open({ calls: 20, paths: 1_000 })
  const { calls } = must(await client.previewPolicy({ body: { text: "" } }))
  expect(calls).toMatchObject({ looked: 20, skipped: 4, different: { length: 16 } })
  expect(seen.followed.length).toBe(16_384)
})

it("a reviewer's newer preview ends the older one; another's, and one about all calls since a time, go on", async () => {
  const { service, client } = await open({ calls: 100, paths: 1 })
  const { client: other } = await service.person("ben")
  const replies = await Promise.all([
    client.previewPolicy({ body: { text: "" } }),
    other.previewPolicy({ body: { text: "" } }),
    client.previewPolicy({ body: { text: "", since: 0 } }),
    client.previewPolicy({ body: { text: "" } }),
  ])
  expect(replies.map(codeOf).toSorted()).toEqual(["ok", "ok", "ok", "too-many-reads"])
  expect(codeOf(await client.previewPolicy({ body: { text: "" } }))).toBe("ok")
})
