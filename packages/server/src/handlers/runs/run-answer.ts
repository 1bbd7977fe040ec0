import type { RunAnswerView } from "@byleave/api"
import { type AgentRun, type Approval, memberAt, type Requirement, toolName } from "@byleave/core"
import type { AgentRuns } from "../../agent-runs.ts"
import { notFound, type RefusedRequest } from "../../refused.ts"
import type { ApiService } from "../../service.ts"

/** What a start and a continue answer. */
export async function runAnswer(
  service: ApiService,
  runs: AgentRuns,
  run: AgentRun,
  decisions?: RunAnswerView["decisions"],
): Promise<RunAnswerView> {
  const waiting = await waitingFor(service, run)
  const session = run.status === "paused" ? await runs.sessionOf(run) : null
  const { input, output, total } = run.usage
  const isOpen = waiting.length > 0
  return {
    run_id: run.id,
    conversation_id: conversationOf(run),
    status: run.status,
    text: await runs.textOf(run),
    data: {
      tool_calls: waiting.map(({ requirement, approval }) => ({
        id: requirement.toolCall,
        name: toolName(requirement.tool),
        input: approval.args ?? {},
        execute: false,
        rejection_reason: null,
      })),
      session,
    },
    needs_approval: isOpen,
    has_pending_approvals: isOpen,
    is_complete: run.status === "finished" || run.status === "cancelled",
    paused_run_state: session,
    pending_requirements: waiting.map(({ requirement, approval }) => ({
      requirement_id: approval.id,
      tool_call_id: requirement.toolCall,
      tool_name: toolName(requirement.tool),
      tool_args: approval.args ?? {},
      why: approval.why,
    })),
    ...(decisions === undefined ? {} : { decisions }),
    detail: run.status === "failed" || run.status === "cancelled" ? run.detail : null,
    usage: { input_tokens: input, output_tokens: output, total_tokens: total },
    metadata: run.setup.metadata ?? {},
  }
}

type Waiting = { readonly requirement: Requirement; readonly approval: Approval }

/** The calls that nobody has answered. */
async function waitingFor(service: ApiService, run: AgentRun): Promise<readonly Waiting[]> {
  const waiting: Waiting[] = []
  for (const requirement of run.status === "paused" ? run.requirements : []) {
    const approval = requirement.approval === null ? undefined : await service.gate.approval(requirement.approval)
    if (approval?.status === "pending") waiting.push({ requirement, approval })
  }
  return waiting
}

/** The name by which the starter knows the conversation, kept with the run. */
function conversationOf(run: AgentRun): string {
  const given = memberAt(run.setup.face, "conversationId")
  return typeof given === "string" ? given : run.id
}

/** The run once it has paused or ended, or after that many seconds as it stands. */
export async function waitedFor(
  service: ApiService,
  runs: AgentRuns,
  id: string,
  { seconds, request }: { readonly seconds: number; readonly request: Request },
): Promise<AgentRun | RefusedRequest> {
  const signal = waitSignal(service, seconds, request)
  return (await runs.settled(id, signal)) ?? notFound()
}

export function waitSignal(service: ApiService, seconds: number, request: Request): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(seconds * 1_000), request.signal, service.closing])
}
