import type { ApprovalView } from "@byleave/api"
import { type Approval, isRawNumber, type JsonObject, type JsonValue, type Pin, risksOf } from "@byleave/core"
import type { Service } from "../service.ts"
import { opaqueSession } from "./session-key.ts"
import { type ToolKnowledge, toolWords } from "./tool-knowledge.ts"
import { isPolicyChange, wideningIn, withoutShellSigns } from "./widening.ts"

/** An approval as people see it, with what to look at twice. */
export function approvalViewOf(service: Service, tools: ToolKnowledge, approval: Approval): ApprovalView {
  const { caller, ...told } = approval
  const pin = approval.kind === "tool" ? tools.pinOf(approval.tool) : undefined
  const definition = definitionOf(pin, approval.fingerprint)
  const facts = approval.kind === "tool" ? tools.factsOf(approval.tool) : null
  return {
    ...withoutOwner(told),
    sessionKey: opaqueSession(approval.session, service.hasher),
    argsText: exactText(approval.args),
    editedArgsText: exactText(approval.editedArgs),
    callerWaits: caller !== null,
    risks: risksIn(service, tools, approval, definition),
    definition: definition === null ? null : toolWords(definition),
    pin: facts?.pin ?? null,
    accessFrom: facts?.access === approval.access ? facts.accessFrom : null,
  } as ApprovalView
}

/** Which process runs it is nobody's business outside. */
function withoutOwner<Told extends object>(told: Told): Omit<Told, "owner"> {
  const { owner: _, ...rest } = told as Told & { readonly owner?: string }
  return rest as Omit<Told, "owner">
}

/** The definition the call was judged by, while it is still known; else the newest. */
function definitionOf(pin: Pin | undefined, fingerprint: string) {
  const known = [pin?.accepted, pin?.proposed].find((seen) => seen?.fingerprint === fingerprint)
  return known?.definition ?? pin?.proposed?.definition ?? pin?.accepted?.definition ?? null
}

function risksIn(
  service: Service,
  tools: ToolKnowledge,
  approval: Approval,
  definition: ReturnType<typeof definitionOf>,
): ApprovalView["risks"] {
  const args = approval.editedArgs ?? approval.args
  if (args === null) return []
  const { server } = approval.tool
  const cwd = service.policy().servers.find(({ id }) => id === server)?.cwd
  const risks = risksOf({
    tool: approval.tool,
    args,
    definition,
    toolNames: () => tools.toolsOf(server),
    ...(service.workspace === undefined ? {} : { workspace: service.workspace }),
    ...(service.knownHosts === undefined ? {} : { knownHosts: service.knownHosts }),
    ...(cwd === undefined ? {} : { cwd }),
  })
  return isPolicyChange(approval) ? [...wideningIn(args), ...withoutShellSigns(risks)] : risks
}

function exactText(args: JsonObject | null): string | null {
  return args !== null && holdsRawNumber(args) ? JSON.stringify(args) : null
}

function holdsRawNumber(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false
  return isRawNumber(value) || Object.values(value).some(holdsRawNumber)
}
