import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { makePlace, type Place } from "../../service/fixtures/service-process.ts"

const places: Place[] = []
afterEach(async () => {
  for (const place of places.splice(0)) await place.dispose()
})

it("lets what an import widens wait for approval where a service runs", async () => {
  const place = makePlace(
    'version: 1\nreviewers: { presence: none }\npolicy:\n  rules:\n    - deny: "files(move_file)"\n',
  )
  places.push(place)
  await place.command("init", "--data", place.data, "--presence", "none")
  const { url } = await place.serve()
  const flags = join(dirname(place.config), "flags.txt")
  writeFileSync(flags, "--allow-tool='files(read_file)'")
  const done = await place.command("import", "copilot", flags, "--config", place.config, "--data", place.data)
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("what allows more waits for approval") })
  const client = await place.reviewer(url)
  await expect
    .poll(
      async () => {
        const listed = await client.listApprovals({ query: { status: "pending" } })
        return listed.ok ? listed.value.items.map(({ tool }) => tool) : listed.problem
      },
      { timeout: 15_000 },
    )
    .toEqual([{ server: "byleave", tool: "change_policy" }])
}, 40_000)
