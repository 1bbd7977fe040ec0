import { readJson, type ToolDefinition } from "@byleave/core"
import { problemOf } from "../client/service-answer.ts"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { ToolsAnswer } from "./gate-wire.ts"

/** The tools of this process's servers that the service's processes were told. A process that has just started knows nothing of them. */
export type ToldTools = {
  readonly tell: (server: string, tools: readonly ToolDefinition[]) => Promise<void>
  readonly tellAgain: (server: string, instance: string) => Promise<void>
  readonly instances: (server: string) => string[]
  /** Whether the service was last told of this tool in the very words it has here. */
  readonly isAsTold: (server: string, tool: ToolDefinition) => boolean
}

type Told = { tools: readonly ToolDefinition[]; readonly instances: Set<string> }

/** More processes than this behind one address, and the oldest are told again. */
const most = 32

/** `program`: which one runs here. `onOtherProgram` is told when the service knows another one under the server's name. */
export type ToldProgram = { readonly program: string; readonly onOtherProgram: () => void }

export function createToldTools(transport: GateTransport, here?: ToldProgram): ToldTools {
  const servers = new Map<string, Told>()
  const toldOf = (server: string): Told => {
    const told = servers.get(server) ?? { tools: [], instances: new Set() }
    servers.set(server, told)
    return told
  }
  const send = async (server: string, told: Told): Promise<void> => {
    const body = { server, tools: told.tools, ...(here === undefined ? {} : { program: here.program }) }
    const { status, text } = await transport.post(gatePaths.tools, JSON.stringify(body))
    const read = readJson(text)
    if (status !== 200 || !read.ok)
      throw new Error(`The service did not take the list of tools: ${problemOf(status, text)}`)
    const answer = read.value as ToolsAnswer
    told.instances.add(answer.instance)
    if (answer.isOtherProgram === true) here?.onOtherProgram()
    for (const oldest of told.instances) if (told.instances.size > most) told.instances.delete(oldest)
  }
  return {
    tell: async (server, tools) => {
      const told = toldOf(server)
      told.tools = tools
      told.instances.clear()
      await send(server, told)
    },
    tellAgain: async (server, instance) => {
      const told = toldOf(server)
      told.instances.delete(instance)
      await send(server, told)
    },
    instances: (server) => [...toldOf(server).instances],
    isAsTold: (server, tool) => {
      const told = toldOf(server).tools.find(({ name }) => name === tool.name)
      return told === tool || (told !== undefined && JSON.stringify(told) === JSON.stringify(tool))
    },
  }
}
