import type { JsonObject } from "@byleave/core"
import { afterAll, describe, expect, it } from "vitest"
import { keepingSealer } from "../../downstream/fixtures/front-server.ts"
import type { Ask, Reply } from "../../wire/message.ts"
import { gateOn, memoryStore, policyOf, rule } from "../fixtures/open-relay.ts"
import { createExchangedNames, type Speaker } from "./exchanged-names.ts"

const gate = await gateOn(memoryStore(), policyOf([]))
afterAll(() => gate.close())
const context = { sealer: keepingSealer(), gate }
const speaker = (id: string, conversation: string): Speaker => ({
  caller: { principal: { id }, session: { principal: id, id: "s1", named: true }, conversation },
  at: null,
})
const ana = speaker("ana", "c1")
const bob = speaker("bob", "c2")
const related = "io.modelcontextprotocol/related-task"
const status = { method: "notifications/tasks/status", params: { taskId: "t1", status: "completed" } }

/** Asks as the server, and gives what the client was asked. */
async function asked(
  names: ReturnType<typeof createExchangedNames>,
  of: Speaker,
  params: JsonObject,
  result: JsonObject,
) {
  const seen: Ask[] = []
  const inquire = async (ask: Ask): Promise<Reply> => {
    seen.push(ask)
    return { kind: "result", result }
  }
  const reply = await names.asking(of, inquire)({ method: "sampling/createMessage", params })
  return { reply, meta: (seen[0]?.params?._meta ?? {}) as JsonObject }
}

describe("a server's task", () => {
  it("whose name is very long does not stay for good: the oldest are forgotten", () => {
    const names = createExchangedNames(context, "files")
    const long = (n: number) => `${n} ${"x".repeat(2_000_000)}`
    for (const n of [1, 2, 3, 4, 5, 6]) names.remember(ana, long(n), "ours")
    expect(names.taskName(ana, long(1))).toBeUndefined()
    expect(names.taskName(ana, long(6))).toBe("ours")
  })

  it("I1: is told of to the principal whose call made it, by one name", () => {
    const names = createExchangedNames(context, "files")
    const { task } = names.newTask(ana, "write", { task: { taskId: "t1", status: "working" } })
    const { taskId } = task as JsonObject
    expect(taskId).not.toBe("t1")
    expect(names.toClient(ana, status)).toMatchObject({ params: { taskId, status: "completed" } })
    expect(names.toClient(bob, status)).toBeNull()
    const log = { method: "notifications/message", params: { data: "x", _meta: { [related]: { taskId: "t1" } } } }
    expect(names.toClient(ana, log)).toMatchObject({ params: { _meta: { [related]: { taskId } } } })
  })

  it("I1: of a process is another one's in the next process", () => {
    const names = createExchangedNames(context, "files")
    names.newTask({ ...ana, at: "c1" }, "write", { task: { taskId: "t1" } })
    expect(names.toClient({ ...ana, at: "c3" }, status)).toBeNull()
  })

  it("has the server's name in what its client answers about it", async () => {
    const names = createExchangedNames(context, "files")
    const { task } = names.newTask(ana, "write", { task: { taskId: "t1" } })
    const named = { _meta: { [related]: { taskId: (task as JsonObject).taskId ?? "" } } }
    const { reply, meta } = await asked(names, ana, { _meta: { [related]: { taskId: "t1" } } }, named)
    expect(meta).toEqual(named._meta)
    expect(reply).toMatchObject({ result: { _meta: { [related]: { taskId: "t1" } } } })
  })
})

