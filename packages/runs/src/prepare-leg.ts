import type { LanguageModelV4 } from "@ai-sdk/provider"
import { principalOfRun, type RunningRun, runSession } from "@byleave/core"
import type { ToolSet } from "ai"
import type { RunsOptions } from "./runs.ts"
import type { OfferedTool, OfferedTools } from "./tools.ts"

type Prepared = {
  readonly model: LanguageModelV4
  readonly tools: readonly OfferedTool[]
  readonly faceTools?: ToolSet
  /** Servers without tools in this leg: they do not answer, or cannot be reached. */
  readonly away: readonly string[]
}
type Unprepared = { readonly failure: { readonly retryable: boolean; readonly detail: string } }

/** Opens the model and lists the tools of a leg. It fails where a server is away whose calls were approved. */
export async function prepareLeg(
  options: Omit<RunsOptions, "ungated">,
  run: RunningRun,
): Promise<Prepared | Unprepared> {
  try {
    const who = { principal: principalOfRun(run), session: runSession(run) }
    const needed = [...new Set(run.answered.map(({ tool }) => tool.server))]
    const [model, { tools, unreachable }] = await Promise.all([
      options.openModel(run.setup.model),
      options.tools.list(run.setup.servers, who, needed),
    ])
    const missed = unreachable.find(({ server }) => needed.includes(server))
    if (missed !== undefined) return { failure: { retryable: true, detail: awayWords(missed) } }
    const offered = tools.filter((tool) => options.offers?.(run, tool) !== false)
    const faceTools = options.faceTools?.(run)
    const away = unreachable.map(({ server }) => server)
    return { model, tools: offered, away, ...(faceTools === undefined ? {} : { faceTools }) }
  } catch (error) {
    return { failure: options.failureOf(error) }
  }
}

function awayWords({ server, detail }: OfferedTools["unreachable"][number]): string {
  return `The server ${server}, which calls of this run wait for, cannot be reached: ${detail} Continue the run when it is back.`
}
