import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { afterEach, describe, expect, it } from "vitest"
import type { Io } from "../io.ts"
import { makePlace, type Place } from "../service/fixtures/service-process.ts"
import { examine } from "./examine.ts"
import { findModelServers, modelLines } from "./find-model-servers.ts"

const servers: Server[] = []
const places: Place[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  for (const place of places.splice(0)) await place.dispose()
})

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}
const listing = (...ids: readonly unknown[]): RequestListener => {
  return (request, response) => {
    if (request.url !== "/v1/models") return void response.writeHead(404).end()
    response.end(JSON.stringify({ object: "list", data: ids.map((id) => ({ id, object: "model" })) }))
  }
}

describe("findModelServers", () => {
  it("finds what serves models here, and asks nothing but for their names", async () => {
    const port = await listen(listing("qwen3:8b", "gpt-oss", "nomic-embed-text", "odd\u001b[2Jname", 7))
    const found = await findModelServers([{ name: "Ollama", port }])
    expect(found).toEqual([
      { name: "Ollama", port, url: `http://127.0.0.1:${port}/v1`, models: ["qwen3:8b", "gpt-oss"] },
    ])
  })

  it.each<{ name: string; answer: RequestListener }>([
    { name: "another web server", answer: (_, response) => response.end("<html>hello</html>") },
    { name: "one without models", answer: listing() },
    {
      name: "one that leads elsewhere",
      answer: ({ url }, response) =>
        url === "/v1/models"
          ? response.writeHead(302, { location: "/x" }).end()
          : response.end('{"data":[{"id":"a"}]}'),
    },
    { name: "one that says nothing", answer: () => {} },
    { name: "one that says too much", answer: listing("a", "x".repeat(1_000_001)) },
  ])("does not take $name for a model server", async ({ answer }) => {
    expect(await findModelServers([{ name: "llama.cpp", port: await listen(answer) }])).toEqual([])
  })

  it("finds nothing where nobody listens", async () => {
    expect(await findModelServers([{ name: "LM Studio", port: 1 }])).toEqual([])
  })

  it.each([true, false])("writes lines that can be loaded; for a file without models: %s", (isFirst) => {
    const url = "http://127.0.0.1:11434/v1"
    const models = ["qwen3:8b", "org/model-7B", "gpt-oss", "a-fourth"]
    const lines = modelLines({ name: "Ollama", port: 11_434, url, models }, isFirst)
    const text = `version: 1\n${isFirst ? "" : "models:\n"}${lines}`
    const loaded = loadConfig(text, { name: "byleave.yaml", folder: "/etc", env: new Map(), hasher: nodeHasher })
    expect(loaded.ok && loaded.config.models.map(({ config }) => config)).toMatchObject(
      models.slice(0, 3).map((model) => ({ name: model, model, url, provider: "openai-compatible" })),
    )
    expect(loaded.warnings).toEqual([])
  })
})

describe("byleave doctor", () => {
  it("offers a model server that the configuration does not use, with the lines to add", async () => {
    const port = await listen(listing("qwen3"))
    const place = makePlace("version: 1\n")
    places.push(place)
    const look = async () => {
      const where = { data: place.data, url: undefined, config: place.config }
      const io = { cwd: place.data, env: new Map(), home: undefined, platform: process.platform } as unknown as Io
      return (await examine(where, io, [{ name: "Ollama", port }])).findings.filter(({ about }) => about === "models")
    }
    const [offered, ...rest] = await look()
    expect(rest).toEqual([])
    expect(offered).toMatchObject({ state: "ok", sentence: expect.stringContaining("Ollama runs on this machine") })
    place.write(`version: 1\n${offered?.yaml}`)
    expect(await look()).toEqual([{ about: "models", state: "ok", sentence: "qwen3; qwen3 is the default." }])
  })
})
