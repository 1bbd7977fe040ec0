import { BaseChatModel } from "@langchain/core/language_models/chat_models"
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages"
import type { ChatResult } from "@langchain/core/outputs"

type Calls = ReadonlyArray<readonly [tool: string, args: object]>

/** A model that makes these calls, a list per step, then says that it is done. */
export function scripted(steps: readonly Calls[]) {
  class Scripted extends BaseChatModel {
    readonly asked: BaseMessage[][] = []
    offered: string[] = []
    _llmType(): string {
      return "scripted"
    }
    override bindTools(tools: Parameters<NonNullable<BaseChatModel["bindTools"]>>[0]): this {
      this.offered = tools.map((given) => String((given as { name?: unknown }).name))
      return this
    }
    async _generate(messages: BaseMessage[]): Promise<ChatResult> {
      const calls = steps[this.asked.push(messages) - 1] ?? []
      const tool_calls = calls.map(([name, args], at) => ({
        name,
        args: { ...args },
        id: `call-${this.asked.length}-${at}`,
      }))
      const message = new AIMessage({ content: calls.length > 0 ? "" : "Done.", tool_calls })
      return { generations: [{ text: "", message }] }
    }
    told(): string[] {
      return (this.asked.at(-1) ?? []).flatMap((given) =>
        ToolMessage.isInstance(given) ? [String(given.content)] : [],
      )
    }
  }
  return new Scripted({})
}
