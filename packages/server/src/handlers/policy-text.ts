/** The configuration as text: shown, tried out and saved. */
import type { PolicyTextView, TextProblem } from "@byleave/api"
import type { ConfigText, Saving } from "../config-text.ts"
import { needPresence } from "../guard/who-asks.ts"
import { refuse } from "../refused.ts"
import { differentCalls, differentTools } from "./approvals/what-differs.ts"
import type { Handler } from "./handler.ts"

export const getPolicyText: Handler<"getPolicyText"> = (service) => service.configText?.read() ?? nowhere

export const previewPolicy: Handler<"previewPolicy"> = async (service, { body, who, request }) => {
  const { configText, previews, closing } = service
  if (configText === undefined) return noFile
  // A page asks at each pause in typing, and a command about all calls since a time: neither ends the other's.
  const asking = JSON.stringify([who.reviewer.id, body.since === undefined])
  return previews.begin(asking, [request.signal, closing], async (ended) => {
    const { policy, ...preview } = await configText.preview(body.text)
    if (policy === null) return { ...preview, tools: [], calls: { looked: 0, skipped: 0, different: [] } }
    const state = await service.store.decisionState()
    const calls = await differentCalls(service, state, { next: policy, ended, since: body.since })
    return ended.aborted ? notFinished : { ...preview, tools: await differentTools(service, state, policy), calls }
  })
}

const notFinished = refuse(
  "too-many-reads",
  "A newer preview of yours took the place of this one, or the service is stopping. Nothing was changed. Try again in a moment.",
)

export const addRule: Handler<"addRule"> = (service, { body }) => {
  if (service.configText === undefined) return noFile
  const added = service.configText.withRules(body.text, { add: [body.rule], remove: body.replaces ?? [] })
  return added.ok ? { text: added.text } : refuse("bad-request", added.why)
}

export const savePolicy: Handler<"savePolicy"> = async (service, { body, who }) => {
  const { configText } = service
  if (configText === undefined) return noFile
  const { text, version, widening } = body
  return (await refusedToSave(configText, { text, version, widening }, who)) ?? configText.read()
}

/** The edit is made here, on the file as it is: whoever displayed the rules has read nothing else of it, so nothing else may change. */
export const changeRules: Handler<"changeRules"> = async (service, { body, who }) => {
  const { configText } = service
  if (configText === undefined) return noFile
  const { text, version, why, inForce } = await configText.read()
  if (text === null) return refuse("unavailable", why ?? noText)
  if (body.version !== undefined && body.version !== version) return changedSince
  if (!inForce) return heldBack
  const edited = configText.withRules(text, body)
  if (!edited.ok) return refuse("bad-request", edited.why)
  const refused = await refusedToSave(configText, { text: edited.text, version, widening: undefined }, who)
  if (refused !== null) return refused
  const after = await configText.read()
  return { removed: edited.removed, version: after.version, waiting: after.waiting }
}

async function refusedToSave(
  configText: ConfigText,
  text: Pick<Saving, "text" | "version" | "widening">,
  who: Parameters<typeof needPresence>[0] & Pick<Saving, "reviewer">,
) {
  const absent = needPresence(who)
  const saved = await configText.save({ ...text, reviewer: who.reviewer, present: absent === null })
  if (saved.ok) return null
  if (saved.code === "presence-needed") return absent ?? noFile
  return refuse(saved.code, saved.detail, saved.problems.length === 0 ? undefined : saved.problems.map(inWords))
}

const noText = "There is no configuration file to change rules in."
const changedSince = refuse("conflict", "The file has changed since. Change it on the policy page; nothing was saved.")
/** Saving makes all of the file apply, so also what waits for approval or was denied. */
const heldBack = refuse(
  "conflict",
  "The configuration file has another change that is not in effect. Approve it or take it out of the file first; nothing was saved.",
)

function inWords({ line, column, message }: TextProblem): string {
  return line === null ? message : `line ${line}${column === null ? "" : `, column ${column}`}: ${message}`
}

const why = "This service was started without a configuration file, so there is none to edit."
const nowhere: PolicyTextView = { text: null, why, version: "", file: "", problems: [], waiting: null, inForce: true }
const noFile = refuse("unavailable", why)
