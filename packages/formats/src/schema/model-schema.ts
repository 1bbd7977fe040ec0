import { modelProviders } from "@byleave/core"
import { bool, count, listOf, mapOf, object, plain, type SchemaNode, text, words } from "./schema-node.ts"

export const scriptedCallSchema = object(
  "A call of a tool.",
  {
    tool: { ...text("The tool, as `server(tool)`."), examples: ["files(write_file)"] },
    args: { type: "object", description: "Its arguments." },
  },
  ["tool"],
)

export const scriptedFailureSchema = object(
  "The answer fails, once, like a request to a provider would.",
  {
    status: count(100, "The HTTP status; without one the connection breaks."),
    message: text("What the provider says."),
    retryAfter: count(0, "Seconds after which to try again."),
  },
  ["message"],
)

export const scriptedStepSchema = object("One answer of the model.", {
  when: text("Plays only where the last message, or a tool result since, contains this text."),
  reasoning: text("What it thinks."),
  say: text("What it says."),
  calls: listOf(scriptedCallSchema, "The tools it calls.", 1),
  fail: scriptedFailureSchema,
})

/** A model of a provider, or a script. */
export const modelSchema: SchemaNode = object(
  "A language model for agent runs.",
  {
    provider: words(
      modelProviders,
      "`openai-compatible`: any server with OpenAI's chat API, such as Ollama. `scripted`: plays `script`, for demonstrations and tests.",
    ),
    url: {
      ...text("Where its API begins. Default: the provider's own address."),
      examples: ["http://127.0.0.1:11434/v1"],
    },
    model: text("The provider's name of the model. Default: the name it has in this file."),
    key: text("The API key. Keep it out of the file: `$NAME` in braces is read from the environment."),
    headers: mapOf(plain, "Headers sent with every request. `$NAME` in braces is read from the environment."),
    images: bool("Whether messages to it may hold pictures. Default: yes, but for `openai-compatible`."),
    script: {
      description: "Of a scripted model: its steps, or the file they are in.",
      anyOf: [text("A JSON or YAML file with a list of steps."), listOf(scriptedStepSchema, "Its steps.", 1)],
    },
  },
  ["provider"],
)
