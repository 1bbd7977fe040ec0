import { type ApprovalSummaryView, type ApprovalView, riskLevelOf } from "@byleave/api"
import {
  type Approval,
  type ApprovalSummary,
  foldersIn,
  isRawNumber,
  isRunPrincipal,
  type JsonObject,
  type JsonValue,
  quoted,
  type Risk,
  risksOf,
  runCallKey,
  shownName,
  type ToolDefinition,
  textAt,
} from "@byleave/core"
import type { ApiService } from "../service.ts"
import { opaqueSession } from "./session-key.ts"
import { definitionFor, type ToolKnowledge, toolWords } from "./tool-knowledge.ts"

/** The parts of a service that showing an approval needs. */
export type ShowingService = Pick<ApiService, "hasher" | "policy">

/** An approval as people see it, with what to check before allowing it. */
export function approvalViewOf(service: ShowingService, tools: ToolKnowledge, approval: Approval): ApprovalView {
  const { caller, checked: _, key: __, ...told } = approval
  const definition = definitionFor(tools, approval)
  const facts = approval.kind === "tool" ? tools.factsOf(approval.tool) : null
  const risks: ApprovalView["risks"] = [
    ...otherProgram(tools, approval),
    ...risksIn(service, tools, approval, definition),
  ]
  return {
    ...withoutOwner(told),
    sessionKey: opaqueSession(approval.session, service.hasher),
    argsText: exactText(approval.args),
    editedArgsText: exactText(approval.editedArgs),
    ...extraText(approval),
    ...runOf(approval),
    callerWaits: caller !== null,
    risks,
    riskLevel: riskLevelOf({ risks, pin: facts?.pin ?? null }),
    definition: definition === null ? null : toolWords(definition),
    pin: facts?.pin ?? null,
    accessFrom: facts?.access === approval.access ? facts.accessFrom : null,
  } as ApprovalView
}

/** An approval as lists show it. */
export function approvalSummaryOf(
  service: ShowingService,
  tools: ToolKnowledge,
  summary: ApprovalSummary,
): ApprovalSummaryView {
  const { caller, key: _, ...told } = summary
  const facts = summary.kind === "tool" ? tools.factsOf(summary.tool) : null
  return {
    ...withoutOwner(told),
    sessionKey: opaqueSession(summary.session, service.hasher),
    ...runOf(summary),
    callerWaits: caller !== null,
    pin: facts?.pin ?? null,
    riskLevel: riskLevelOf({ risks: summary.risks, pin: facts?.pin ?? null }),
    accessFrom: facts?.access === summary.access ? facts.accessFrom : null,
  } as ApprovalSummaryView
}

/** The run whose call it is, which has the session's id. */
function runOf({
  principal,
  session,
  key,
}: Pick<Approval, "principal" | "session" | "key">): Pick<ApprovalView, "run"> {
  const start = runCallKey(session.id, "")
  if (!isRunPrincipal(principal.id) || key === undefined || !key.startsWith(start)) return {}
  return { run: { id: session.id, toolCall: key.slice(start.length) } }
}

/** Which process runs it is nobody's business outside. */
function withoutOwner<Told extends object>(told: Told): Omit<Told, "owner"> {
  const { owner: _, ...rest } = told as Told & { readonly owner?: string }
  return rest as Omit<Told, "owner">
}

/** Whose name it is, and who uses it now. */
function otherProgram(tools: ToolKnowledge, { tool }: Approval): readonly RiskView[] {
  const { accepted = null, proposed = null } = tools.programOf(tool.server) ?? {}
  if (proposed === null) return []
  const before = accepted === null ? "no program was accepted" : `accepted was ${programIn(accepted)}`
  const sentence = `${shownName(tool.server)} is now a different program: ${programIn(proposed)}; ${before}.`
  return [{ kind: "other-program", key: "", sentence }]
}

type RiskView = ApprovalView["risks"][number]

function programIn({ definition }: { readonly definition: ToolDefinition }): string {
  return quoted(textAt(definition, "program") ?? textAt(definition, "description") ?? "", Number.POSITIVE_INFINITY)
}

type Definition = ReturnType<typeof definitionFor>

/** As they were found when the call was held; of one held before they were kept, as they are found now. */
function risksIn(
  service: ShowingService,
  tools: ToolKnowledge,
  approval: Approval,
  definition: Definition,
): readonly Risk[] {
  const args = approval.editedArgs ?? approval.args
  if (args === null) return []
  if (approval.checked !== undefined) return approval.checked.risks
  const { server } = approval.tool
  return risksOf({
    tool: approval.tool,
    args,
    definition,
    toolNames: () => tools.toolsOf(server),
    ...foldersIn(service.policy(), server),
  })
}

function extraText({ extraParams }: Approval): Pick<ApprovalView, "extraParamsText"> {
  const text = extraParams === undefined ? null : exactText(extraParams)
  return text === null ? {} : { extraParamsText: text }
}

function exactText(args: JsonObject | null): string | null {
  return args !== null && holdsRawNumber(args) ? JSON.stringify(args) : null
}

function holdsRawNumber(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false
  return isRawNumber(value) || Object.values(value).some(holdsRawNumber)
}
