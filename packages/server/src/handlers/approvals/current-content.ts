/**
 * The current content that a waiting call is compared with. For a change of the configuration: the text that was accepted last. For a change of a file: the file's content now, read by another tool of the same server, as a call of its own: judged, limited
 * and recorded like any other, in the reviewer's name at the inbox. It is made only where policy allows it without asking.
 */
import type { CurrentContentView } from "@byleave/api"
import {
  type Approval,
  type Call,
  isAbsolutePath,
  type JsonObject,
  quoted,
  reasonOf,
  shownName,
  type ToolRef,
  toolName,
} from "@byleave/core"
import { notFound } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { inboxCaller } from "../../show/activity/inbox-caller.ts"
import { approvalViewOf } from "../../show/approval-view-of.ts"
import {
  fileIn,
  fileOf,
  mayGivePart,
  type NamedFile,
  readersAmong,
  readingArgs,
  untold,
} from "../../show/content/file-reading.ts"
import { keepContent } from "../../show/content/kept-content.ts"
import { toolKnowledge } from "../../show/tool-knowledge.ts"
import type { Handler } from "../handler.ts"

const patienceMs = 5_000
const mostCharacters = 1_000_000

export const currentContent: Handler<"currentContent"> = async (service, { params, who }) => {
  const approval = await service.gate.approval(params.id)
  if (approval === undefined) return notFound()
  if (approval.status !== "pending") return unavailable(notWaiting)
  const proposed = (await service.configText?.proposed(approval)) ?? null
  if (proposed !== null) return proposed
  return contentFor(service, approval, who.reviewer.id)
}

/** The same for arguments that a reviewer has edited and not sent: every edit is shown as what it would do. */
export const previewEdit: Handler<"previewEdit"> = async (service, { params, body, who }) => {
  const approval = await service.gate.approval(params.id)
  if (approval === undefined) return notFound()
  if (approval.status !== "pending") {
    return { risks: [], current: unavailable(notWaiting), refused: "It is no longer waiting." }
  }
  const checked = await service.gate.checkEdit(approval, body.args)
  const edited: Approval = { ...approval, editedArgs: body.args, checked }
  const { kind, tool } = approval
  const decision = await service.gate.foresee({ server: tool.server, kind, name: tool.tool }, body.args, approval)
  // As when the verdict is given: a mode says nothing of what a person has answered.
  const isForbidden = (decision.effect === "deny" || decision.effect === "hide") && decision.because.kind !== "mode"
  const tools = toolKnowledge(service, await service.store.decisionState())
  return {
    risks: approvalViewOf(service, tools, edited).risks,
    current: await contentFor(service, edited, who.reviewer.id),
    refused: isForbidden ? reasonOf(decision, { server: tool.server, kind, name: tool.tool }) : null,
  }
}

const notWaiting = "It is no longer waiting, so nothing is read for it."

async function contentFor(service: ApiService, approval: Approval, reviewer: string): Promise<CurrentContentView> {
  const tools = toolKnowledge(service, await service.store.decisionState())
  const file = fileOf(tools, approval)
  if (file === null) return unavailable("Its arguments do not show which file it changes.")
  const found = await readFile(service, approval, file, reviewer)
  // Decided meanwhile: what was read may be what the call itself has written.
  const after = await service.gate.approval(approval.id)
  if (after?.status !== "pending") return unavailable(notWaiting)
  const kept = found === tooLarge ? "too-large" : found
  await keepContent(service, { approval: approval.id, path: file.path }, kept, service.time()).catch(
    (trouble: unknown) => service.onTrouble?.(trouble),
  )
  return found
}

/** The current content of the file that a call names, read by another tool of its server for this reviewer. */
export async function readFile(
  service: ApiService,
  { tool: { server }, connection }: Pick<Approval, "tool" | "connection">,
  file: NamedFile,
  reviewer: string,
): Promise<CurrentContentView> {
  // It is read over a connection that everybody shares: from another folder, the same words name another file.
  if (connection !== undefined && !isAbsolutePath(file.path)) return unavailable(startsElsewhere)
  const reading = await readingFor(service, server, file)
  if (reading === null) return unavailable(`${shownName(server)} has no tool that reads this file.`)
  if ("untold" in reading) return unavailable(elsewhere(reading))
  const { isPart, ...call } = reading
  const found = await read(service, { ...call, ...inboxCaller(reviewer) }, file.path)
  return isPart && found.kind === "text" ? { doubt: "partial", ...found } : found
}

const startsElsewhere =
  "Its path is relative, and only the agent's own connection to the server knows the folder it starts from."

/** The reader would look in the place that it takes by itself, and show a change of another file. */
function elsewhere({ tool, untold }: Untold): string {
  return `${shownName(toolName(tool))} does not take ${quoted(untold)}, so it may read another file than the one this call changes.`
}

function unavailable(why: string): CurrentContentView {
  return { kind: "unavailable", why }
}

type Reading = { readonly tool: ToolRef; readonly args: JsonObject; readonly isPart: boolean }

/** A tool that reads files, and an argument of the call that it does not take. */
type Untold = { readonly tool: ToolRef; readonly untold: string }

/** The first of the server's readers that takes all that is said of where the file is, and whose definition somebody has accepted; one that gives whole files before others. */
async function readingFor(service: ApiService, server: string, file: NamedFile): Promise<Reading | Untold | null> {
  const tools = toolKnowledge(service, await service.store.decisionState())
  let first: Reading | null = null
  let elsewhere: Untold | null = null
  // As they were last known: after a start nobody may have listed them yet.
  for (const name of readersAmong(tools.toolsOf(server))) {
    const { pin, definition } = tools.factsOf({ server, tool: name })
    const isAccepted = pin === "accepted" || pin === "unpinned"
    if (!isAccepted || definition === null) continue
    const args = readingArgs(definition, file)
    if (args === null) continue
    const tool = { server, tool: name }
    const missing = untold(file, args)
    if (missing !== null) {
      elsewhere ??= { tool, untold: missing }
      continue
    }
    const reading = { tool, args, isPart: mayGivePart(definition) }
    if (!reading.isPart) return reading
    first ??= reading
  }
  return first ?? elsewhere
}

async function read(service: ApiService, call: Call, path: string): Promise<CurrentContentView> {
  const { tool, args } = call
  const { effect } = await service.gate.foresee({ server: tool.server, kind: "tool", name: tool.tool }, args, call)
  if (effect !== "allow") return unavailable(`The policy does not allow reading ${shownName(path)} without approval.`)
  const reply = (await service.callTool?.(call, patienceMs)) ?? null
  if (reply === null) return unavailable(`${shownName(tool.server)} cannot be asked from here.`)
  const found = reply.kind === "result" ? fileIn(reply.result, path) : { kind: "unreadable" as const, said: null }
  switch (found.kind) {
    case "text": {
      const { text, isPart } = found
      if (text.length > mostCharacters) return tooLarge
      // Readers put this character in place of bytes that are no UTF-8.
      const doubt = text.includes("\ufffd") ? "not-utf8" : isPart ? "partial" : null
      return { kind: "text", path, text, by: tool, ...(doubt === null ? {} : { doubt }) }
    }
    case "absent":
      return { kind: "absent", path, by: tool }
    case "unreadable":
      return unavailable(
        found.said === null
          ? `${shownName(toolName(tool))} did not return the file as text.`
          : `${shownName(toolName(tool))} did not read it. The server said: ${quoted(found.said, Number.POSITIVE_INFINITY)}`,
      )
  }
}

const tooLarge = unavailable("The file is larger than 1 MB, too large to show here.")
