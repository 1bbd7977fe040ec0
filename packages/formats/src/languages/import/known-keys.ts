/**
 * The keys of another program's file, sorted by what they may do to rules beside them.
 *
 * I1. A key that is not known, and that may restrict tools, leaves no allow in force that it may be about.
 * I2. Every key that is not read is reported.
 */
import type { MapEntry, MapNode, YamlNode } from "../../text/tree.ts"
import { everyTool, type Reach } from "./doubts.ts"
import type { Findings } from "./found-rules.ts"

export type KnownKeys = {
  /** Keys that the reader looks at itself, and those of addresses, which say nothing about rules. */
  readonly read: readonly string[]
  /** Other keys that are known, and surely restrict no tool of a server. */
  readonly other?: readonly string[]
  /** The tools that an unknown key of this map may be about; all of them unless set. */
  readonly about?: Reach
  /**
   * The unknown keys that may restrict tools: all of them, as in a map of rules or of a server, or those that speak of it, as in settings
   * of everything else, too.
   */
  readonly unknown: "any" | "speaking"
}

/** The words of these lines, for lists of many keys. */
export function wordsIn(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "))
}

export function checkKeys(map: MapNode | undefined, keys: KnownKeys, findings: Findings): void {
  for (const entry of map?.entries ?? []) {
    if (keys.read.includes(entry.key)) continue
    if (keys.other?.includes(entry.key) === true) {
      findings.lose("dropped", entry, entry.key, "it restricts no tool of an MCP server, and is no rule", "nothing")
    } else if (keys.unknown === "any" || speaksOfTools(entry)) {
      const why = "it is not known here, and may restrict tools; if it does not, take it out and import again"
      findings.doubt({ ...(keys.about ?? everyTool), at: entry, written: entry.path, why })
    } else {
      const why = "it is not known here, and does not speak of tools, servers or permissions"
      findings.lose("dropped", entry, entry.key, why, "nothing")
    }
  }
}

const speakingWord =
  /^(?:tools?$|mcp|servers?$|permi(?:t|ssion)|allow|den(?:y|ied)|block|exclu|forbid|restrict|approv|confirm|trust|untrust|polic(?:y|ies)|managed$|disabled$|disallow|prohibit|reject|readonly|only$|whitelist|blacklist|sandbox|hooks?$)/

/** Whether a key, or one within it, is named as keys are that restrict tools, or a text within it names a tool of a server. */
function speaksOfTools({ key, value }: MapEntry): boolean {
  return isSpeaking(key) || isSpoken(value)
}

/** Whether a name is made of words as those of settings that restrict tools are. */
export function isSpeaking(name: string): boolean {
  return wordsOf(name).some((word) => speakingWord.test(word))
}

function isSpoken(node: YamlNode): boolean {
  if (node.kind === "map") return node.entries.some(speaksOfTools)
  if (node.kind === "list") return node.items.some(isSpoken)
  return typeof node.value === "string" && /\bmcp[_(]/i.test(node.value)
}

/** `readOnlyTools`, `read_only_tools` and `read.only.tools` have the same words. */
function wordsOf(key: string): readonly string[] {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return [...words, key.toLowerCase().replaceAll(/[^a-z0-9]+/g, "")]
}
