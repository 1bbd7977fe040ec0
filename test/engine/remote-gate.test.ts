import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { createRemoteGate, fetchTransport, type GateTransport, gatePaths } from "@byleave/api"
import { type Approval, type CallerGate, type JsonObject, type Outcome, type Run, readJson } from "@byleave/core"
import { newId } from "@byleave/core/node"
import { getRequestListener } from "@hono/node-server"
import { afterEach, describe, expect, it } from "vitest"
import { gateSockets } from "../../apps/cli/src/service/http/gate-sockets.ts"
import { takeUpgrades } from "../../apps/cli/src/service/http/upgrades.ts"
import { nodeTransport } from "../../apps/cli/src/wrap/node-transport.ts"
import { type GateRouteContext, openGateRoutes } from "../../packages/server/src/gate/gate-context.ts"
import { openGateLines } from "../../packages/server/src/gate/gate-line.ts"
import { gateRoutes } from "../../packages/server/src/gate/gate-routes.ts"
import { callOf, type Engine, nay, openEngine, policyOf, rule, yes } from "./open-engine.ts"

type Remote = {
  readonly gate: CallerGate
  readonly runs: JsonObject[]
  readonly run: Run
  readonly stop: () => Promise<void>
}

const stops: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

describe.each(["fetch", "node", "line"] as const)("a gate elsewhere, by %s", (kind) => {
  it("runs what is allowed here, and the record is there", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files(read_*)")]))
    const remote = await reach(engine, kind)
    const outcome = await remote.gate.submit(callOf("files(read_file)", { path: "/a" }), remote.run)
    expect(outcome).toMatchObject({ kind: "result", result: { ran: 1 } })
    await remote.gate.close()
    await until(async () => {
      const [ran, judged] = await engine.store.records({ limit: 2 })
      return ran?.type === "run.succeeded" && judged?.type === "call.allowed"
    })
  })

  it("R94: what a person approves there runs here, once, with the arguments as written", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const precise = exactly('{"id":12345678901234567890}')
    const { approval, outcome } = await holdRemotely(remote, callOf("files(write_file)", precise))
    expect(approval).toMatchObject({ principal: { id: "wrap:agent", owner: "Ana" }, status: "pending" })
    expect(await engine.gate.answer(yes(approval, { id: "Ben", groups: [] }))).toMatchObject({ ok: true })
    expect(await outcome).toMatchObject({ kind: "result", approval: approval.id })
    expect(JSON.stringify(remote.runs)).toBe('[{"id":12345678901234567890}]')
  })

  it("is judged there by the connection that it goes over here", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const connection = { isOwn: true, hasRoots: true }
    const { approval } = await holdRemotely(remote, callOf("files(write_file)", {}, { connection }))
    expect(await engine.store.approval(approval.id)).toMatchObject({ connection })
  })

  it("R95: what a person denies there does not run here", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const { approval, outcome } = await holdRemotely(remote, callOf("files(write_file)"))
    await engine.gate.answer(nay(approval))
    expect(await outcome).toMatchObject({ kind: "refusal", refusal: { by: "reviewer" } })
    expect(remote.runs).toEqual([])
  })

  it("a caller that has waited long enough gets a ticket, and its repeat the permit", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const enough = Promise.withResolvers<void>()
    const { approval, outcome } = await holdRemotely(remote, callOf("files(write_file)"), enough.promise)
    enough.resolve()
    expect(await outcome).toMatchObject({ kind: "ticket", approval: approval.id })
    await engine.gate.answer(yes(approval, { id: "Ben", groups: [] }))
    const told: string[] = []
    const onHeld = ({ id, status }: Approval): void => void told.push(id, status, `${remote.runs.length} run`)
    const repeated = await remote.gate.submit(callOf("files(write_file)"), remote.run, { onHeld })
    expect(repeated).toMatchObject({ kind: "result" })
    // In time to cancel it.
    expect(told).toEqual([approval.id, "approved", "0 run"])
    expect(remote.runs).toHaveLength(1)
  })

  it("what was approved is left as it is for a caller that says so, and runs for the next one", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const enough = Promise.withResolvers<void>()
    const { approval, outcome } = await holdRemotely(remote, callOf("files(write_file)"), enough.promise)
    enough.resolve()
    await outcome
    await engine.gate.answer(yes(approval, { id: "Ben", groups: [] }))
    const asked = await remote.gate.submit(callOf("files(write_file)"), remote.run, { leavesAnswered: true })
    expect(asked).toMatchObject({ kind: "ticket", approval: approval.id })
    expect(await engine.store.approval(approval.id)).toMatchObject({ status: "approved" })
    expect(remote.runs).toEqual([])
    expect(await remote.gate.submit(callOf("files(write_file)"), remote.run)).toMatchObject({ kind: "result" })
    expect(remote.runs).toHaveLength(1)
  })

  it("the result of what a reviewer ran is left for the next one, too", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const enough = Promise.withResolvers<void>()
    const { approval, outcome } = await holdRemotely(remote, callOf("files(write_file)"), enough.promise)
    enough.resolve()
    await outcome
    const ben = { id: "Ben", groups: [] }
    await engine.gate.answer(yes(approval, ben))
    const now = { approval: approval.id, reviewer: ben, digest: approval.runDigest }
    await engine.gate.runNow(now, async () => ({ kind: "succeeded", result: "kept" }))
    const asked = await remote.gate.submit(callOf("files(write_file)"), remote.run, { leavesAnswered: true })
    expect(asked).toMatchObject({ kind: "ticket", approval: approval.id })
    const given = await remote.gate.submit(callOf("files(write_file)"), remote.run)
    expect(given).toMatchObject({ kind: "result", result: "kept" })
    expect(remote.runs).toEqual([])
  })

  it("a run cut off here is unknown there, and is not run again", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const never: Run = () => new Promise(() => {})
    const started = Promise.withResolvers<void>()
    const held = Promise.withResolvers<string>()
    void remote.gate.submit(
      callOf("files(write_file)"),
      (args, context) => {
        started.resolve()
        return never(args, context)
      },
      { onHeld: ({ id }) => held.resolve(id) },
    )
    const approval = await engine.gate.approval(await held.promise)
    if (approval === undefined) throw new Error("not held")
    await engine.gate.answer(yes(approval, { id: "Ben", groups: [] }))
    await started.promise
    await remote.stop()
    await until(async () => (await engine.gate.approval(approval.id))?.status === "unknown")
  })

  it("what is large arrives whole, and so does its outcome", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    const remote = await reach(engine, kind)
    const text = "ä".repeat(600_000)
    const echo: Run = async (args) => ({ kind: "succeeded", result: args })
    const outcome = await remote.gate.submit(callOf("files(read_file)", { text }), echo)
    expect(outcome).toMatchObject({ kind: "result", result: { text } })
    await remote.gate.close()
    await until(async () => (await engine.store.records({ limit: 1 }))[0]?.type === "run.succeeded")
  })

  it("what is too large to be recorded reaches its caller, and the record says that it ended well", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const text = "ä".repeat(5_000_000)
    const { approval, outcome } = await holdRemotely({ ...remote, run: largeRun(text) }, callOf("files(read_file)"))
    await engine.gate.answer(yes(approval, { id: "Ben", groups: [] }))
    expect(await outcome).toMatchObject({ kind: "result", result: { text } })
    await until(async () => (await engine.gate.approval(approval.id))?.status === "succeeded")
  })

  it("without a service nothing runs", async () => {
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    const remote = await reach(engine, kind)
    await remote.stop()
    const outcome = await remote.gate.submit(callOf("files(read_file)"), remote.run)
    expect(outcome).toMatchObject({ kind: "refusal", refusal: { code: "store-unavailable" } })
    expect(remote.runs).toEqual([])
  })

  it("a process that was not told the tools asks for them before it judges", async () => {
    const definition = { name: "read_file", inputSchema: { type: "object" } }
    const engine = await openEngine(policyOf([rule("allow", "files")]))
    const remote = await reach(engine, kind)
    await remote.gate.seeTools("files", [definition])
    const restarted = await openEngine(policyOf([rule("allow", "files")]), { store: engine.store })
    await remote.serve(restarted, "second")
    expect(await remote.gate.submit(callOf("files(read_file)"), remote.run)).toMatchObject({ kind: "result" })
  })

  it("a listing is judged in one turn, by the principal of the credential", async () => {
    const engine = await openEngine(policyOf([rule("hide", "files(drop_*)", { principal: "wrap:agent" })]))
    const remote = await reach(engine, kind)
    const names = ["read_file", "drop_all", "write_file"]
    const caller = { principal: { id: "agent" }, session: { principal: "agent", id: "s1", named: true } }
    const decisions = await Promise.all(
      names.map((name) => remote.gate.judge({ server: "files", kind: "tool", name }, undefined, caller)),
    )
    expect(decisions.map(({ effect }) => effect)).toEqual(["ask", "hide", "ask"])
    expect(remote.requests().filter((path) => path.endsWith("/judge"))).toHaveLength(1)
  })

  it("a call that runs here is looked at there once more before it is sent: by what policy demands of approvers by then", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const call = callOf("files(write_file)")
    const other = await remote.as("other")
    const said: boolean[] = []
    const run: Run = async (args, { approval }) => {
      const ask = async (gate: CallerGate) => said.push(await gate.mayStillRun(call, args, approval))
      await ask(remote.gate)
      await ask(other)
      await engine.gate.replacePolicy(policyOf([rule("ask", "files(write_*)", { approvals: 2 })]), null)
      await ask(remote.gate)
      return { kind: "failed", error: "not sent" }
    }
    const { approval, outcome } = await holdRemotely({ gate: remote.gate, run }, call)
    await engine.gate.answer(yes(approval, { id: "Ben", groups: [] }))
    await outcome
    expect(said).toEqual([true, false, false])
  })

  it("a call that took the last use of a permission may still be sent, and is known by that", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const breadth = { kind: "tool", server: "files", tool: "write_file" } as const
    await engine.gate.addGrant({ effect: "allow", breadth, uses: 1 }, { id: "Ben", groups: [] })
    const call = callOf("files(write_file)")
    const said: boolean[] = []
    const run: Run = async (args, { grant }) => {
      await engine.gate.replacePolicy(policyOf([], { version: "next" }), null)
      said.push(await remote.gate.mayStillRun(call, args, null, { grant }))
      said.push(await remote.gate.mayStillRun(call, args, null))
      return { kind: "failed", error: "not sent" }
    }
    await remote.gate.submit(call, run)
    expect(said).toEqual([true, false])
  })

  it("what a person approved runs here, however much else its credential has waiting there", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const call = callOf("files(write_file)", { text: "a long text" })
    const { approval, outcome } = await holdRemotely(remote, call)
    remote.crowd()
    await engine.gate.answer(yes(approval, { id: "Ben", groups: [] }))
    expect(await outcome).toMatchObject({ kind: "result", approval: approval.id })
    expect(remote.requests().filter((path) => path.endsWith("/may-still-run"))).toEqual([
      gatePaths.mayStillSend(approval.id),
    ])
    await until(async () => remote.running() === 0)
  })

  it("another credential's runs, approvals and submissions do not exist", async () => {
    const engine = await openEngine()
    const remote = await reach(engine, kind)
    const { approval } = await holdRemotely(remote, callOf("files(write_file)"))
    const other = await remote.as("other")
    expect(await other.approval(approval.id)).toBeUndefined()
    expect(await other.cancel(approval.id, "agent")).toMatchObject({ ok: false, refusal: { code: "not-found" } })
    await expect(remote.as("nobody").then((nobody) => nobody.cancel(approval.id, "agent"))).rejects.toThrow(
      "gate credential",
    )
    expect(await remote.gate.cancel(approval.id, "agent")).toMatchObject({ ok: true })
  })
})

