import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider"

/** A message's text: what is said, what tools are called with, and what they gave back. */
export function wordsOfMessage(message: LanguageModelV4Message): string {
  if (message.role === "system") return message.content
  return message.content.map(wordsOfPart).join("\n")
}

/** Counted one by one: a list of the words of a long text takes much memory. */
export function countWords(text: string): number {
  const word = /\S+/gu
  let words = 0
  while (word.test(text)) words += 1
  return words
}

type Part = Exclude<LanguageModelV4Message["content"], string>[number]

function wordsOfPart(part: Part): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text
    case "tool-call":
      return JSON.stringify(part.input)
    case "tool-result":
      return wordsOfOutput(part.output)
    default:
      return ""
  }
}

function wordsOfOutput(output: LanguageModelV4ToolResultOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value
    case "json":
    case "error-json":
      return JSON.stringify(output.value)
    case "execution-denied":
      return output.reason ?? "denied"
    case "content":
      return output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n")
  }
}
