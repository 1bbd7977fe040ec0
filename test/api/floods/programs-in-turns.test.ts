/**
 * Every route that a program may ask begins its requests in turns, so that no flood of one program makes others wait: the tables say which routes
 * there are, and the test moves on turn by turn.
 */
import { gatePaths, lineNameHeader, type Route, routes } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { opening } from "../../opening.ts"
import { openService } from "../open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const host = "127.0.0.1:7337"
const atOnce = 5

/** A service whose turns the test counts. `looked`: the turns in which it was looked up whose a credential is. */
async function open(kind: "gate" | "runner") {
  const waiting: Array<() => void> = []
  const looked: number[] = []
  let turn = 0
  const nextTurn = () => new Promise<void>((resolve) => waiting.push(resolve))
  const onIdentify = (): void => void looked.push(turn)
  const service = await openOne({ turns: { now: () => 0, nextTurn }, onIdentify })
  const made = await service.credentials.addToken({ id: "prog", kind, namesSessions: kind === "gate" }, null)
  if (!("secret" in made)) throw new Error(made.detail)
  const authorization = `Bearer ${made.secret}`
  const send = async (method: string, path: string, hasBody: boolean): Promise<void> => {
    const headers = { host, authorization, ...(hasBody ? { "content-type": "application/json" } : {}) }
    const sent = new Request(`http://${host}${path}`, { method, headers, ...(hasBody ? { body: "{}" } : {}) })
    await (await service.server.fetch(sent)).body?.cancel()
  }
  /** Moves on until it is so, in turns with all the work that is ready in each; gives the turns in which it was looked up. */
  const lookedUntil = async (isSo: (looked: number) => boolean): Promise<readonly number[]> => {
    for (const end = turn + 1_000; turn < end && !isSo(looked.length); turn++) {
      for (let round = 0; round < 20; round++) await new Promise(setImmediate)
      for (const resolve of waiting.splice(0)) resolve()
    }
    return looked.splice(0)
  }
  const manyAtOnce = async (...asked: Parameters<typeof send>): Promise<readonly number[]> => {
    let answered = 0
    for (let n = 0; n < atOnce; n++) void send(...asked).then(() => (answered += 1))
    return lookedUntil(() => answered === atOnce)
  }
  return { ...service, authorization, lookedUntil, manyAtOnce }
}

/** Looked up once before a request is read, and again as it begins. */
function expectTurns(looked: readonly number[]): void {
  expect(looked).toHaveLength(2 * atOnce)
  const begun = looked.slice(atOnce)
  expect(new Set(begun).size).toBe(atOnce)
}

const ofRunners = Object.entries<Route>(routes)
  .filter(([, { credential }]) => credential === "reviewer or runner")
  .map(([name, { method, path, body }]) => ({ name, method, path, hasBody: body !== undefined }))

const v1 = [
  { name: "a response", method: "POST", path: "/v1/responses", hasBody: true },
  { name: "models", method: "GET", path: "/v1/models", hasBody: false },
]

const reads = new Set(["approval", "events", "line"])
const ofGates = Object.entries(gatePaths).map(([name, path]) => ({
  name,
  method: reads.has(name) ? "GET" : "POST",
  path: typeof path === "string" ? path : path("x"),
  hasBody: !reads.has(name),
}))

describe("requests of one program at once begin in turns of their own", () => {
  it.each([...ofRunners, ...v1])("of a runner: $name", async ({ method, path, hasBody }) => {
    const { manyAtOnce } = await open("runner")
    expectTurns(await manyAtOnce(method, path.replaceAll(/:\w+/g, "1"), hasBody))
  })

  it.each(ofGates)("of a gate: $name", async ({ method, path, hasBody }) => {
    const { manyAtOnce } = await open("gate")
    expectTurns(await manyAtOnce(method, path, hasBody))
  })

  it.each(ofGates.filter(({ hasBody }) => hasBody))("over a line: $name", async ({ path }) => {
    const { server, authorization, lookedUntil } = await open("gate")
    const stands = await server.line({ host, origin: null, authorization })
    if (stands instanceof Response) throw new Error(await stands.text())
    await lookedUntil((looked) => looked === 1)
    const connection = { write: () => {}, end: () => {}, later: setImmediate, unread: () => 0, breakOff: () => {} }
    const line = stands.open(connection)
    const lines = Array.from({ length: atOnce }, (_, n) => `${n} ${path} {}\n`).join("")
    line.take(new TextEncoder().encode(lines))
    expect(new Set(await lookedUntil((looked) => looked === atOnce)).size).toBe(atOnce)
    line.gone()
  })

  it("as another's that shares its credential, where it names a line that stands, and not where it names none", async () => {
    const { server, authorization, lookedUntil } = await open("gate")
    const stands = await server.line({ host, origin: null, authorization })
    if (stands instanceof Response) throw new Error(await stands.text())
    const line = stands.open({
      write: () => {},
      end: () => {},
      later: setImmediate,
      unread: () => 0,
      breakOff: () => {},
    })
    const answered: string[] = []
    const ask = (name: string, named: Record<string, string> = {}): void => {
      const headers = { host, authorization, "content-type": "application/json", ...named }
      const sent = new Request(`http://${host}${gatePaths.judge}`, { method: "POST", headers, body: "{}" })
      void server.fetch(sent).then(() => answered.push(name))
    }
    for (const name of ["1", "2", "3", "4"]) ask(name)
    ask("no line", { [lineNameHeader]: "line of nobody" })
    ask("of the line", { [lineNameHeader]: stands.name })
    await lookedUntil(() => answered.length === 6)
    expect(answered).toEqual(["1", "2", "of the line", "3", "4", "no line"])
    line.gone()
  })
})
