import assert from "node:assert/strict"
import { createInterface } from "node:readline"
import OpenAI from "openai"
import { openApi } from "./open-api.ts"

const port = process.argv[2] === "--serve" ? Number(process.argv[3] ?? 8790) : 0
const api = await openApi(port)

if (port === 0) {
  await story()
  await api.close()
} else {
  console.log(`${api.baseURL}/responses is served. Enter approves what waits, n denies it, Ctrl-C ends.`)
  for await (const line of createInterface({ input: process.stdin })) {
    for (const held of await api.waiting()) await api.answer(held, line.trim() === "n" ? "deny" : "approve")
  }
  await api.close()
}

async function story(): Promise<void> {
  const client = new OpenAI({ apiKey: "shop", baseURL: api.baseURL })
  const tools = [{ type: "mcp", server_label: "files", require_approval: "never" }] satisfies OpenAI.Responses.Tool[]

  // The response ends with a request: policy asks about writes, whatever the request says.
  const first = await client.responses.create({ model: "main", input: "save my note", tools })
  const request = first.output.find((item) => item.type === "mcp_approval_request")
  assert(request !== undefined)
  console.log(`${request.server_label}(${request.name}) ${request.arguments} waits for approval`)

  // The program's own yes is nobody's leave: the follow-up waits until a reviewer decides.
  const stream = client.responses.stream({
    model: "main",
    previous_response_id: first.id,
    input: [{ type: "mcp_approval_response", approval_request_id: request.id, approve: true }],
    tools,
  })
  stream.on("response.in_progress", async () => {
    assert.deepEqual(api.ran, [])
    for (const held of await api.waiting()) await api.answer(held, "approve")
  })
  const second = await stream.finalResponse()
  assert.deepEqual(api.ran, ['write {"path":"note.txt","text":"hi"}'])
  console.log(`ana approved it: ${second.output.map(({ type }) => type).join(", ")}: ${second.output_text}`)

  // A no counts at once, and the model reads the reason.
  const again = await client.responses.create({ model: "main", input: "save my note", tools })
  const denied = await client.responses.create({
    model: "main",
    previous_response_id: again.id,
    input: again.output.flatMap((item) =>
      item.type === "mcp_approval_request"
        ? [
            {
              type: "mcp_approval_response" as const,
              approval_request_id: item.id,
              approve: false,
              reason: "Not today.",
            },
          ]
        : [],
    ),
  })
  assert.equal(api.ran.length, 1)
  console.log(`shop denied it: ${denied.output.map(({ type }) => type).join(", ")}`)

  // A call that policy allows runs at once; with require_approval it is asked about, and the program's own yes suffices.
  const careful = [{ type: "mcp", server_label: "files", require_approval: "always" }] satisfies OpenAI.Responses.Tool[]
  const read = await client.responses.create({ model: "main", input: "read my note", tools: careful })
  const asked = read.output.find((item) => item.type === "mcp_approval_request")
  assert(asked !== undefined)
  const done = await client.responses.create({
    model: "main",
    previous_response_id: read.id,
    input: [{ type: "mcp_approval_response", approval_request_id: asked.id, approve: true }],
  })
  assert.equal(api.ran.at(-1), 'read {"path":"note.txt"}')
  console.log(`shop approved what it asked for itself: ${done.output_text}`)

  // A token that conveys decisions settles what policy asks about.
  const desk = new OpenAI({ apiKey: "desk", baseURL: api.baseURL })
  const note = await desk.responses.create({ model: "main", input: "save my note", tools })
  const conveyed = await desk.responses.create({
    model: "main",
    previous_response_id: note.id,
    input: note.output.flatMap((item) =>
      item.type === "mcp_approval_request"
        ? [{ type: "mcp_approval_response" as const, approval_request_id: item.id, approve: true }]
        : [],
    ),
  })
  assert.equal(api.ran.length, 3)
  console.log(`desk conveyed a yes: ${conveyed.output_text}`)
}