function exactly(text: string): JsonObject {
  const read = readJson(text)
  if (!read.ok) throw new Error(read.problem.message)
  return read.value as JsonObject
}

async function reach(engine: Engine, kind: "fetch" | "node" | "line") {
  const seen: string[] = []
  let doors = doorsOf(engine, "first")
  let onLine = 0
  const upgrades = gateSockets(
    async ({ authorization }) => ({
      name: "line",
      open: (connection) => {
        const { take, gone } = openGateLines(doors)(
          { authorization, who: { token: "wrap", program: "line" } },
          connection,
        )
        const note = (bytes: Uint8Array): void => {
          const paths = Buffer.from(bytes)
            .toString()
            .matchAll(/^\d+ (\S+) /gm)
          for (const [, path = ""] of paths) seen.push(path)
          onLine = seen.length
          take(bytes)
        }
        return { take: note, gone }
      },
    }),
    (trouble) => expect.fail(String(trouble)),
  )
  const server = createServer({ shouldUpgradeCallback: upgrades.isWanted }, (request, response) => {
    seen.push(request.url ?? "")
    void getRequestListener(gateRoutes(doors).fetch)(request, response)
  })
  const lines = kind === "line" ? takeUpgrades(server, upgrades) : { closeAll: () => {} }
  const url = await listen(server)
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    lines.closeAll()
    await new Promise((resolve) => server.close(resolve))
  }
  stops.push(stop)
  const gateWith = async (token: string): Promise<CallerGate> => {
    const transport = kind === "fetch" ? fetchTransport({ url, token, fetch }) : nodeTransport({ url, token })
    if (kind === "line") await untilItStands(transport, () => onLine)
    return createRemoteGate({ transport, newId, pause })
  }
  const gate = await gateWith("wrap")
  const runs: JsonObject[] = []
  const run: Run = async (args) => {
    runs.push(args)
    return { kind: "succeeded", result: { ran: runs.length } }
  }
  return {
    gate,
    as: gateWith,
    serve: async (next: Engine, instance: string) => {
      doors = doorsOf(next, instance)
      lines.closeAll()
      const caller = { principal: { id: "agent" }, session: { principal: "agent", id: "s1", named: true } }
      const asked = { server: "files", kind: "tool", name: "any" } as const
      await until(async () => (await gate.judge(asked, {}, caller).catch(() => null)) !== null)
    },
    requests: () => seen,
    /** As much of `wrap` waits as may. */
    crowd: () => {
      for (const program of ["", "line"])
        while (doors.wholeCalls.take({ token: "wrap", program, bytes: 0 }, () => never) !== null);
    },
    running: () => doors.runningApproved.size,
    runs,
    run,
    stop,
  }
}

