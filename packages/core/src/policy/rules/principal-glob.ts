/**
 * Which agents a rule is for. A principal is the name of a token, or `token:agent` where a program calls for agents that it names: the token's name is
 * given by people, the agent's by the program.
 *
 * I1. A hide, deny or ask is for every agent whose token, or whose whole name, its glob matches.
 * I2. An allow is for no agent whose token its glob does not match: the part before the first colon, or all of it where it has none.
 * I3. `principalCovers` is true only if the wide rule is for every agent that the narrow one is for.
 */
import { credentialOf } from "../../call/call.ts"
import { compileGlob, globCovers } from "../conditions/glob.ts"
import { closingBracket } from "../conditions/glob-tokens.ts"
import type { Effect, Rule } from "./rule.ts"

/** Compiled once per rule; plans keep what it says of each principal. */
export function compilePrincipal(glob: string, effect: Effect): (principal: string) => boolean {
  const matches = compileGlob(glob)
  if (effect !== "allow") return (principal) => matches(principal) || matches(credentialOf(principal))
  const parts = partsOf(glob)
  if (parts === null) return (principal) => matches(principal) && matches(credentialOf(principal))
  const [isToken, isAgent] = [compileGlob(parts.token), compileGlob(parts.agent)]
  return (principal) => {
    const token = credentialOf(principal)
    return token.length < principal.length && isToken(token) && isAgent(principal.slice(token.length + 1))
  }
}

type Ruling = Pick<Rule, "effect" | "principal">

export function principalCovers(wide: Ruling, narrow: Ruling): boolean {
  if (wide.principal === undefined || globCovers(wide.principal, "*")) return true
  if (narrow.principal === undefined) return false
  if (wide.effect !== "allow") return globCovers(wide.principal, narrow.principal)
  // What a strict rule is for by the token alone, no allow is for that names less.
  if (narrow.effect !== "allow") return false
  const [outer, inner] = [partsOf(wide.principal), partsOf(narrow.principal)]
  if (outer === null)
    return globCovers(wide.principal, narrow.principal) && (inner === null || globCovers(wide.principal, inner.token))
  return inner !== null && globCovers(outer.token, inner.token) && globCovers(outer.agent, inner.agent)
}

/** Whether an allow is for whichever program gives its agent a certain name: every program can. */
export function goesByAgentAlone({ effect, principal }: Ruling): boolean {
  const parts = effect === "allow" && principal !== undefined ? partsOf(principal) : null
  return parts !== null && globCovers(parts.token, "*") && !globCovers(parts.agent, "*")
}

/** A glob before and after its first colon, one in brackets aside; null where it has none. */
function partsOf(glob: string): { readonly token: string; readonly agent: string } | null {
  let at = 0
  while (at < glob.length) {
    if (glob[at] === ":") return { token: glob.slice(0, at), agent: glob.slice(at + 1) }
    const close = glob[at] === "[" ? closingBracket(glob, at) : -1
    at = close < 0 ? at + 1 : close + 1
  }
  return null
}
