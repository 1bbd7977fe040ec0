import type { Era } from "../wire/caller.ts"
import type { NotificationMessage, ResponseMessage } from "../wire/message.ts"
import { newestModern } from "../wire/versions.ts"
import { writeMessage } from "../wire/write-message.ts"
import type { HttpClient } from "./http-client.ts"
import { statusFailure } from "./http-status.ts"

/** Posts what needs no answer. It has a connection of its own, so it never waits behind a call. */
export function tellByPost(
  client: HttpClient,
  url: URL,
  base: Readonly<Record<string, string>>,
  message: NotificationMessage | ResponseMessage,
  era: Era,
): Promise<void> {
  const named = era === "modern" && "method" in message
  const headers = named ? { ...base, "mcp-protocol-version": newestModern, "mcp-method": message.method } : base
  return new Promise((resolve, reject) => {
    client.send({
      method: "POST",
      url,
      headers,
      body: writeMessage(message),
      onAnswer: (answer) => {
        answer.discard()
        const { status } = answer
        if (status < 300) resolve()
        else reject(statusFailure(status))
      },
      onFail: reject,
    })
  })
}
