/**
 * Whose calls come under a principal's name: one agent's for a token, but a run is the agent of whoever started it, and `byleave wrap` has one credential
 * for all programs, by which the programs' own questions are asked, too.
 *
 * I1. Only what a credential, or the starter of a run, tells apart is called one agent.
 */
import { isAskingProgram } from "./asking-programs.ts"
import { assertNever } from "./assert-never.ts"
import { isRunPrincipal, type RunStarter, runnerOf, starterName } from "./run-principal.ts"
import { quoted } from "./text/quoted.ts"

export type CallersBehind =
  /** The holder of a token, or an agent that it names. */
  | { readonly kind: "agent"; readonly name: string }
  /** Agent runs, or threads of the chat; `starter` null: whoever started them. */
  | { readonly kind: "runs"; readonly noun: "runs" | "chat threads"; readonly starter: string | null }
  /** Every program that has this server wrapped, and every program of this name whose own questions Byleave answers. */
  | { readonly kind: "wrapped"; readonly server: string }
  | { readonly kind: "anonymous" }

/** `starter`: of the runs that are meant, by `starterName`; absent: all of that principal. */
export function callersBehind(principal: string, starter?: string): CallersBehind {
  if (isRunPrincipal(principal)) {
    return { kind: "runs", noun: principal === "chat" ? "chat threads" : "runs", starter: starter ?? null }
  }
  if (principal === "anonymous") return { kind: "anonymous" }
  const wrap = wrapPrincipal.exec(principal)
  return wrap === null
    ? { kind: "agent", name: principal }
    : { kind: "wrapped", server: principal.slice(wrap[0].length) }
}

/** The service names the credential of its wraps itself; behind it stands the server that is wrapped, or the program that asks. */
const wrapPrincipal = /^wrap(-[0-9a-f]{12})?:/

/** As they stand behind "for": `runs started by the token "ci"`. Names are quoted: agents and people choose them. */
export function callersWords(callers: CallersBehind): string {
  switch (callers.kind) {
    case "agent":
      return `the agent ${quoted(callers.name)}`
    case "runs":
      if (callers.starter !== null) return `${callers.noun} started by ${starterWords(callers.starter)}`
      return `all ${callers.noun === "runs" ? "agent runs" : callers.noun}, whoever starts them`
    case "wrapped":
      return wrappedWords(callers.server)
    case "anonymous":
      return "every agent without a token"
    default:
      return assertNever(callers)
  }
}

/** A wrapped server may be called as a program is. */
function wrappedWords(server: string): string {
  const name = quoted(server)
  const asking = isAskingProgram(server) ? `, and every ${name} whose own questions Byleave answers` : ""
  return `every program that uses ${name} through byleave wrap${asking}`
}

/** A run's starter: `the token "ci"`. */
export function starterWords(starter: string): string {
  const runner = runnerOf(starter)
  if (runner !== null) return `the token ${quoted(runner)}`
  return `the reviewer ${quoted(starter.slice(reviewerPrefix.length))}`
}

const reviewerPrefix = starterName({ kind: "reviewer", id: "" } satisfies RunStarter)
