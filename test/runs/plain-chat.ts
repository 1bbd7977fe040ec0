import { AbstractChat, type ChatInit, type ChatState, type UIMessage } from "ai"

/** The state that `useChat` keeps in React, kept in an object. */
class PlainState implements ChatState<UIMessage> {
  status: ChatState<UIMessage>["status"] = "ready"
  error: Error | undefined = undefined
  messages: UIMessage[]
  readonly snapshot = structuredClone
  constructor(messages: readonly UIMessage[]) {
    this.messages = [...messages]
  }
  readonly pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, structuredClone(message)]
  }
  readonly popMessage = (): void => {
    this.messages = this.messages.slice(0, -1)
  }
  readonly replaceMessage = (at: number, message: UIMessage): void => {
    this.messages = this.messages.with(at, structuredClone(message))
  }
}
/** The chat that `useChat` has, without React. */
export class PlainChat extends AbstractChat<UIMessage> {
  constructor({ messages = [], ...init }: ChatInit<UIMessage>) {
    super({ ...init, state: new PlainState(messages) })
  }
}
