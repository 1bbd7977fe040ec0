/** The effects of switching to another policy: on the known tools, and on the calls that were recorded last. */
import type { PolicyPreviewView } from "@byleave/api"
import {
  type ApprovalSummary,
  type CompiledPolicy,
  compilePolicy,
  type DecisionState,
  decide,
  type EpochMs,
  idleUsage,
  indexGrants,
  inTurns,
  type Policy,
  reasonOf,
  type ToolFacts,
  type ToolRef,
} from "@byleave/core"
import { type RecordedCall, replayCalls, sharePlaces } from "@byleave/core/compare"
import type { ApiService } from "../../service.ts"
import { previewWithoutSecrets } from "../../show/activity/call-view-of.ts"
import { recordedCalls } from "../../show/activity/recorded-calls.ts"
import { toolKnowledge } from "../../show/tool-knowledge.ts"

type Side = {
  readonly policy: CompiledPolicy
  readonly factsOf: (tool: ToolRef) => ToolFacts
}

function sideOf(service: ApiService, state: DecisionState, policy: Policy): Side {
  const isInForce = policy === service.policy()
  const compiled = isInForce ? service.compiled() : compilePolicy(policy, service.policyPorts)
  return { policy: compiled, factsOf: toolKnowledge(service, state, policy).factsOf }
}

/** A caller with no identity: for decisions about a tool before the caller is known. */
const anyone = {
  principal: { id: "anyone" },
  session: { principal: "anyone", id: "anyone", named: false },
  state: {
    mode: "ask",
    usage: idleUsage,
  },
} as const

export async function differentTools(
  service: ApiService,
  state: DecisionState,
  next: Policy,
): Promise<PolicyPreviewView["tools"]> {
  const before = sideOf(service, state, service.policy())
  const after = sideOf(service, state, next)
  const grants = indexGrants(state.grants)
  const judge = ({ policy, factsOf }: Side, tool: ToolRef) => {
    const target = { server: tool.server, kind: "tool", name: tool.tool } as const
    const asked = { target, args: undefined, tool: factsOf(tool), ...anyone, now: service.time() }
    const decision = decide(policy, grants, asked)
    return { effect: decision.effect, why: service.redactor.redactText(reasonOf(decision, target)) }
  }
  return (await knownTools(service, state)).flatMap((tool) => {
    const [was, will] = [judge(before, tool), judge(after, tool)]
    return was.effect === will.effect ? [] : [{ tool, before: was.effect, after: will.effect, why: will.why }]
  })
}

/** Of the servers that the service reaches itself and of those that other programs wrap. */
async function knownTools(service: ApiService, state: DecisionState): Promise<readonly ToolRef[]> {
  const tools = toolKnowledge(service, state)
  const listed = new Map(service.servers().map((server) => [server.id, server.tools]))
  const wrapped = (await service.programServers.list()).map(({ id }) => id)
  return [...new Set([...listed.keys(), ...wrapped])].flatMap((server) => {
    const names = new Set([...(listed.get(server) ?? []), ...tools.toolsOf(server)])
    return [...names].map((tool) => ({ server, tool }))
  })
}

/** `paths`: so many different ones are followed for one preview; calls with others count as not known. */
const lastFew = { calls: 1_000, bytes: 8_388_608, atOnce: 32, since: 0, paths: 16_384 } as const
const sinceThen = { calls: 100_000, bytes: 134_217_728, atOnce: 32, paths: 131_072 } as const

type Asked = {
  readonly next: Policy
  /** Once it is aborted, nobody wants the answer any more. */
  readonly ended: AbortSignal
  /** Every call from then on, as far as one reply can hold them; absent: the last ones. */
  readonly since: EpochMs | undefined
}

export async function differentCalls(
  service: ApiService,
  state: DecisionState,
  { next, ended, since }: Asked,
): Promise<PolicyPreviewView["calls"]> {
  const { store, turns, policyPorts: { realPaths, ...ports } = {} } = service
  const extent = since === undefined ? lastFew : { ...sinceThen, since }
  const calls = await recordedCalls({ store, turns, closing: ended }, extent)
  const places = realPaths === undefined ? undefined : sharePlaces(realPaths, extent.paths)
  const side = (policy: Policy) => {
    const { factsOf } = toolKnowledge(service, state, policy)
    return {
      policy: compilePolicy(policy, { ...ports, ...(places === undefined ? {} : { realPaths: places.realPaths }) }),
      factsOf: ({ server, name }: RecordedCall["target"]) => factsOf({ server, tool: name }),
    }
  }
  const replay = await replayCalls({
    ...{
      calls,
      before: side(service.policy()),
      after: side(next),
      grants: state.grants,
      turns,
      isEnded: () => ended.aborted,
    },
    ...(places === undefined ? {} : { wasCut: places.wasCut }),
  })
  const denied = await deniedByPeople(service, replay.different, ended)
  const different = await inTurns(
    replay.different,
    async ({ call, before, after, why }) => ({
      call: call.id,
      at: call.at,
      tool: { server: call.target.server, tool: call.target.name },
      principal: call.principal,
      session: { principal: call.principal, id: call.session },
      before,
      after,
      why: service.redactor.redactText(why),
      preview: call.args === null ? null : previewWithoutSecrets(call.args),
      wasDenied: denied.has(call.id),
    }),
    turns,
    () => !ended.aborted,
    1,
  )
  return { looked: replay.looked, skipped: replay.skipped, different: different ?? [] }
}

/** Which of these calls a person denied, as far as their approvals are kept. */
async function deniedByPeople(
  { store, turns }: ApiService,
  different: ReadonlyArray<{ readonly call: RecordedCall }>,
  ended: AbortSignal,
): Promise<ReadonlySet<string>> {
  const asked = different.filter(({ call }) => call.effect === "ask")
  if (asked.length === 0) return new Set()
  const createdSince = asked.reduce((first, { call }) => Math.min(first, call.at), Number.POSITIVE_INFINITY)
  const denied = new Set<string>()
  let last: ApprovalSummary | undefined
  do {
    const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
    const page = await store.approvals({ statuses: ["denied"], createdSince, ...after, limit: pageOfDenied })
    for (const call of page) if (call.status === "denied" && call.by !== null) denied.add(call.id)
    last = page.length < pageOfDenied || ended.aborted ? undefined : page.at(-1)
    await turns.nextTurn()
  } while (last !== undefined)
  return denied
}

const pageOfDenied = 1_000
