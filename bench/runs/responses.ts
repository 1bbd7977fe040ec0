/**
 * A text turn of `/v1/responses` with the `openai` client, before `byleave serve` with a model at a mock endpoint, against the same client
 * asking that endpoint for a chat completion itself. `node bench/runs/responses.ts` prints the numbers.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import OpenAI from "openai"
import { byleaveProgram } from "../gateway/byleave.ts"
import { freePort, startProgram, untilListening } from "../gateway/child.ts"
import { median } from "../gateway/median.ts"
import { cpuMilliseconds } from "../gateway/proc.ts"
import { inFolder } from "./open-bench.ts"

/** Milliseconds of processor time for a turn. */
export type TurnNumbers = {
  /** Of client and model server, where the client asks the model itself. */
  readonly directMs: number
  /** Of client, model server and service. */
  readonly throughMs: number
  /** The median of the differences within a round. */
  readonly addedMs: number
  /** Of the service alone. */
  readonly serviceMs: number
}
export type ResponsesNumbers = { readonly whole: TurnNumbers; readonly streamed: TurnNumbers }

const model = fileURLToPath(new URL("programs/mock-model.ts", import.meta.url))
const prompt = "Is all well with my files?"
const expected = "nothing left to do for now."

export async function measureResponses(within = tmpdir(), rounds = 11, turns = 100): Promise<ResponsesNumbers> {
  return inFolder(within, async (folder) => {
    const modelPort = await freePort()
    const modelUrl = `http://127.0.0.1:${modelPort}/v1`
    const mock = startProgram({ file: model, env: { PORT: String(modelPort) } })
    await untilListening(modelUrl, mock)
    const service = await startService(folder, modelUrl)
    const asked = new OpenAI({ apiKey: "none", baseURL: modelUrl })
    const through = new OpenAI({ apiKey: service.token, baseURL: `${service.url}/v1` })
    const pids = [process.pid, mock.pid, service.child.pid]
    const measure = async (direct: () => Promise<string>, turn: () => Promise<string>): Promise<TurnNumbers> => {
      const found: Array<{ readonly direct: number; readonly through: number; readonly service: number }> = []
      // In the first rounds node compiles what runs often.
      for (let round = -5; round < rounds; round++) {
        const alone = await cpuOf(pids, turns, direct)
        const before = cpuMilliseconds([service.child.pid])
        const whole = await cpuOf(pids, turns, turn)
        const own = (cpuMilliseconds([service.child.pid]) - before) / turns
        if (round >= 0) found.push({ direct: alone, through: whole, service: own })
      }
      return {
        directMs: rounded(median(found.map((round) => round.direct))),
        throughMs: rounded(median(found.map((round) => round.through))),
        addedMs: rounded(median(found.map((round) => round.through - round.direct))),
        serviceMs: rounded(median(found.map((round) => round.service))),
      }
    }
    const numbers = {
      whole: await measure(
        () => wholeCompletion(asked),
        () => wholeResponse(through),
      ),
      streamed: await measure(
        () => streamedCompletion(asked),
        () => streamedResponse(through),
      ),
    }
    await service.child.stop()
    await mock.stop()
    return numbers
  })
}

async function startService(folder: string, modelUrl: string) {
  const data = join(folder, "data")
  mkdirSync(data, { mode: 0o700 })
  const config = join(folder, "byleave.json")
  const rules = Array.from({ length: 200 }, (_, n) => ({ deny: `server-${n}(drop_*)` }))
  const models = { mock: { provider: "openai-compatible", url: modelUrl, model: "mock" } }
  writeFileSync(
    config,
    JSON.stringify({ version: 1, policy: { rules }, models, reviewers: { presence: "none" } }, null, 2),
  )
  const command = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [byleaveProgram, ...args, "--data", data], { encoding: "utf8", cwd: folder })
  command("init", "--presence", "none")
  const port = await freePort()
  const child = startProgram({
    file: byleaveProgram,
    args: ["serve", "--config", config, "--data", data, "--port", String(port)],
  })
  const url = `http://127.0.0.1:${port}`
  await untilListening(`${url}/readyz`, child)
  const token = String(JSON.parse(command("tokens", "add", "bench", "--runner", "--json")).secret)
  return { child, url, token }
}

async function wholeCompletion(client: OpenAI): Promise<string> {
  const answer = await client.chat.completions.create({ model: "mock", messages: [{ role: "user", content: prompt }] })
  return answer.choices[0]?.message.content ?? ""
}

async function streamedCompletion(client: OpenAI): Promise<string> {
  const messages = [{ role: "user" as const, content: prompt }]
  let text = ""
  for await (const { choices } of await client.chat.completions.create({ model: "mock", messages, stream: true })) {
    text += choices[0]?.delta.content ?? ""
  }
  return text
}

async function wholeResponse(client: OpenAI): Promise<string> {
  return (await client.responses.create({ model: "mock", input: prompt })).output_text
}

async function streamedResponse(client: OpenAI): Promise<string> {
  let text = ""
  for await (const event of await client.responses.create({ model: "mock", input: prompt, stream: true })) {
    if (event.type === "response.output_text.delta") text += event.delta
  }
  return text
}

/** Of all these processes, for one turn. Every answer is checked. */
async function cpuOf(pids: readonly number[], turns: number, turn: () => Promise<string>): Promise<number> {
  const before = cpuMilliseconds(pids)
  for (let n = 0; n < turns; n++) {
    const text = await turn()
    if (!text.endsWith(expected)) throw new Error(`Not the model's answer: ${text}`)
  }
  return (cpuMilliseconds(pids) - before) / turns
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

if (process.argv[1] === import.meta.filename) console.log(await measureResponses(process.argv[2]))
