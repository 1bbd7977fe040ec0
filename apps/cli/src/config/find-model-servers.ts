import { asObject, listAt, readJson, textAt } from "@byleave/core"
import type { Config } from "@byleave/formats"

/** A program that serves models on this machine, and the port it uses unless told otherwise. */
export type ModelServerKind = { readonly name: string; readonly port: number }

export const modelServerKinds: readonly ModelServerKind[] = [
  { name: "Ollama", port: 11_434 },
  { name: "LM Studio", port: 1_234 },
  { name: "llama.cpp", port: 8_080 },
]

export type FoundModelServer = ModelServerKind & {
  /** Where its API begins. */
  readonly url: string
  /** The models that can hold a conversation, as far as their names tell. */
  readonly models: readonly string[]
}

/** Other programs that may listen on such a port are not waited for. */
const patienceMs = 500
const mostBytes = 1_000_000

/** Asks on this machine's own address, and nowhere else, which models are served. */
export async function findModelServers(
  kinds: readonly ModelServerKind[] = modelServerKinds,
): Promise<readonly FoundModelServer[]> {
  const found = await Promise.all(kinds.map(lookAt))
  return found.filter((server) => server !== null)
}

async function lookAt(kind: ModelServerKind): Promise<FoundModelServer | null> {
  const url = `http://127.0.0.1:${kind.port}/v1`
  const models = modelsIn(await answerOf(`${url}/models`))
  return models.length === 0 ? null : { ...kind, url, models }
}

async function answerOf(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: "error" })
    if (!response.ok || response.body === null) return ""
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body) {
      size += chunk.byteLength
      if (size > mostBytes) return ""
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString("utf8")
  } catch {
    // No program listens there, or none that speaks HTTP: neither is a model server.
    return ""
  }
}

/** `{ data: [{ id }] }`, as OpenAI answers. */
function modelsIn(answer: string): readonly string[] {
  const read = readJson(answer)
  if (!read.ok) return []
  const ids = (listAt(asObject(read.value), "data") ?? []).map((entry) => textAt(asObject(entry), "id"))
  return [...new Set(ids)]
    .filter((id) => id !== undefined)
    .filter((id) => plainId.test(id) && !/embed|rerank/i.test(id))
}

/** Model ids of any other form do not belong in a configuration that people copy. */
const plainId = /^[A-Za-z0-9](?:[A-Za-z0-9._:/@-]{0,98}[A-Za-z0-9])?$/

const mostOffered = 3

/** The lines to add for a server's models; `isFirst`: the file has no `models` yet. */
export function modelLines({ url, models }: FoundModelServer, isFirst: boolean): string {
  const entries = models.slice(0, mostOffered).map((model) => {
    const key = /^[A-Za-z][A-Za-z0-9_-]*$/.test(model) ? model : JSON.stringify(model)
    return `  ${key}:\n    provider: openai-compatible\n    url: ${url}\n    model: ${JSON.stringify(model)}\n`
  })
  return `${isFirst ? "models:\n" : ""}${entries.join("")}`
}

/** Whether a configuration uses this server already. */
export function usesServer({ models }: Pick<Config, "models">, { port }: ModelServerKind): boolean {
  return models.some(({ config }) => {
    if (config === null || config.provider === "scripted" || config.url === null) return false
    const { hostname, port: used } = new URL(config.url)
    return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && Number(used) === port
  })
}
