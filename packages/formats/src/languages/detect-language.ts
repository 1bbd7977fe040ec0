import type { RuleLanguage } from "./language.ts"
import { ruleLanguages } from "./languages.ts"

/** Signs that only one program's text has, the most telling first; all signs of a line have to be there. */
const signs: ReadonlyArray<readonly [id: string, ...signs: readonly RegExp[]]> = [
  ["byleave", /"format"\s?:\s?"byleave-policy"/],
  ["copilot", /(?:^|\s)--(?:allow|deny|available|excluded)-tools?\b|"tool_approvals"/],
  ["cursor", /"mcpAllowlist"/],
  ["cursor-cli", /"Mcp\(/],
  ["vscode", /"chat\.(?:tools|mcp|agent)\./],
  ["roo", /"(?:alwaysAllow|disabledTools)"/],
  ["cline", /"autoApprove"/],
  ["openai", /"(?:require_approval|server_label)"/],
  ["codex", /^\[mcp_servers[.\]]/m],
  ["gemini", /^\[\[rule\]\]/m],
  ["goose", /^[ \t]{0,20}(?:always_allow|ask_before|never_allow):/m],
  ["tool-lists", /\b(?:tool_blacklist|auto_approved_tools|auto_approve_tools|tool_name_prefix)\b/],
  ["opencode", /"permission"\s?:/],
  ["qwen", /"permissions"\s?:/, /"mcpServers"\s?:/],
  ["claude-code", /"permissions"\s?:/],
  ["gemini", /"(?:trust|includeTools|excludeTools)"/],
]

/** Looked at from the beginning: signs stand early, and a pattern never sees more than this. */
const lookedAt = 200_000

/** The language that a text is most likely written in; null where nothing tells. Whoever asked is to be told which one. */
export function detectLanguage(text: string): RuleLanguage | null {
  const beginning = text.slice(0, lookedAt)
  const [id] = signs.find(([, ...all]) => all.every((sign) => sign.test(beginning))) ?? []
  return ruleLanguages.find((language) => language.id === id) ?? null
}
