/**
 * The service's routes, answered in this document.
 *
 * I1. A verdict counts only for the call as it was shown: its digest is computed again from what is stored.
 * I2. The person at the panel is the reviewer; nothing in a request names one.
 */
import type { RunView, ServiceReply, VerdictBody } from "@byleave/api"
import { shownDefinitionsText, shownGrantsText, shownText, verdictText } from "@byleave/api"
import { type AgentRun, type Approval, isPinOf, portableHasher, StoreError, type VerdictResult } from "@byleave/core"
import type { RunsAnswer } from "@byleave/runs"
import { isSaidIn, newestText, storyOf } from "@byleave/runs/story"
import {
  answerRefused,
  approvalSummaryOf,
  approvalViewOf,
  grantViewOf,
  pinViewOf,
  problemOf,
  type RefusedRequest,
  refuse,
  runSummaryViewOf,
  runsRefused,
  runViewOf,
  searchRuns,
  toolKnowledge,
} from "@byleave/server/views"
import type { PanelClient } from "../panel/panel-client.ts"
import { demoModel } from "./demo-script.ts"
import { type Engine, ownModel, serverIds } from "./engine.ts"
import { you } from "./known-servers.ts"
import { serverView } from "./local-servers.ts"
import { eventsOf } from "./run-news.ts"

const starter = { kind: "reviewer", id: you.id } as const
const nothingShown = "not what was shown"

