/**
 * The words of a notification.
 *
 * I1. Never arguments: it stands on lock screens and in logs of the system.
 */
import { shownName, toolName } from "@byleave/core"
import type { WaitingCall } from "../data/live/waiting-table.ts"

export type NoticeWords = { readonly title: string; readonly body: string }

export function arrivedWords(calls: readonly WaitingCall[]): NoticeWords | null {
  const [first] = calls
  if (first === undefined) return null
  if (calls.length > 1) return { title: `${calls.length} calls need your approval`, body: toolsIn(calls) }
  return { title: `${toolIn(first)} needs your approval`, body: `Requested by ${short(first.principal.id)}.` }
}

export function endingWords(calls: readonly WaitingCall[]): NoticeWords | null {
  const [first] = calls
  if (first === undefined) return null
  if (calls.length > 1) return { title: `${calls.length} calls expire within a minute`, body: toolsIn(calls) }
  return { title: `${toolIn(first)} expires within a minute`, body: "Nobody has decided yet." }
}

export function expiredWords(calls: readonly WaitingCall[]): NoticeWords | null {
  const [first] = calls
  if (first === undefined) return null
  if (calls.length > 1) return { title: `${calls.length} calls expired without a decision`, body: toolsIn(calls) }
  return { title: `${toolIn(first)} expired without a decision`, body: "It did not run. The agent was told." }
}

/** Their tool says something else of itself now: what was asked cannot be allowed any more. */
export function supersededWords(calls: readonly WaitingCall[]): NoticeWords | null {
  const [first] = calls
  if (first === undefined) return null
  const body = "It did not run and no longer can. The agent was told and may call again."
  if (calls.length === 1) return { title: `${toolIn(first)} changed while a call was waiting`, body }
  return { title: `${calls.length} calls were dropped because their tools changed`, body: toolsIn(calls) }
}

function toolsIn(calls: readonly WaitingCall[]): string {
  const names = [...new Set(calls.map(toolIn))]
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more tools`
}

function toolIn({ tool }: WaitingCall): string {
  return short(toolName(tool))
}

const longest = 60

/** Names are chosen by servers: marked, quoted and cut, as nothing in a notification can be unfolded. */
function short(name: string): string {
  return shownName(name, longest)
}
