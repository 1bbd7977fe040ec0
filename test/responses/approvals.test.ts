import { describe, expect, it } from "vitest"
import { answer } from "../runs/open-runs.ts"
import { filesTool, openResponses, requestsIn } from "./open-responses.ts"

const oneWrite = [
  { say: "I will write it.", calls: [{ tool: "files(write)", args: { path: "a", text: "b" } }] },
  { say: "It is written." },
]

describe("a call that needs a person, through the openai client (R91, R92, R198)", () => {
  it("ends the response with a request, and goes on in the next one once a reviewer has said yes", async () => {
    const world = await openResponses(oneWrite)
    const first = await world.client.responses.create({ model: "scripted", input: "write it", tools: [filesTool()] })
    expect(first).toMatchObject({ status: "completed", object: "response", model: "scripted" })
    expect(first.output.map(({ type }) => type)).toEqual(["mcp_list_tools", "message", "mcp_approval_request"])
    const [request] = requestsIn(first)
    expect(request).toMatchObject({ name: "write", server_label: "files", arguments: '{"path":"a","text":"b"}' })
    expect(world.tools.dispatched).toEqual([])

    const stream = await world.client.responses.create({
      model: "scripted",
      previous_response_id: first.id,
      input: [{ type: "mcp_approval_response", approval_request_id: request?.id ?? "", approve: true }],
      tools: [filesTool()],
      stream: true,
    })
    const seen: string[] = []
    for await (const event of stream) {
      seen.push(event.type)
      if (event.type === "response.in_progress") {
        expect(world.tools.dispatched).toEqual([])
        const [waiting] = await waitingCalls(world, first.id)
        await answer(world, waiting ?? null, "approve")
      }
      if (event.type === "response.completed") {
        expect(event.response.previous_response_id).toBe(first.id)
        expect(event.response.output).toMatchObject([
          { type: "mcp_call", status: "completed", output: "write is done", approval_request_id: request?.id },
          { type: "message", content: [{ text: "It is written." }] },
        ])
        expect(event.response.usage?.total_tokens).toBeGreaterThan(0)
      }
    }
    expect(seen.filter((type) => type !== "response.output_text.delta")).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.mcp_call.in_progress",
      "response.mcp_call_arguments.delta",
      "response.mcp_call_arguments.done",
      "response.mcp_call.completed",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ])
    expect(world.tools.dispatched).toEqual([{ tool: "write", args: { path: "a", text: "b" } }])
    expect(world.troubles).toEqual([])
  })
})

/** The approvals that the run of a response waits for. */
async function waitingCalls(world: Awaited<ReturnType<typeof openResponses>>, response: string) {
  const run = await world.runs.get(response.split("_")[1] ?? "")
  if (run === undefined) throw new Error("The run is gone.")
  return (await world.runs.waitsFor(run)).map(({ approval }) => approval.id)
}
