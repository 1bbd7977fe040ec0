/** Pieces of a sentence about a record, each from one or two members of its body. A member that is missing leaves a plain word in its place. */
import type { AuditRecordView } from "@byleave/api"
import { modeLabel } from "../sessions/mode/mode-words.ts"

/** Ours as plain strings; what others wrote apart, to be shown as theirs. */
export type Sentence = readonly (string | { readonly their: string })[]

export type Body = AuditRecordView["body"]

export function textIn(body: Body, key: string): string | null {
  const value = Object.hasOwn(body, key) ? body[key] : null
  return typeof value === "string" && value !== "" ? value : null
}

export function numberIn(body: Body, key: string): number | null {
  const value = Object.hasOwn(body, key) ? body[key] : null
  return typeof value === "number" ? value : null
}

export function tool(body: Body): { readonly their: string } {
  const server = textIn(body, "server") ?? "?"
  const kind = textIn(body, "kind") ?? "tool"
  const name = textIn(body, "tool") ?? "?"
  return { their: kind === "tool" ? `${server}(${name})` : `${server}(${kind}:${name})` }
}

/** Without a tool it is the server's own words. */
export function defined(body: Body): Sentence {
  if (textIn(body, "tool") !== null) return ["the definition of ", tool(body)]
  return ["the instructions of ", { their: textIn(body, "server") ?? "?" }]
}

export function quarantined(body: Body): Sentence {
  return textIn(body, "tool") === null ? ["the server ", { their: textIn(body, "server") ?? "?" }] : [tool(body)]
}

export function agent(body: Body): Sentence {
  return [{ their: textIn(body, "principal") ?? "An agent" }]
}

export function principal(body: Body): Sentence {
  return [{ their: textIn(body, "principal") ?? "an agent" }]
}

export function by(body: Body): Sentence {
  return [{ their: textIn(body, "by") ?? "Byleave" }]
}

export function byWhom(body: Body): Sentence {
  const who = textIn(body, "by")
  return who === null ? [] : [", by ", { their: who }]
}

export function edited(body: Body): string {
  return body.edited === true ? ", with edited arguments" : ""
}

export function released(body: Body): string {
  return textIn(body, "grant") === null ? "" : ", and saved a permission"
}

export function anew(body: Body): string {
  return textIn(body, "rerunOf") === null ? "" : " again"
}

export function until(body: Body, forEver: string): string {
  const at = numberIn(body, "until")
  return at === null ? forEver : `until ${when.format(at)}`
}

export function switchesIn({ switches }: Body): string {
  const given = Array.isArray(switches) ? switches.filter((each) => typeof each === "string") : []
  return given.length === 0 ? "switches" : given.join(" ")
}

export function modeIn(body: Body): string {
  const mode = textIn(body, "mode")
  return mode === null ? "another mode" : modeLabel(mode).toLowerCase()
}

export function untilIn(body: Body): string {
  const at = numberIn(body, "until")
  return at === null ? "" : ` until ${when.format(at)}`
}

const because: ReadonlyMap<string, string> = new Map([
  ["rule", "by a rule"],
  ["grant", "by a saved permission"],
  ["mode", "by the session's mode"],
  ["default", "by default"],
  ["passes", "because no rule covers it"],
  ["starts-cool-down", "because no rule covers it; it started a cool-down"],
])

export function allowedBecause(body: Body): string {
  const words = because.get(textIn(body, "because") ?? "") ?? "by policy"
  return body.wouldAsk === true ? `${words}; it would otherwise have needed approval` : words
}

export function breadth(body: Body): Sentence {
  const value = body.breadth
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  const inside = value as Body
  const server = textIn(inside, "server")
  const name = textIn(inside, "tool")
  if (server === null) return []
  return [" for ", { their: name === null ? server : `${server}(${name})` }]
}

export const serverActs: ReadonlyMap<string, string> = new Map([
  ["stopped", "stopped"],
  ["started", "started"],
  ["reconnected", "reconnected"],
])

const accessSubjects: ReadonlyMap<string, string> = new Map([
  ["token", "A token"],
  ["reviewer", "A reviewer"],
  ["device", "A signed-in device"],
  ["pin", "A PIN"],
  ["sign-in", "A sign-in link"],
])

export function accessWords(body: Body): string {
  const what = accessSubjects.get(textIn(body, "what") ?? "") ?? "Access"
  return `${what} was ${textIn(body, "change") ?? "changed"}: `
}

export function runTitle(body: Body): Sentence {
  return [{ their: textIn(body, "title") ?? "?" }]
}

/** The person's name: the caller's name begins with the inbox's. */
export function readerIn(body: Body): string {
  const caller = textIn(body, "principal") ?? "a person"
  return caller.slice(caller.indexOf(":") + 1)
}

/** The time and place a record carries beside its sentence: how long something may wait or lasts. */
const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" })
