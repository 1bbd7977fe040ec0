import { compileGlob, type Effect, literalOf } from "@byleave/core"
import type { RuleLoss } from "../language.ts"
import { strictness } from "../strictness.ts"
import { effectOn, effectOnRest, type PlainPolicy, type PlainServer } from "./plain-policy.ts"

/** The answer that an exported text gives for a tool; null stands for all tools whose names are not known. */
export type ExportedAnswer = (server: PlainServer, tool: string | null) => Effect

export type ExportWords = {
  /** The program, for messages. */
  readonly name: string
  /** The text says this pattern of tools of a server as it is. */
  readonly saysGlob: (pattern: ToolPattern, server: PlainServer) => boolean
  /** The program means something of its own by the names of this server's tools; it does not unless set. */
  readonly isOwn?: (server: string) => boolean
  /** The program has no word for hiding a tool that it would deny; it has unless set. */
  readonly hides?: false
  /** The answer that the program gives by itself about servers that the text does not name; `ask` unless set. `either`: it goes by the tool. */
  readonly unnamed?: "ask" | "allow" | "either"
}

type ToolPattern = { readonly effect: Effect | "offer"; readonly tool: string }

/** Everything that an exported text says otherwise than the policy, by server. */
export function exportLosses(plain: PlainPolicy, answer: ExportedAnswer, words: ExportWords): readonly RuleLoss[] {
  return [
    ...plain.losses,
    ...plain.servers.flatMap((server) => [
      ...toolLosses(server, answer, words),
      ...restLosses(server, answer, words),
      ...globLosses(server, answer, words),
    ]),
    ...otherServers(plain, words),
  ]
}

function toolLosses(server: PlainServer, answer: ExportedAnswer, words: ExportWords): readonly RuleLoss[] {
  const groups = new Map<string, string[]>()
  for (const tool of server.known) {
    const change = `${effectOn(server, tool)} ${answer(server, tool)}`
    groups.set(change, [...(groups.get(change) ?? []), tool])
  }
  return [...groups].flatMap(([change, tools]) => {
    const [ours, theirs] = change.split(" ") as [Effect, Effect]
    if (ours === theirs) return []
    const written = `${ours}: ${server.id}(${tools.join(", ")})`
    return [{ ...sided(ours, theirs), path: server.id, written, why: whyNot(server, words), became: theirs }]
  })
}

function whyNot({ id }: PlainServer, { name, isOwn }: ExportWords): string {
  return isOwn?.(id) === true ? `${name} means something of its own by this name` : `${name} cannot say it here`
}

function restLosses(server: PlainServer, answer: ExportedAnswer, words: ExportWords): readonly RuleLoss[] {
  const [ours, theirs] = [effectOnRest(server), answer(server, null)]
  if (ours === theirs) return []
  const written = `${ours}: every other tool of ${server.id}`
  return [{ ...sided(ours, theirs), path: server.id, written, why: whyNot(server, words), became: theirs }]
}

function globLosses(server: PlainServer, answer: ExportedAnswer, words: ExportWords): readonly RuleLoss[] {
  const offered = (server.offer ?? []).map((tool) => ({ effect: "offer" as const, tool }))
  const globs = [...server.rules, ...offered].filter(({ tool }) => literalOf(tool) === null && tool !== "*")
  const other = answer(server, null)
  return globs.flatMap(({ effect, tool }): readonly RuleLoss[] => {
    const written = `${effect}: ${server.id}(${tool})`
    if (words.saysGlob({ effect, tool }, server)) {
      if (effect !== "hide" || words.hides !== false) return []
      return [{ kind: "weaker", path: server.id, written, why: `${words.name} cannot hide a tool`, became: "deny" }]
    }
    const names = server.known.filter(compileGlob(tool))
    const why = `${words.name} knows no such pattern, so that it holds for the tools whose names are known alone`
    const became = `${names.join(", ") || "no tool"}; others of it: ${other}`
    const kind = effect !== "offer" && strictness[other] < strictness[effect] ? "weaker" : "stricter"
    return [{ kind, path: server.id, written, why, became }]
  })
}

function otherServers({ fallback }: PlainPolicy, { name, unnamed = "ask" }: ExportWords): readonly RuleLoss[] {
  if (fallback === unnamed) return []
  const why = `${name} is told of servers one by one, so that the default does not reach servers that are not known`
  const kind = fallback === "allow" ? "stricter" : "weaker"
  return [{ kind, path: "policy.default", written: `default: ${fallback}`, why, became: `what ${name} does by itself` }]
}

function sided(ours: Effect, theirs: Effect): Pick<RuleLoss, "kind"> {
  return { kind: strictness[theirs] < strictness[ours] ? "weaker" : "stricter" }
}

/** For a program that runs what calls itself read-only where no rule keeps it from doing so. */
export function readOnlyLoss(program: string, server: string, asked: string, unless: string): RuleLoss {
  const why = `${program} runs tools that say of themselves that they are read-only, unless ${unless}`
  const became = "ask, or run where the tool says that it only reads"
  return { kind: "weaker", path: server, written: `ask: ${asked}`, why, became }
}
