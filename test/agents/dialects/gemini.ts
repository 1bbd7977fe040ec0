import { type Dialect, declaredTools, list, object, type Reply, text } from "./dialect.ts"

const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }

/** Gemini's generateContent, which Gemini CLI speaks. */
export const gemini: Dialect = {
  speaks: (path) => /:(stream)?generateContent$/i.test(path),
  isStreamed: (path) => path.includes(":stream"),
  read: (body) => {
    const parts = list(body.contents).flatMap((content) => list(content.parts))
    const answers = parts.filter(({ functionResponse }) => functionResponse !== undefined)
    const declared = list(body.tools).flatMap(({ functionDeclarations }) => list(functionDeclarations))
    return {
      ...declaredTools(declared),
      results: answers.map(({ functionResponse }) => {
        const { name, response } = object(functionResponse)
        return { tool: text(name), text: text(response) }
      }),
    }
  },
  write: (reply, modelVersion) => {
    const content = { role: "model", parts: [partOf(reply)] }
    const whole = { candidates: [{ content, finishReason: "STOP", index: 0 }], usageMetadata, modelVersion }
    return { events: [whole], whole }
  },
}

function partOf(reply: Reply) {
  if (reply.kind === "text") return { text: reply.text }
  return { functionCall: { id: reply.id, name: reply.tool, args: reply.args } }
}
