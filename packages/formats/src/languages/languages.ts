import type { RuleLanguage } from "./language.ts"
import { byleaveJson } from "./programs/byleave-json.ts"
import { claudeCode } from "./programs/claude-code.ts"
import { cline, roo } from "./programs/cline.ts"
import { codex } from "./programs/codex.ts"
import { copilot } from "./programs/copilot.ts"
import { cursor, cursorCli } from "./programs/cursor.ts"
import { gemini } from "./programs/gemini.ts"
import { goose } from "./programs/goose.ts"
import { openai } from "./programs/openai.ts"
import { opencode } from "./programs/opencode.ts"
import { qwen } from "./programs/qwen.ts"
import { toolLists } from "./programs/tool-lists.ts"
import { vscode } from "./programs/vscode.ts"

/** Every rule language, by the name that commands know it by. */
export const ruleLanguages: readonly RuleLanguage[] = [
  ...[byleaveJson, claudeCode, cline, codex, copilot, cursor, cursorCli, gemini, goose, openai, opencode, qwen, roo],
  ...[toolLists, vscode],
]
