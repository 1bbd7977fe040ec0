import { resolve } from "node:path"
import { emptyPolicy, type Policy } from "../../../packages/core/src/index.ts"
import { nodeHasher } from "../../../packages/core/src/node/index.ts"
import { importedPolicy } from "../../../packages/formats/src/languages/fixtures/imported-policy.ts"
import { answerBy } from "../../../packages/formats/src/languages/fixtures/random-rules.ts"
import type { LossKind, RuleLoss } from "../../../packages/formats/src/languages/language.ts"
import { ruleLanguages } from "../../../packages/formats/src/languages/languages.ts"
import { loadConfig } from "../../../packages/formats/src/load-config.ts"
import { type CatalogueTool, catalogue, type PolicyCase } from "./rule-cases.ts"
import type { RulesRun } from "./run-rules.ts"
import type { TextCase } from "./texts.ts"

/** One set of rules in a program's language, and what Byleave says of the same calls. */
export type RuleTrial = {
  readonly name: string
  /** `export`: written by Byleave, which the program may not exceed. `import`: written by hand, which Byleave may not exceed. */
  readonly direction: "export" | "import"
  readonly text: string
  readonly policy: Policy
  readonly losses: readonly RuleLoss[]
}

const servers = [...new Set(catalogue.map(({ server }) => server))]

/** Each policy, written for a program. */
export function exportTrial(language: string, { name, policy: written, known }: PolicyCase): RuleTrial {
  const loaded = loadConfig(`version: 1\n${written}`, {
    ...{ name, folder: resolve("/"), env: new Map<string, string>(), hasher: nodeHasher, purpose: "policy" as const },
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const { policy } = loaded.config
  const listed = servers.map((server) => {
    return [server, catalogue.filter((tool) => tool.server === server).map((tool) => tool.name)] as const
  })
  const { text, losses } = languageOf(language).write(policy, { known: new Map(known ? listed : []) })
  return { name, direction: "export", text, policy, losses }
}

/** A text as people write it, read with the servers known and unknown. A text that Byleave refuses allows nothing. */
export function importTrials(language: string, { name, text }: TextCase): readonly RuleTrial[] {
  return [servers, []].map((named) => {
    const read = languageOf(language).read(text, { name, servers: named, configured: servers })
    const losses = read.ok ? read.losses : []
    const policy = read.ok ? importedPolicy(read) : emptyPolicy
    return { name: named.length === 0 ? `${name}; no servers known` : name, direction: "import", text, policy, losses }
  })
}

export type TrialSeen = {
  /** Calls on which one side lets more run than it may, a sentence each. */
  readonly problems: readonly string[]
  /** The same where the loss report says so. */
  readonly told: readonly string[]
}

export function judgeTrial(trial: RuleTrial, { ran, called }: RulesRun): TrialSeen {
  const answer = answerBy(trial.policy)
  const problems: string[] = []
  const told: string[] = []
  for (const tool of catalogue) {
    const ours = answer({ server: tool.server, tool: tool.name, args: { n: "1" }, principal: "agent" })
    const theirs = ran.has(tool)
    const shown = `${tool.server}(${tool.name})`
    if (theirs === (ours === "allow")) continue
    // Asking more than the program did is the safe side of an import.
    if (trial.direction === "import" && (theirs || isShadowed(tool, called))) continue
    const words = theirs ? `${shown} ran; Byleave says ${ours}` : `${shown} did not run; Byleave says ${ours}`
    const isTold = trial.direction === "export" && isInReport(trial.losses, tool, theirs ? "weaker" : "stricter")
    ;(isTold ? told : problems).push(words)
  }
  return { problems, told }
}

/** Of two tools of a server whose names a program makes one, it offers one; nothing is known of the other. */
function isShadowed(tool: CatalogueTool, called: ReadonlySet<CatalogueTool>): boolean {
  if (called.has(tool)) return false
  const plain = (name: string) => name.replaceAll(/\W/g, "_")
  const joined = ({ server, name }: CatalogueTool) => plain(`${server}_${name}`)
  return [...called].some((other) => joined(other) === joined(tool))
}

/** What runs is told only where the program lets it run by itself: of a server that the text does not name, or for what a tool says of itself. */
function isInReport(losses: readonly RuleLoss[], { server, name }: CatalogueTool, kind: LossKind): boolean {
  return losses.some(({ kind: lost, path, written, why }) => {
    if (lost !== kind) return false
    if (kind === "weaker") return path === "policy.default" || (path === server && why.includes("read-only"))
    return (
      path === server || path === "policy.default" || [`${server}(`, "*(", name].some((word) => written.includes(word))
    )
  })
}

function languageOf(id: string) {
  const language = ruleLanguages.find((each) => each.id === id)
  if (language === undefined) throw new Error(`There is no language ${id}.`)
  return language
}
