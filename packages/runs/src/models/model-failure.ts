/**
 * Says of a failed model what happened, whether to try again, and what to do.
 *
 * I1. No configured secret is in the words, also where a provider repeats it.
 * I2. What a provider says is quoted as its words, cut to a readable length, with nothing hidden in it.
 */
import { APICallError, EmptyResponseBodyError, InvalidResponseDataError, JSONParseError } from "@ai-sdk/provider"
import { quoted, type Redactor } from "@byleave/core"
import { type UnusableAnswer, unusableAnswerIn } from "./unusable-answer.ts"

export type ModelFailure = {
  /** Trying again may help. */
  readonly retryable: boolean
  readonly detail: string
  /** How long the provider asks to wait first. */
  readonly retryAfterMs: number | null
}

export function modelFailure(error: unknown, { redactText }: Pick<Redactor, "redactText">): ModelFailure {
  const { said, ...failure } = judge(unwrapped(error))
  const words = redactText(said).slice(0, longestRead).replaceAll(/\s+/g, " ").trim()
  return {
    ...failure,
    detail: words === "" ? failure.detail : `${failure.detail} It said: ${quoted(words, longestQuote)}`,
  }
}

type Judged = ModelFailure & { readonly said: string }

function judge(error: unknown): Judged {
  const unusable = unusableAnswerIn(error)
  if (unusable !== undefined) return judgeUnusable(unusable)
  if (APICallError.isInstance(error)) return judgeCall(error)
  const said = messageOf(error)
  const statusCode = statusOf(error)
  if (statusCode !== undefined) return judgeStatus(statusCode, said, null)
  if (isNamed(error, "TimeoutError")) return again("The model did not answer in time. Continue the run to try again.")
  if (isNamed(error, "AbortError")) return again("The request to the model was stopped.")
  if (isCutOff(error)) return again(brokenOff)
  if (isOfStream(error)) return again("The provider failed while it answered. Continue the run to try again.", said)
  return { retryable: false, detail: "The model could not be used.", said, retryAfterMs: null }
}

const brokenOff = "The model's answer was cut off. Continue the run to try again."

function again(detail: string, said = ""): Judged {
  return { retryable: true, detail, said, retryAfterMs: null }
}

function judgeUnusable({ code, message }: UnusableAnswer): Judged {
  return again(code === "redirected" ? message : `${message} Continue the run to try again.`)
}

function judgeCall(error: APICallError): Judged {
  const { statusCode, message, responseBody = "", responseHeaders = {} } = error
  // The request went well; what is read of the answer broke off.
  if (statusCode !== undefined && statusCode < 400) return again(brokenOff, "")
  if (statusCode === undefined) {
    const detail = `The model cannot be reached at ${hostOf(error.url)}. Check that its server runs and that \`url\` is right, then continue the run.`
    return again(detail, message)
  }
  // Where the body is of a form the provider's package does not know, its message is only the name of the status.
  const isTold = error.data !== undefined || responseBody === "" || responseBody.trimStart().startsWith("<")
  return judgeStatus(statusCode, isTold ? message : responseBody, retryAfterIn(responseHeaders))
}

const statusWords: ReadonlyMap<number, string> = new Map([
  [401, "The provider did not accept the key. Check `key` of this model, and the environment variable it names."],
  [403, "The provider does not let this key use the model. Check what the key may do, or choose another model."],
  [404, "The provider does not know this model or address. Check `model` and `url` of this model."],
  [413, "The conversation is too long for this model. Start a new run, or choose another model."],
  [402, "The provider wants to be paid first. Check the account that the key belongs to."],
])

const mendable: ReadonlySet<number> = new Set([401, 402, 403, 404])

function judgeStatus(status: number, said: string, retryAfterMs: number | null): Judged {
  if (status === 429) {
    const when = retryAfterMs === null ? "later" : `in ${Math.ceil(retryAfterMs / 1_000)} seconds`
    return { ...again(`The provider limits how much may be asked (429). Try again ${when}.`, said), retryAfterMs }
  }
  if (status === 408 || status === 409 || status === 425 || status >= 500) {
    return {
      ...again(`The provider is overloaded or failing (${status}). Continue the run to try again.`, said),
      retryAfterMs,
    }
  }
  const words = statusWords.get(status) ?? "The provider refused the request. Check `model` and `url` of this model."
  const detail = words.replace(/\.(?= |$)/, ` (${status}).`)
  // A key, an account or an address can be put right, and the run goes on where it was.
  return mendable.has(status)
    ? again(`${detail} Then continue the run.`, said)
    : { ...again(detail, said), retryable: false }
}

/** The error inside those that AI SDK wraps around it after its own attempts. */
function unwrapped(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ("lastError" in error && error.lastError !== undefined) return unwrapped(error.lastError)
  const isWrapper = isNamed(error, "AI_NoOutputGeneratedError") && error.cause !== undefined
  return isWrapper ? unwrapped(error.cause) : error
}

/** Networks end streams as a TypeError ("terminated"), or with a code of the system. */
function isCutOff(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    InvalidResponseDataError.isInstance(error) ||
    EmptyResponseBodyError.isInstance(error) ||
    JSONParseError.isInstance(error) ||
    isNamed(error, "AI_NoOutputGeneratedError") ||
    /^(?:ECONN|EPIPE|ETIMEDOUT|UND_ERR_)/.test(codeOf(error))
  )
}

function isNamed(error: unknown, name: string): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === name
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return undefined
  return typeof error.statusCode === "number" ? error.statusCode : undefined
}

/** An error that a provider sends within a stream: what it calls it is no Error, and AI SDK makes one of it. */
function isOfStream(error: unknown): boolean {
  return (
    isNamed(error, "AI_StreamProviderError") ||
    (typeof error === "object" && !(error instanceof Error) && messageOf(error) !== "")
  )
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error
  if (typeof error !== "object" || error === null || !("message" in error)) return ""
  return typeof error.message === "string" ? error.message : ""
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "its address"
}

const longestWait = 24 * 60 * 60_000

/** Of the two headers providers use: milliseconds, or seconds. A date is as good as none: there is no clock here. */
function retryAfterIn(headers: Readonly<Record<string, string>>): number | null {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN)
  const wait = Number.isNaN(ms) ? Number(headers["retry-after"] ?? Number.NaN) * 1_000 : ms
  return wait >= 0 && wait <= longestWait ? wait : null
}

const longestQuote = 300
/** Far beyond what is quoted, so that a secret cut in half here is not in the quote. */
const longestRead = 20_000
