import { expect, it } from "vitest"
import { adapterContract } from "../fixtures/adapter-contract.ts"
import { edited, openAdapter, toolNames } from "../fixtures/open-adapter.ts"
import { gated } from "./gated.ts"

type Execute = (input: unknown, context: { abortSignal?: AbortSignal; toolCallId: string }) => Promise<unknown>

const names = toolNames.filter((name) => name !== "admin_reset")

adapterContract(async ({ runTool }, options) => {
  const tools = Object.fromEntries(names.map((name) => [name, { description: name, execute: runTool(name) }]))
  const offered = await gated(tools, options)
  // The model may make up a tool that is not offered; an app may still have it under another gate.
  const hidden = { admin_reset: { execute: runTool("admin_reset"), metadata: { toolName: "read_file" } } }
  const sneaked = await gated(hidden, options)
  sneaked.admin_reset.metadata.toolName = "admin_reset"
  const all = new Map<string, { execute: unknown }>(Object.entries({ ...offered, ...sneaked }))
  return {
    call: async (name, args, abortSignal) => {
      const execute = all.get(name)?.execute as Execute
      const context = { toolCallId: "1", ...(abortSignal === undefined ? {} : { abortSignal }) }
      return execute(args, context).then(textOf, (error: Error) => error.message)
    },
  }
})

it("leaves out what policy hides", async () => {
  const { options, runTool } = await openAdapter()
  const tools = { read_file: { execute: runTool("read_file") }, admin_reset: { execute: runTool("admin_reset") } }
  expect(Object.keys(await gated(tools, options))).toEqual(["read_file"])
})

it("R8: leaves alone what has no function here, and every tool it was not given", async () => {
  const { options } = await openAdapter()
  const elsewhere = { description: "runs at the provider" }
  const { search } = await gated({ search: elsewhere }, options)
  expect(search).toBe(elsewhere)
})

it("knows a tool of @ai-sdk/mcp by its name at the server", async () => {
  const { options, runTool, ran } = await openAdapter()
  const { renamed } = await gated(
    { renamed: { metadata: { toolName: "read_file" }, execute: runTool("renamed") } },
    options,
  )
  await renamed.execute({ path: "a.md" })
  expect(ran).toHaveLength(1)
})

it("a tool's own words for the model are kept, with the note of an edit", async () => {
  const { options, held, answer } = await openAdapter()
  const { write_file } = await gated(
    {
      write_file: {
        execute: async (_args: unknown): Promise<object> => ({ bytes: 3 }),
        toModelOutput: ({ output }: { output: unknown }): unknown => ({ type: "text", value: JSON.stringify(output) }),
      },
    },
    options,
  )
  const output = write_file.execute({ path: "a.md" })
  await answer(await held(), { args: edited })
  const said = JSON.stringify(await write_file.toModelOutput({ output: await output }))
  expect(said).toMatch(/bytes.*A reviewer edited the arguments/)
})

it("gives the last step of a tool that answers in steps", async () => {
  const { options } = await openAdapter()
  const execute = async function* (_args: unknown) {
    yield "half"
    yield "whole"
  }
  const { read_file } = await gated({ read_file: { execute } }, options)
  expect(await read_file.execute({})).toBe("whole")
})

it("a tool that throws has failed, and throws on", async () => {
  const { options, gate, records } = await openAdapter()
  const boom = new Error("disk full")
  const { read_file } = await gated({ read_file: { execute: async (_: unknown) => Promise.reject(boom) } }, options)
  await expect(read_file.execute({})).rejects.toBe(boom)
  await gate.close()
  expect(await records()).toEqual(["run.failed"])
})

it("a call that is withdrawn while it waits does not run", async () => {
  const { options, ran, runTool, held, store } = await openAdapter()
  const { write_file } = await gated({ write_file: { execute: runTool("write_file") as Execute } }, options)
  const stop = new AbortController()
  const told = write_file.execute({ path: "a.md" }, { abortSignal: stop.signal, toolCallId: "1" })
  const { id } = await held()
  stop.abort()
  await expect(told).rejects.toThrow(/withdrew|cancelled/i)
  expect(await store.approval(id)).toMatchObject({ status: "cancelled" })
  expect(ran).toEqual([])
})

it("a run that is stopped is unknown", async () => {
  const { options, gate, records } = await openAdapter()
  const stop = new AbortController()
  const execute: Execute = async () => {
    stop.abort()
    throw new Error("aborted")
  }
  const { read_file } = await gated({ read_file: { execute } }, options)
  await expect(read_file.execute({}, { abortSignal: stop.signal, toolCallId: "1" })).rejects.toThrow(/unknown/)
  await gate.close()
  expect(await records()).toEqual(["run.unknown"])
})

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

it("does not gate two tools together that their servers call alike", async () => {
  const { options, runTool } = await openAdapter({ wait: false })
  const tool = () => ({ execute: runTool("read_file"), metadata: { toolName: "read_file" } })
  const gating = gated({ files: tool(), evil: tool() }, options)
  await expect(gating).rejects.toMatchObject({ code: "bad-options" })
})
