import type { Era } from "../../wire/caller.ts"
import { encodeHeaderValue } from "../../wire/headers/header-value.ts"
import type { NotificationMessage, ResponseMessage } from "../../wire/message.ts"
import { newestModern } from "../../wire/versions.ts"
import { writeMessage } from "../../wire/write-message.ts"
import { LinkError } from "../link.ts"
import type { HttpClient } from "./http-client.ts"
import { statusFailure } from "./http-status.ts"

/** Posts what needs no answer. Each has a connection of its own, so it never waits behind a call. */
export type PostNotification = (
  base: Readonly<Record<string, string>>,
  message: NotificationMessage | ResponseMessage,
) => Promise<void>

/** How many may be on their way at once: a server that takes them slowly is told no more until it has. */
const mostOnTheirWay = 256

export function createPostNotification(client: HttpClient, url: URL, era: Era): PostNotification {
  let onTheirWay = 0
  return async (base, message) => {
    if (onTheirWay >= mostOnTheirWay) {
      throw new LinkError(
        "unreachable",
        `The server has not taken ${mostOnTheirWay} notifications yet. Try again later.`,
      )
    }
    onTheirWay++
    try {
      await post(client, url, headersFor(base, message, era), message)
    } finally {
      onTheirWay--
    }
  }
}

function headersFor(
  base: Readonly<Record<string, string>>,
  message: NotificationMessage | ResponseMessage,
  era: Era,
): Readonly<Record<string, string>> {
  if (era === "legacy" || !("method" in message)) return base
  return { ...base, "mcp-protocol-version": newestModern, "mcp-method": encodeHeaderValue(message.method) }
}

function post(
  client: HttpClient,
  url: URL,
  headers: Readonly<Record<string, string>>,
  message: NotificationMessage | ResponseMessage,
): Promise<void> {
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
        else reject(statusFailure(status, false))
      },
      onFail: reject,
    })
  })
}
