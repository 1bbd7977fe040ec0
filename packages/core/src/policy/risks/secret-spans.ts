/**
 * Where in a text a secret stands, so that what is around it can be shown.
 *
 * I1. No program, path or host is taken for a part of a secret: a password in an address ends where the address's host may begin for any reader, and neither a
 *     host nor a file's path is masked for its looks.
 */
import { namedSecretSpans } from "./named-secret.ts"
import { isTokenShaped } from "./secret-like.ts"
import type { Span } from "./span.ts"

export { isTokenShaped, type Span }

/** In order, those that overlap as one. */
export function secretSpans(text: string): readonly Span[] {
  const found = [...keySpans(text), ...schemeSpans(text), ...userSpans(text), ...namedSecretSpans(text)]
  return joinedSpans([...found, ...tokenSpans(text)])
}

export function joinedSpans(spans: readonly Span[]): readonly Span[] {
  const whole: Span[] = []
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = whole.at(-1)
    if (last === undefined || span.start >= last.end) whole.push(span)
    else whole[whole.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
  }
  return whole
}

const wholeKey = /^\s*-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*-----)?/
/** Among other words, lines of other lengths may be commands. */
const keyWithin =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?:\s|\\[nr])*[A-Za-z\d+/=]{16,})*(?:(?:\s|\\[nr])*-----END [A-Z ]*-----)?/g

function keySpans(text: string): readonly Span[] {
  if (!text.includes("PRIVATE KEY-----")) return []
  const [whole] = wholeKey.exec(text) ?? []
  return whole === undefined ? matches(text, keyWithin) : [{ start: 0, end: whole.length }]
}

function schemeSpans(text: string): readonly Span[] {
  const [whole, scheme] = /^((?:bearer|basic)\s+)\S{8,}/i.exec(text) ?? []
  return whole === undefined || scheme === undefined ? [] : [{ start: scheme.length, end: whole.length }]
}

const authority = /:\/\/([^\s/?#\\@:]*)(?::([^\s/]*))?@/g
/** Behind these, an address has no user, and a command line is at its next word. */
const endOfHost = /[?#\\]/
const endOfWord = /[?#\\|;&<>()$`'"{}]/

/** What stands before the last `@` of an address's host: the password, or the user where there is no other. */
function userSpans(text: string): readonly Span[] {
  const isOneAddress = /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(text)
  return Array.from(text.matchAll(authority)).flatMap(({ 0: { length }, 1: user = "", 2: password, index }) => {
    const from = index + 3
    if (password === undefined) return isUserOnly(text, index, user) ? [{ start: from, end: from + user.length }] : []
    const cut = password.search(isOneAddress ? endOfHost : endOfWord)
    const before = cut === -1 ? password : password.slice(0, cut)
    // Digits up to such a sign are a port, and what is before them is the host.
    if (cut !== -1 && /^\d*$/.test(before)) return []
    if (/^(?:x-oauth-basic|x)?$/.test(password)) return [{ start: from, end: from + user.length }]
    const start = from + user.length + 1
    return [{ start, end: isOneAddress ? index + length - 1 : start + before.length }]
  })
}

/** `git@`, as addresses of repositories have it, is no secret. */
function isUserOnly(text: string, index: number, user: string): boolean {
  return (
    user !== "" && !endOfWord.test(user) && user !== "git" && !/ssh$/i.test(text.slice(Math.max(0, index - 8), index))
  )
}

const host = /:\/\/(?:[^\s/?#\\]*@)?[^\s/?#\\:@]*/g
const delimiter = /[\s"'`=,;|&<>(){}[\]]/
const filePath = /^(?:file:|~?[\\/]|\.{1,2}[\\/]|[a-z]:[\\/])/i

function tokenSpans(text: string): readonly Span[] {
  const runs = matches(text, /[\w.~+-]{20,}/g).filter(({ start, end }) => isTokenShaped(text.slice(start, end)))
  if (runs.length === 0) return []
  const hosts = Array.from(text.matchAll(host), ({ 0: { length }, index }) => {
    const end = index + length
    return { start: Math.max(text.lastIndexOf("@", end - 1) + 1, index + 3), end }
  })
  return runs.filter(({ start }) => {
    const isHost = hosts.some((each) => start >= each.start && start < each.end)
    return !isHost && !filePath.test(wordUpTo(text, start))
  })
}

/** The beginning of the word that goes on at a place, and the first sign there. */
function wordUpTo(text: string, place: number): string {
  let start = place
  while (start > 0 && place - start < longestPath && !delimiter.test(text.charAt(start - 1))) start -= 1
  return text.slice(start, place + 1)
}

const longestPath = 4_096

function matches(text: string, pattern: RegExp): readonly Span[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({ start: index, end: index + found.length }))
}
