/** Which line of a text a warning is about, so that the warning can lead to it. */
import { hasHiddenCharacters, looksSecret, mayBeReordered } from "@byleave/core"
import type { ArgNode, RiskView } from "../card/arguments/arg-tree.ts"

type Finder = (line: string, risk: RiskView) => boolean

/** Kinds that are about a whole value, or about none, lead to no line. */
const finders = new Map<RiskView["kind"], Finder>([
  ["hidden-characters", hides],
  ["right-to-left", mayBeReordered],
  ["secret-like", (line) => looksSecret("", line)],
  ["unknown-host", (line, { sentence }) => hostsIn(line).some((host) => sentence.includes(host))],
  ["shell-metacharacters", (line) => /[;|&`<>]|\$[({]/.test(line)],
  [
    "destructive-verb",
    (line) => /\b(?:rm|rmdir|mkfs|dd|shred|shutdown|reboot|drop|truncate|delete|format)\b/i.test(line),
  ],
])

/** Tabs, line ends and wide blanks are no secret. */
function hides(line: string): boolean {
  return hasHiddenCharacters(line).some(
    ({ codePoint, offset }) =>
      codePoint !== 0x09 && codePoint !== 0x3000 && (codePoint !== 0x0d || offset < line.length - 1),
  )
}

/** Looks on from each `://`: a pattern that begins with the scheme takes quadratic time on hostile text. */
function hostsIn(line: string): readonly string[] {
  const hosts: string[] = []
  for (let at = line.indexOf("://"); at >= 0; at = line.indexOf("://", at + 3)) {
    const [host] = /^[^\s/"'<>`?#]*/.exec(line.slice(at + 3, at + 3 + longestHost)) ?? [""]
    if (host !== "") hosts.push(host.toLowerCase().replace(/^.*@|:\d+$/g, ""))
  }
  return hosts
}

const longestHost = 512

/** The first line the warning is about, as it stands in the text; null where it is about no single line. */
export function riskLine(risk: RiskView, text: string): string | null {
  const finds = finders.get(risk.kind)
  if (finds === undefined || text.length > longest) return null
  return text.split("\n").find((line) => finds(line, risk)) ?? null
}

const longest = 300_000

/** Lines that warnings are about, each with the warnings' places in the list. */
export type RiskedLines = ReadonlyMap<string, readonly number[]>

/** `pointers`: the arguments whose texts are shown as differences. */
export function riskedLines(
  tree: readonly ArgNode[],
  risks: readonly RiskView[],
  pointers: ReadonlySet<string>,
): RiskedLines {
  const found = new Map<string, number[]>()
  const places = new Map(risks.map((risk, at) => [risk, at]))
  const seen = new Set<number>()
  const visit = (node: ArgNode): void => {
    node.inner.forEach(visit)
    if (!pointers.has(node.pointer) || typeof node.value !== "string") return
    for (const risk of node.risks) {
      const at = places.get(risk)
      const line = at === undefined || seen.has(at) ? null : riskLine(risk, node.value)
      if (at === undefined || line === null) continue
      seen.add(at)
      const same = found.get(line)
      if (same === undefined) found.set(line, [at])
      else same.push(at)
    }
  }
  tree.forEach(visit)
  return found
}