describe("what a client says", () => {
  it("I2: of its progress reaches the server that gave the token, and no other", async () => {
    const [one, two] = [createExchangedNames(context, "one"), createExchangedNames(context, "two")]
    const waiting = Promise.withResolvers<Reply>()
    let token: unknown
    const inquire = (ask: Ask): Promise<Reply> => {
      token = (ask.params?._meta as JsonObject | undefined)?.progressToken
      return waiting.promise
    }
    const asking = one.asking(
      ana,
      inquire,
    )({ method: "sampling/createMessage", params: { _meta: { progressToken: 7 } } })
    const progress = { method: "notifications/progress", params: { progressToken: String(token), progress: 1 } }
    expect(await one.toServer(ana, progress)).toMatchObject({ params: { progressToken: 7, progress: 1 } })
    expect(await two.toServer(ana, progress)).toBeNull()
    expect(await one.toServer(bob, progress)).toBeNull()
    expect(await one.toServer(ana, { ...progress, params: { progressToken: 7, progress: 1 } })).toBeNull()
    waiting.resolve({ kind: "result", result: {} })
    await asking
    expect(await one.toServer(ana, progress)).toBeNull()
  })

  it("I2: of a task of its own reaches the server whose question it is about", async () => {
    const [one, two] = [createExchangedNames(context, "one"), createExchangedNames(context, "two")]
    const { meta } = await asked(one, ana, { _meta: { progressToken: "p" } }, { task: { taskId: "mine" } })
    const mine = { method: "notifications/tasks/status", params: { taskId: "mine", status: "working" } }
    expect(await one.toServer(ana, mine)).toEqual(mine)
    expect(await two.toServer(ana, mine)).toBeNull()
    const progress = {
      method: "notifications/progress",
      params: { progressToken: meta.progressToken ?? "", progress: 1 },
    }
    expect(await one.toServer(ana, progress)).toMatchObject({ params: { progressToken: "p" } })
  })

  it.each(["tasks/get", "tasks/result", "tasks/cancel"])(
    "I3: is asked by %s about no task but the server's own",
    async (method) => {
      const [one, two] = [createExchangedNames(context, "one"), createExchangedNames(context, "two")]
      await asked(one, ana, {}, { task: { taskId: "mine" } })
      const seen: Ask[] = []
      const inquire = async (ask: Ask): Promise<Reply> => {
        seen.push(ask)
        return { kind: "result", result: { task: { taskId: "another" } } }
      }
      const about = (names: typeof one, of: Speaker, taskId: string) =>
        names.asking(of, inquire)({ method, params: { taskId } })
      expect(await about(two, ana, "mine")).toMatchObject({ kind: "error", error: { code: -32602 } })
      expect(await about(one, bob, "mine")).toMatchObject({ kind: "error" })
      expect(await one.asking(ana, inquire)({ method })).toMatchObject({ kind: "error" })
      expect(seen).toEqual([])
      expect(await about(one, ana, "mine")).toMatchObject({ kind: "result" })
      expect(seen).toEqual([{ method, params: { taskId: "mine" } }])
      // The result of a task names no further task.
      expect(await about(one, ana, "another")).toMatchObject({ kind: "error" })
    },
  )

  it("I3: lists a server no task but its own", async () => {
    const [one, two] = [createExchangedNames(context, "one"), createExchangedNames(context, "two")]
    await asked(one, ana, {}, { task: { taskId: "mine" } })
    const tasks = [{ taskId: "mine", status: "working" }, { taskId: "other" }, "odd"]
    const list = async (names: typeof one) =>
      names.asking(ana, async () => ({ kind: "result", result: { tasks, nextCursor: "n" } }))({ method: "tasks/list" })
    expect(await list(one)).toEqual({ kind: "result", result: { tasks: [tasks[0]], nextCursor: "n" } })
    expect(await list(two)).toEqual({ kind: "result", result: { tasks: [], nextCursor: "n" } })
  })
})

describe("I4: once policy denies the question that a client made a task of", () => {
  async function denied() {
    const own = await gateOn(memoryStore(), policyOf([]))
    const names = createExchangedNames({ ...context, gate: own }, "files")
    const { meta } = await asked(names, ana, { _meta: { progressToken: "p" } }, { task: { taskId: "mine" } })
    await own.replacePolicy(policyOf([rule("deny", "files(sampling)")]), null)
    return { names, token: meta.progressToken ?? "", own }
  }

  it.each(["notifications/tasks/status", "notifications/progress"])(
    "its server is not told of it by %s",
    async (method) => {
      const { names, token, own } = await denied()
      const params = { taskId: "mine", status: "working", progressToken: token, progress: 1 }
      expect(await names.toServer(ana, { method, params })).toBeNull()
      await own.close()
    },
  )

  it("its server is listed the tasks of other questions alone, and no client is asked where there may be none", async () => {
    const { names, own } = await denied()
    let lists = 0
    const inquire = async ({ method }: Ask): Promise<Reply> => {
      if (method === "elicitation/create") return { kind: "result", result: { task: { taskId: "other" } } }
      lists++
      return { kind: "result", result: { tasks: [{ taskId: "mine" }, { taskId: "other" }] } }
    }
    const asking = names.asking(ana, inquire)
    await asking({ method: "elicitation/create", params: {} })
    expect(await asking({ method: "tasks/list" })).toEqual({ kind: "result", result: { tasks: [{ taskId: "other" }] } })
    await own.replacePolicy(policyOf([rule("deny", "files")]), null)
    expect(await asking({ method: "tasks/list" })).toMatchObject({ kind: "error" })
    expect(lists).toBe(1)
    await own.close()
  })
})
