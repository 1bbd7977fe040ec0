import { byleaveJson } from "./byleave-json.ts"
import { claudeCode } from "./claude-code.ts"
import { cline, roo } from "./cline.ts"
import { codex } from "./codex.ts"
import { copilot } from "./copilot.ts"
import { cursor, cursorCli } from "./cursor.ts"
import { gemini } from "./gemini.ts"
import { goose } from "./goose.ts"
import type { RuleLanguage } from "./language.ts"
import { openai } from "./openai.ts"
import { opencode } from "./opencode.ts"
import { qwen } from "./qwen.ts"
import { toolLists } from "./tool-lists.ts"
import { vscode } from "./vscode.ts"

/** Every rule language, by the name that commands know it by. */
export const ruleLanguages: readonly RuleLanguage[] = [
  ...[byleaveJson, claudeCode, cline, codex, copilot, cursor, cursorCli, gemini, goose, openai, opencode, qwen, roo],
  ...[toolLists, vscode],
]
