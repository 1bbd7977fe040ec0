import { type ConfiguredServer, createResponses, type ResponsesHandler } from "@byleave/responses"
import {
  answerAgUi,
  answerUiChat,
  type FrontCaller,
  type FrontPorts,
  type Runs,
  reopenUiChat,
  type ToolSource,
} from "@byleave/runs"
import type { PageCaller } from "@byleave/server"
import { refusedModel } from "./chosen-model.ts"
import type { RunsBase, RunsParts } from "./open-runs.ts"

/** Agent runs by the protocols of others: OpenAI's Responses API, AG-UI, and AI SDK's useChat. */
export type RunProtocols = {
  readonly responses: ResponsesHandler
  readonly agUi: (request: Request, caller: PageCaller) => Promise<Response>
  readonly uiChat: (request: Request, caller: PageCaller) => Promise<Response>
  readonly reopenUiChat: (chat: string, request: Request, caller: PageCaller) => Promise<Response>
}

type LoadedParts = { readonly runs: Runs; readonly tools: ToolSource }

export function runProtocols(base: RunsBase, parts: RunsParts, { runs: loaded, tools }: LoadedParts): RunProtocols {
  const { io, models, onTrouble } = base
  const { gate, store } = parts
  const runs = withKnownModels(loaded, models)
  const portsFor = ({ orderFor, readInTurn }: PageCaller): FrontPorts => ({ runs, gate, store, orderFor, readInTurn })
  return {
    responses: createResponses({
      ...{ runs, gate, tools, now: io.now, onTrouble },
      servers: () => configuredServers(base, parts),
      models: () => models().map(({ name }) => name),
    }),
    agUi: (request, caller) => answerAgUi(portsFor(caller), request, frontCaller(caller)),
    uiChat: (request, caller) => answerUiChat(portsFor(caller), request, frontCaller(caller)),
    reopenUiChat: (chat, { signal }, caller) => reopenUiChat(portsFor(caller), chat, frontCaller(caller), { signal }),
  }
}

/** A run with a model that cannot be used does not begin: its starter is told at once, instead of by a run that fails. */
function withKnownModels(runs: Runs, models: RunsBase["models"]): Runs {
  return {
    ...runs,
    start: async (order, by) => refusedModel(models(), order.model) ?? runs.start(order, by),
    go: async (id, input, by) => {
      const named = input.setup?.model
      return (named === undefined ? null : refusedModel(models(), named)) ?? runs.go(id, input, by)
    },
  }
}

/** A request may mean a server by its name, by its own address, or by its address here. */
function configuredServers({ address }: RunsBase, { gateway }: RunsParts): readonly ConfiguredServer[] {
  return gateway.servers().map(({ id, transport }) => ({
    name: id,
    urls: [`${address()}/mcp/${encodeURIComponent(id)}`, ...("url" in transport ? [transport.url] : [])],
  }))
}

function frontCaller({ starter, mayUse, decide }: PageCaller): FrontCaller {
  return {
    starter,
    mayUse,
    convey: async (approval, answer) => {
      const reason = await decide(approval, answer)
      return reason === null ? { ok: true } : { ok: false, refusal: { code: "forbidden-by-policy", reason } }
    },
  }
}
