/**
 * What a notification says.
 *
 * I1. Never arguments: it stands on lock screens and in logs of the system.
 */
import { showText } from "@byleave/core"
import type { WaitingCall } from "../data/waiting-book.ts"

export type NoticeWords = { readonly title: string; readonly body: string }

export function arrivedWords(calls: readonly WaitingCall[]): NoticeWords | null {
  const [first] = calls
  if (first === undefined) return null
  if (calls.length > 1) return { title: `${calls.length} calls wait for you`, body: toolsIn(calls) }
  return { title: `${toolIn(first)} waits for you`, body: `Asked by ${short(first.principal.id)}.` }
}

export function endingWords(calls: readonly WaitingCall[]): NoticeWords | null {
  const [first] = calls
  if (first === undefined) return null
  if (calls.length > 1) return { title: `${calls.length} calls end within a minute`, body: toolsIn(calls) }
  return { title: `${toolIn(first)} ends within a minute`, body: "Nobody has answered it yet." }
}

export function expiredWords(calls: readonly WaitingCall[]): NoticeWords | null {
  const [first] = calls
  if (first === undefined) return null
  if (calls.length > 1) return { title: `${calls.length} calls expired unanswered`, body: toolsIn(calls) }
  return { title: `${toolIn(first)} expired unanswered`, body: "It did not run. The agent was told." }
}

/** Their tool says something else of itself now: what was asked cannot be allowed any more. */
export function supersededWords(calls: readonly WaitingCall[]): NoticeWords | null {
  const [first] = calls
  if (first === undefined) return null
  const body = "It did not run, and cannot any more. The agent was told, and may ask again."
  if (calls.length === 1) return { title: `${toolIn(first)} has changed while a call waited`, body }
  return { title: `${calls.length} calls are gone because their tools have changed`, body: toolsIn(calls) }
}

function toolsIn(calls: readonly WaitingCall[]): string {
  const names = [...new Set(calls.map(toolIn))]
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more tools`
}

function toolIn({ tool }: WaitingCall): string {
  return `${short(tool.server)}(${short(tool.tool)})`
}

/** Names are chosen by servers: marked and cut, as nothing in a notification can be unfolded. */
function short(name: string): string {
  const shown = showText(name)
  return shown.length <= 60 ? shown : `${shown.slice(0, 60)}…`
}
