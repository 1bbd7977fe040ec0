/**
 * The oldest HTTP transport: one stream of events brings every message, the first of which says where to post. Fails when no
 * such stream is there.
 */
import { writeMessage } from "../../wire/write-message.ts"
import type { Channel, ChannelEvents, OpenChannel } from "../channel.ts"
import { LinkError } from "../link.ts"
import { runsOnce } from "../runs-once.ts"
import type { Setting } from "../upstream-options.ts"
import { type HttpAnswer, isEventStream } from "./http-answer.ts"
import type { HttpEndpoint } from "./http-endpoint.ts"
import { statusFailure } from "./http-status.ts"
import { createPostNotification } from "./post-notification.ts"
import { readEvents, type ServerEvent } from "./read-answer.ts"
import { readReceived } from "./read-received.ts"

export async function openSse(place: HttpEndpoint, setting: Setting): Promise<OpenChannel> {
  let events: ChannelEvents | undefined
  let early: LinkError | undefined
  const { endpoint, stop } = await connect(place, setting, {
    onEvent: (event) => {
      const read = readReceived(event.data, setting.maxMessageBytes)
      if (read.ok) for (const received of read.received) events?.onMessage(received)
      else events?.onGarbled(event.data, read.problem)
    },
    onEnd: (error) => {
      early = error
      events?.onEnd(error)
    },
  })
  return (given) => {
    events = given
    if (early !== undefined) queueMicrotask(() => early && given.onEnd(early))
    return channelOf(place, endpoint, given, () => {
      events = undefined
      stop()
    })
  }
}

type Stream = { readonly onEvent: (event: ServerEvent) => void; readonly onEnd: (error: LinkError) => void }

function connect(place: HttpEndpoint, setting: Setting, stream: Stream): Promise<{ endpoint: URL; stop: () => void }> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(new LinkError("unreachable", noEndpoint)), setting.times.probeMs)
    const fail = (error: LinkError) => {
      clearTimeout(late)
      stop()
      reject(error)
    }
    const onAnswer = (answer: HttpAnswer) => {
      const { status } = answer
      if (status !== 200 || !isEventStream(answer)) {
        answer.discard()
        return fail(status === 200 ? new LinkError("unreachable", noEndpoint) : statusFailure(status, false))
      }
      readEvents(answer, setting, {
        onEvent: (event) => {
          if (event.event !== "endpoint") return event.data === "" ? undefined : stream.onEvent(event)
          const endpoint = sameOrigin(event.data, place.url)
          if (endpoint === undefined) return fail(new LinkError("unreachable", foreignEndpoint))
          clearTimeout(late)
          resolve({ endpoint, stop })
        },
        onClose: () => {
          // Without effect once the endpoint is known.
          fail(new LinkError("unreachable", noEndpoint))
          stream.onEnd(new LinkError("cut-off", "The server closed its stream of events."))
        },
      })
    }
    const headers = { ...place.headers, accept: "text/event-stream" }
    const stop = place.client.send({ method: "GET", url: place.url, headers, onAnswer, onFail: fail })
  })
}

const noEndpoint = "The server speaks none of MCP's HTTP transports at this address. Check the address."
const foreignEndpoint = "The server wants its messages at another origin, where its credentials do not belong."

function sameOrigin(text: string, base: URL): URL | undefined {
  const url = URL.canParse(text, base.href) ? new URL(text, base) : undefined
  return url?.origin === base.origin ? url : undefined
}

function channelOf(place: HttpEndpoint, endpoint: URL, events: ChannelEvents, stop: () => void): Channel {
  let headers: Readonly<Record<string, string>> = {
    ...place.headers,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  }
  const tell = createPostNotification(place.client, endpoint, "legacy")
  /** Posts that are not taken yet, by the requests they bring. */
  const posts = new Map<number, { stop: () => void }>()
  return {
    ask: (message, sending) => {
      const id = Number(message.id)
      const once = runsOnce(message.method, sending)
      const post = { stop: () => {} }
      posts.set(id, post)
      post.stop = place.client.send({
        method: "POST",
        url: endpoint,
        headers,
        body: writeMessage(message),
        once,
        mayLeave: sending.mayLeave,
        onAnswer: (answer) => {
          posts.delete(id)
          answer.discard()
          const { status } = answer
          if (status >= 300) events.onFail(id, statusFailure(status, once))
        },
        // The answer comes by the stream; it may be on its way though the post broke.
        onFail: (error) => {
          posts.delete(id)
          events.onFail(id, error)
        },
      })
    },
    drop: (id, why) => {
      const post = posts.get(id)
      if (why !== "abandoned" || post === undefined) return
      posts.delete(id)
      post.stop()
    },
    continuity: () => "bound",
    tell: (message) => tell(headers, message),
    agreed: (version) => {
      headers = { ...headers, "mcp-protocol-version": version }
    },
    close: async () => {
      stop()
      for (const post of posts.values()) post.stop()
      posts.clear()
    },
  }
}
