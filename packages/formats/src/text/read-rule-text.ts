import type { Hasher, Rule } from "@byleave/core"
import { loadConfig } from "../load-config.ts"
import { readRule } from "./edit-config.ts"

/**
 * A rule from its entry in the file, so that whoever displays it can put it into words; null for anything else, and for one that means another thing
 * in another place.
 */
export function readRuleText(text: string, hasher: Hasher): Rule | null {
  const rule = readRule(text)
  if (rule === null) return null
  const inFolder = (folder: string) => {
    const alone = JSON.stringify({ version: 1, policy: { rules: [rule] } })
    const loaded = loadConfig(alone, { name: "rule", folder, env: new Map(), hasher })
    return loaded.ok && loaded.config.policy.rules.length === 1 ? loaded.config.policy.rules[0] : undefined
  }
  const [here, there] = [inFolder("/here"), inFolder("/there")]
  return here !== undefined && JSON.stringify(here) === JSON.stringify(there) ? here : null
}
