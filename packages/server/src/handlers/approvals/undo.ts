/**
 * A file as it was before a call changed it, put back by a call of its own: the server's writing tool with the former content, for the reviewer,
 * judged, recorded and approved like any other, and naming the approval it takes back.
 *
 * I1. Nothing is sent where the file is not as the call left it, also where it is sent later, after others have said yes. It is looked at last of all,
 *     right before the call is claimed. What somebody else writes in between is not noticed.
 * I2. One call is put back once at a time.
 * I3. What is sent is what was shown, of the file as it was shown.
 */
import { foreseen, shownUndoText, type UndoView } from "@byleave/api"
import {
  type Approval,
  type Call,
  canonicalJson,
  type JsonObject,
  pointerTo,
  shownName,
  type ToolRef,
  toolName,
} from "@byleave/core"
import { answerRefused } from "../../gate/answer-refused.ts"
import { isRefused, notFound, type RefusedRequest, refuse } from "../../refused.ts"
import type { ApiService } from "../../service.ts"
import { inboxCaller } from "../../show/activity/inbox-caller.ts"
import { fileOf, type NamedFile, writersAmong, writingArgs } from "../../show/content/file-reading.ts"
import { contentBefore, type KeptContent } from "../../show/content/kept-content.ts"
import { toolKnowledge } from "../../show/tool-knowledge.ts"
import type { Handler } from "../handler.ts"
import { answeredOf } from "./approvals.ts"
import { readFile } from "./current-content.ts"
import { runHere } from "./run-here.ts"

export const previewUndo: Handler<"previewUndo"> = async (service, { params, who }) => {
  const approval = await service.gate.approval(params.id)
  return approval === undefined ? notFound() : undoOf(service, approval, who.reviewer.id)
}

export const undoApproval: Handler<"undoApproval"> = async (service, asked) =>
  oneUndo(service, asked.params.id, async () => undoNow(service, asked))

/** Refuses while the same call is being put back already, by this service or another on the same store. */
export async function oneUndo<Result>(
  { store, time }: Pick<ApiService, "store" | "time">,
  approval: string,
  undo: () => Promise<Result>,
): Promise<Result | RefusedRequest> {
  const note = { kind: "undo", id: approval }
  const at = time()
  const put = { ...note, version: 1, value: {}, expiresAt: at + longestUndoMs }
  const nothing = { records: [], events: [], durability: "soon" } as const
  const begun = await store.commit({ ...nothing, at, documents: [{ put, replaces: null }] })
  if (!begun.ok) return refuse("cannot-undo", "It is being put back already. Look again in a moment.")
  try {
    return await undo()
  } finally {
    await store.commit({ ...nothing, at: time(), documents: [{ remove: note, replaces: 1 }] })
  }
}

/** A service that ended meanwhile keeps nobody from it for longer. */
const longestUndoMs = 60_000

const undoNow: Handler<"undoApproval"> = async (service, { params, body, who }) => {
  const { reviewer } = who
  const old = await service.gate.approval(params.id)
  if (old === undefined) return notFound()
  const undo = await undoOf(service, old, reviewer.id)
  if (undo.kind !== "ready") return refuse("cannot-undo", undo.kind === "changed" ? changedSince : undo.why)
  if (service.hasher.sha256(shownUndoText(old.id, undo)) !== body.digest) return otherwiseShown
  const call: Call = { tool: undo.tool, args: undo.args, ...inboxCaller(reviewer.id) }
  const answer = await service.gate.undo(old.id, call, reviewer)
  if (!answer.ok) return answerRefused(answer.refusal)
  // Others must say yes, too.
  if (answer.approval.status !== "approved") return answeredOf(service, answer)
  const made = answer.approval
  const ran = await runHere(service, made, made.runDigest, reviewer, () => refusedUndo(service, made, reviewer.id))
  if (!isRefused(ran)) return answeredOf(service, { ...answer, approval: ran })
  await service.gate.revoke(answer.approval.id, reviewer)
  return ran
}

const changedSince = "The file has changed since this call, so nothing was put back. Look at what it holds now."
const otherwiseShown = refuse(
  "digest-mismatch",
  "It is not what you were shown any more. Review it again. Nothing was changed.",
)

