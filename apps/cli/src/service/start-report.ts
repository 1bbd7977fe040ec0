import { type Effect, type Policy, type ReviewerGate, showText } from "@byleave/core"
import { type Catalogue, lintPolicy } from "@byleave/core/compare"
import type { Gateway } from "@byleave/gateway"
import { countOf } from "../config/problem-lines.ts"
import { type Paint, sentenceLines } from "../terminal/paint.ts"

export type StartFacts = {
  readonly version: string
  readonly url: string
  readonly servers: readonly string[]
  /** The configuration file. */
  readonly config: string
  readonly presence: "pin" | "none"
  readonly anonymous: boolean
  /** Whether anyone can answer. */
  readonly hasReviewer: boolean
  readonly waiting: number
}

/** Where everything is, for the person who started it. Holds no secret. */
export function startText(facts: StartFacts, paint: Paint): string {
  const { url, servers, config } = facts
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["inbox", `${url}/`],
    ["MCP", servers.length === 0 ? `${url}/mcp (no servers yet)` : `${url}/mcp`],
    ...servers.map((id) => ["", `${url}/mcp/${encodeURIComponent(id)}`] as const),
    ["config", showText(config)],
    ["sign in", facts.hasReviewer ? "byleave open" : "byleave init, then byleave open: no reviewers yet"],
    [
      "agents",
      facts.anonymous
        ? "can call without a token"
        : "need a token: “Connect an agent” in the inbox, or byleave tokens add NAME",
    ],
    ["presence", facts.presence === "pin" ? "approving requires the PIN" : paint("yellow", noPresence)],
    ...(facts.waiting === 0 ? [] : [["waiting", `${countOf(facts.waiting, "call")}: byleave pending`] as const]),
  ]
  const lines = rows.map(([label, text]) => `  ${label.padEnd(9)} ${text}\n`)
  return `${paint("bold", `Byleave ${facts.version} is listening.`)}\n${lines.join("")}`
}

const noPresence = "none: any reviewer's credential can approve without a PIN; for demos only"

export type ServerReport = {
  readonly id: string
  /** Why it could not be asked; null when it was. */
  readonly problem: string | null
  readonly tools: Readonly<Record<Effect, number>>
  /** The omissions from a tool list that is too long; null: none. */
  readonly toolsCut: string | null
}

/** Asks every server for its tools, and policy for what becomes of each. */
export async function reportServers(
  gateway: Gateway,
  gate: Pick<ReviewerGate, "foresee">,
): Promise<readonly ServerReport[]> {
  const problems = await gateway.discover()
  return Promise.all(
    gateway.servers().map(async ({ id, tools, toolsCut }) => {
      const counts: Record<Effect, number> = { hide: 0, deny: 0, ask: 0, allow: 0 }
      for (const name of tools)
        counts[(await gate.foresee({ server: id, kind: "tool", name }, undefined, anyone)).effect]++
      return { id, problem: problems.get(id) ?? null, tools: counts, toolsCut }
    }),
  )
}

const anyone = { principal: { id: "anyone" }, session: { principal: "anyone", id: "anyone", named: false } }

export function serverLines(reports: readonly ServerReport[], paint: Paint): string {
  return reports
    .map(({ id, problem, tools, toolsCut }) => {
      const name = showText(id)
      if (problem !== null) return `${paint("yellow", `${name} is unreachable`)}: ${sentenceLines(problem)}\n`
      const all = tools.hide + tools.deny + tools.ask + tools.allow
      const rest = [
        [tools.allow, "allowed"],
        [tools.deny, "refused"],
        [tools.hide, "hidden"],
      ] as const
      const others = rest.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`)
      return `${name}: ${[`${tools.ask} of ${countOf(all, "tool")} ${tools.ask === 1 ? "needs" : "need"} approval`, ...others].join(", ")}\n${toolsCut === null ? "" : `${paint("yellow", name)}: ${sentenceLines(toolsCut)}\n`}`
    })
    .join("")
}

/** Rules that match none of the tools servers list now, by name. */
export function unmatchedRules(policy: Policy, gateway: Gateway): readonly string[] {
  return lintPolicy(policy, listedTools(gateway))
    .filter(({ code }) => code === "matches-no-tool" || code === "offers-no-tool")
    .map(({ sentence, origin }) => (origin === null ? sentence : `${origin.where}:${origin.line ?? 1} ${sentence}`))
}

/** The tools of the servers that have been reached. */
export function listedTools(gateway: Pick<Gateway, "servers">): Catalogue {
  return gateway
    .servers()
    .filter(({ tools }) => tools.length > 0)
    .map(({ id, tools }) => ({ server: id, tools }))
}
