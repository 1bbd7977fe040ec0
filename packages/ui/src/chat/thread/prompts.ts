import type { ThreadSetup } from "../composer/thread-setup.ts"

export type Prompt = { readonly text: string; readonly words: string }

/** Tasks that the demonstration's scripted model knows; `examples/demo/byleave.yaml` has its answers. */
const scripted: readonly Prompt[] = [
  { text: "Write a haiku into notes.md", words: "Reads the file, then asks before it writes" },
  { text: "Tidy my notes", words: "Looks around, reads, and asks to rewrite them" },
  { text: "Remember that I like tea, and note it on the shopping list", words: "Two calls at once: decide each" },
]

const general: readonly Prompt[] = [
  { text: "What can you do with the servers you have?", words: "A look at the tools" },
  { text: "Write a haiku into notes.md", words: "A small change to decide about" },
  { text: "List what is here and tell me what stands out", words: "Reading, mostly" },
]

export function promptsFor({ models, model }: Pick<ThreadSetup, "models" | "model">): {
  readonly prompts: readonly Prompt[]
  readonly isScripted: boolean
} {
  const chosen = typeof models === "string" ? undefined : models.find(({ name }) => name === model)
  const isScripted = chosen?.provider === "scripted"
  return { prompts: isScripted ? scripted : general, isScripted }
}