export function createLocalClient(engine: Engine): PanelClient {
  const { gate, store, policy } = engine
  const showing = { hasher: portableHasher, policy, validator: engine.validator }
  const time = (): number => store.now(Date.now())
  const knowledge = async () => toolKnowledge(showing, await store.decisionState())
  const sha = portableHasher.sha256

  const runOf = async (id: string): Promise<AgentRun> => (await gate.run(id)) ?? missing()
  const went = async (answer: RunsAnswer): Promise<AgentRun> => {
    if (!answer.ok) throw new Refused(runsRefused(answer.refusal as Parameters<typeof runsRefused>[0]))
    return answer.run
  }
  const answered = async (result: VerdictResult) => {
    if (!result.ok) throw new Refused(answerRefused(result.refusal))
    const tools = await knowledge()
    return {
      approval: approvalViewOf(showing, tools, result.approval),
      grant: result.grant === null ? null : grantViewOf(result.grant, time()),
      also: [],
    }
  }
  return {
    listRuns: (input) =>
      reply(async () => {
        const { text = "", limit = 50 } = input?.query ?? {}
        const { found } = await searchRuns(
          {
            list: (page) => gate.runs({ principal: "chat", ...page }),
            mayShow: () => true,
            isSaidIn: (id, wanted) => isSaidIn(gate, id, wanted),
            // The browser's database answers in a turn of its own.
            nextTurn: async () => {},
          },
          { text, limit: Number(limit) },
        )
        return { items: found.map((run) => runSummaryViewOf(showing, run)), next: null }
      }),
    getRun: ({ params }) =>
      reply(async () => {
        const run = await runOf(params.id)
        const view: RunView = runViewOf(showing, run)
        return { run: view, requirements: [], text: await newestText(gate, run) }
      }),
    runStory: ({ params, query }) => reply(() => storyOf(gate, params.id, Number(query?.after ?? 0))),
    runEvents: async ({ params, signal }) => ({ ok: true, value: eventsOf(await engine.runs(), params.id, signal) }),
    startRun: ({ body }) =>
      reply(async () => {
        const { prompt = "", title, model, servers = serverIds(engine.settings()) } = body
        const order = {
          principal: "chat" as const,
          messages: [{ role: "user" as const, content: prompt }],
          servers,
          ...(title === undefined ? {} : { title }),
          ...(model === undefined ? {} : { model }),
        }
        return { run_id: (await went(await (await engine.runs()).start(order, starter))).id }
      }),
    continueRun: ({ params, body }) =>
      reply(async () => {
        const runs = await engine.runs()
        const { message, denyWaiting, model, servers } = Array.isArray(body) ? {} : (body as ContinueBody)
        const run = await runOf(params.id)
        if (denyWaiting === true && run.status === "paused") await went(await runs.stop(run.id, you.id, you))
        const setup = { ...(model === undefined ? {} : { model }), ...(servers === undefined ? {} : { servers }) }
        const messages = message === undefined ? {} : { messages: [{ role: "user" as const, content: message }] }
        return went(await runs.go(params.id, { ...messages, setup }, you.id))
      }),
    stopRun: ({ params }) =>
      reply(async () => {
        await went(await (await engine.runs()).stop(params.id, you.id))
        return null
      }),
    renameRun: ({ params, body }) =>
      reply(async () => {
        const { title } = body
        await gate.changeRun(params.id, (_, { at }) => ({ type: "rename", title, at }), { by: you.id })
        return null
      }),
    removeRun: ({ params }) =>
      reply(async () => {
        if (!(await gate.removeRun(params.id, you.id))) missing()
        return null
      }),
    listApprovals: (input) =>
      reply(async () => {
        const { session, principal, status, limit = 500 } = input?.query ?? {}
        const statuses = status === undefined ? undefined : ([status].flat() as Approval["status"][])
        const found = await store.approvals({
          ...(session === undefined ? {} : { session }),
          ...(principal === undefined ? {} : { principal }),
          ...(statuses === undefined ? {} : { statuses }),
          limit: Number(limit),
        })
        const tools = await knowledge()
        return { items: found.map((each) => approvalSummaryOf(showing, tools, each)), next: null }
      }),
    getApproval: ({ params }) =>
      reply(async () => {
        const approval = (await gate.approval(params.id)) ?? missing()
        return approvalViewOf(showing, await knowledge(), approval)
      }),
    currentContent: () => reply(async () => unread),
    giveVerdict: ({ params, body }) => reply(async () => answered(await gate.answer(await verdictOf(params.id, body)))),
    extendApproval: ({ params, body }) => reply(async () => answered(await gate.extend(params.id, you, body.until))),
    previewEdit: ({ params, body }) =>
      reply(async () => {
        const approval = (await gate.approval(params.id)) ?? missing()
        if (approval.status !== "pending") return { risks: [], current: unread, refused: "It is no longer waiting." }
        const edited: Approval = {
          ...approval,
          editedArgs: body.args,
          checked: await gate.checkEdit(approval, body.args),
        }
        return { risks: approvalViewOf(showing, await knowledge(), edited).risks, current: unread, refused: null }
      }),
    listGrants: () => reply(async () => ({ items: (await gate.grants()).map((grant) => grantViewOf(grant, time())) })),
    revokeGrant: ({ params, body }) =>
      reply(async () => {
        const grant = (await gate.grants()).find(({ id }) => id === params.id) ?? missing()
        if (sha(shownGrantsText([grant])) !== body.digest) throw new Refused(otherwiseShown)
        await gate.revokeGrant(grant.id, you)
        return null
      }),
    listServers: () =>
      reply(async () => ({
        items: await Promise.all(serverIds(engine.settings()).map((id) => serverView(engine, id))),
      })),
    // Sessions have modes in a service alone.
    listSessions: () => reply(async () => ({ items: [] })),
    listPins: (input) =>
      reply(async () => {
        const server = input?.query?.server
        const { pins } = await store.decisionState()
        const wanted = pins.filter((pin) => server === undefined || pin.server === server)
        return { items: wanted.map((pin) => pinViewOf(showing, pin)) }
      }),
    acceptPin: ({ body }) =>
      reply(async () => {
        const { fingerprint, digest, ...of } = body
        const pin = (await store.decisionState()).pins.find((each) => isPinOf(each, of)) ?? missing()
        const { server, tool, of: kind = "tool", accepted, proposed } = pin
        const definitions = { accepted: accepted?.definition ?? null, proposed: proposed?.definition ?? null }
        const text = shownDefinitionsText({ server, tool, of: kind, ...definitions })
        if (sha(text) !== digest || !(await gate.acceptDefinition(of, fingerprint, you)))
          throw new Refused(otherwiseShown)
        return null
      }),
    listModels: () => reply(async () => ({ items: modelsOf(engine) })),
  }

  /** The same verdict by the gate's own digests. */
  async function verdictOf(id: string, body: VerdictBody) {
    const { digest, remember, ...answer } = body
    const approval = await gate.approval(id)
    const whole = remember === undefined ? answer : { ...answer, remember }
    const isShown = approval !== undefined && digest === sha(verdictText(approval, whole))
    const given = { ...answer, approval: id, reviewer: you, digest: isShown ? approval.runDigest : nothingShown }
    if (remember === undefined) return given
    const { alsoSettles, ...kept } = remember
    if (alsoSettles === undefined) return { ...given, remember: kept }
    const along = []
    for (const each of alsoSettles) {
      const other = await gate.approval(each.approval)
      const isSame = other !== undefined && each.digest === sha(shownText(other))
      along.push({ approval: each.approval, digest: isSame ? other.runDigest : nothingShown })
    }
    return { ...given, remember: { ...kept, alsoSettles: along } }
  }
}

const unread = { kind: "unavailable", why: "Nothing is read for calls in the side panel." } as const

type ContinueBody = {
  readonly message?: string
  readonly denyWaiting?: boolean
  readonly model?: string
  readonly servers?: string[]
}

/** A refusal on its way to whoever asked. */
class Refused extends Error {
  override readonly name = "Refused"
  readonly request: RefusedRequest
  constructor(request: RefusedRequest) {
    super(request.detail)
    this.request = request
  }
}

const otherwiseShown = refuse(
  "digest-mismatch",
  "It differs from what you were shown. Review it again. Nothing was changed.",
)

function missing(): never {
  throw new Refused(refuse("not-found", "It is not there any more."))
}

async function reply<Value>(work: () => Promise<Value>): Promise<ServiceReply<Value>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, problem: problemOf(error.request) }
    if (error instanceof StoreError)
      return { ok: false, problem: problemOf(refuse("store-unavailable", error.message)) }
    throw error
  }
}

function modelsOf({ settings }: Engine) {
  const { model } = settings()
  const demo = { name: demoModel, model: "scripted", provider: "scripted" as const, problem: null, images: false }
  if (model === null) return [demo]
  return [
    { name: ownModel, model: model.model, provider: "openai-compatible" as const, problem: null, images: false },
    demo,
  ]
}
