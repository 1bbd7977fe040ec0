/** The programs whose own permission questions Byleave answers, by their names in rules: what `claude` asks is a call of the server `claude`. */
export const askingPrograms = ["claude", "codex", "copilot", "gemini", "goose", "opencode", "qwen"] as const
export type AskingProgram = (typeof askingPrograms)[number]

export function isAskingProgram(name: string): name is AskingProgram {
  return askingPrograms.some((program) => program === name)
}