/** Asks for nothing in particular until that goes over the connection that stands. */
async function untilItStands(transport: GateTransport, onLine: () => number): Promise<void> {
  const before = onLine()
  await until(async () => {
    await transport.post(gatePaths.leave("nobody"), "{}")
    return onLine() > before
  })
}

function doorsOf({ gate }: Engine, instance: string): GateRouteContext {
  return openGateRoutes({
    gate,
    identify: async (authorization) => {
      const token = authorization?.replace("Bearer ", "") ?? ""
      return token === "wrap" || token === "other" ? { token, owner: "Ana" } : null
    },
    newId,
    time: Date.now,
    instance,
    keepAliveMs: 1_000,
    maxBodyBytes: 8 * 1024 * 1024,
  })
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function largeRun(text: string): Run {
  return async () => ({ kind: "succeeded", result: { text } })
}

async function holdRemotely(
  remote: Pick<Remote, "gate" | "run">,
  call: ReturnType<typeof callOf>,
  enough: Promise<unknown> = never,
) {
  const held = Promise.withResolvers<{ readonly id: string; readonly runDigest: string }>()
  const outcome: Promise<Outcome> = remote.gate.submit(call, remote.run, { onHeld: held.resolve, until: () => enough })
  return { approval: await held.promise, outcome }
}

const never = new Promise<never>(() => {})

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await holds()) return
    await pause(10)
  }
  throw new Error("It never came to hold.")
}