/** Why a call that was approved to put a file back is not to run now; null: it is no such call, or it would still do what was approved. */
export async function refusedUndo(
  service: ApiService,
  approval: Approval,
  reviewer: string,
): Promise<RefusedRequest | null> {
  if (approval.undoOf === undefined) return null
  const old = await service.gate.approval(approval.undoOf)
  if (old === undefined) return refuse("cannot-undo", "The call that it takes back is no longer stored.")
  const undo = await undoOf(service, old, reviewer)
  if (undo.kind !== "ready") return refuse("cannot-undo", undo.kind === "changed" ? changedSince : undo.why)
  const sent = canonicalJson([toolName(undo.tool), undo.args])
  return sent === canonicalJson([toolName(approval.tool), approval.editedArgs ?? approval.args]) ? null : otherwiseShown
}

async function undoOf(service: ApiService, approval: Approval, reviewer: string): Promise<UndoView> {
  if (approval.status !== "succeeded") return unavailable("Only what a call has changed can be put back.")
  const file = fileOf(toolKnowledge(service, await service.store.decisionState()), approval)
  if (file === null)
    return unavailable("It changed no file that can be told by its arguments, or they are no longer kept.")
  const kept = await contentBefore(service, { approval: approval.id, path: file.path }, service.time())
  if (kept?.kind !== "text") return unavailable(whyNotKept(kept, approval.tool))
  const left = foreseen(file.change, kept.text)
  if (left.kind !== "told") {
    return unavailable("It cannot be told what exactly the call made of the file, nor whether it has changed since.")
  }
  const found = await readFile(service, approval, file, reviewer)
  if (found.kind === "absent") return unavailable("The file is not there any more.")
  if (found.kind !== "text") return unavailable(found.kind === "unavailable" ? found.why : "The file cannot be read.")
  if (found.doubt !== undefined) return unavailable(whyDoubted[found.doubt])
  if (found.text === kept.text) return unavailable("The file holds its former content already.")
  if (found.text !== left.text) return { kind: "changed", path: file.path, written: left.text, now: found.text }
  const writing = await writingFor(service, approval, file, kept.text)
  if (writing === null) return unavailable(`${shownName(approval.tool.server)} has no tool that writes a whole file.`)
  return { kind: "ready", path: file.path, ...writing, now: found.text, before: kept.text, readAt: kept.readAt }
}

function unavailable(why: string): UndoView {
  return { kind: "unavailable", why }
}

const whyDoubted = {
  partial: "The server may have given only a part of the file, so it cannot be put back whole.",
  "not-utf8": "The file contains bytes that are not valid UTF-8 text, so it cannot be put back as it was.",
} as const

function whyNotKept(kept: KeptContent | undefined, { server }: ToolRef): string {
  switch (kept?.kind) {
    case "absent":
      return `The file did not exist before this call, so there is nothing to put back. A writing tool of ${shownName(server)} cannot delete it: delete it yourself if it is not wanted.`
    case "too-large":
      return "The file was too large before this call for its content to be kept."
    case "redacted":
      return "The file held a configured secret before this call, so its content was not kept."
    case "partial":
    case "not-utf8":
      return whyDoubted[kept.kind]
    default:
      return "The file was not read before this call ran, or what was read is no longer kept."
  }
}

type Writing = { readonly tool: ToolRef; readonly args: JsonObject }

/** By the tool that the call itself used, where that writes whole files; else by another of its server whose definition somebody has accepted. */
async function writingFor(
  service: ApiService,
  { tool }: Approval,
  file: NonNullable<ReturnType<typeof fileOf>>,
  text: string,
): Promise<Writing | null> {
  if (file.change.how === "write") return sameTool(tool, file, text)
  const tools = toolKnowledge(service, await service.store.decisionState())
  const { server } = tool
  for (const name of writersAmong(tools.toolsOf(server))) {
    const { pin, definition } = tools.factsOf({ server, tool: name })
    const isAccepted = pin === "accepted" || pin === "unpinned"
    const args = isAccepted && definition !== null ? writingArgs(definition, file, text) : null
    if (args !== null) return { tool: { server, tool: name }, args }
  }
  return null
}

function sameTool(tool: ToolRef, { args, written }: NamedFile, text: string): Writing | null {
  const [pointer, ...others] = written
  const name = Object.keys(args).find((each) => pointerTo("", each) === pointer)
  return name === undefined || others.length > 0 ? null : { tool, args: { ...args, [name]: text } }
}
