import { type RefusedRequest, refuse } from "../refused.ts"
import type { StreamCounter } from "./stream-counter.ts"

/** Of one reviewer, or one program. */
export const mostRunStreams = 32

/** Of one program: answers that come as a whole once their run rests. */
export const mostWaitingAnswers = 512

export function tooManyStreams(): RefusedRequest {
  return refuse("too-many-streams", `You have ${mostRunStreams} event streams of runs open. Close some first.`)
}

function tooManyWaiting(): RefusedRequest {
  return refuse("too-many-streams", `${mostWaitingAnswers} of your requests wait for their runs. Wait for some first.`)
}

/** An answer that comes as a whole counts as one of its caller's until it is made. */
export async function countedAnswer(
  waiting: StreamCounter,
  caller: string,
  answer: () => Promise<Response>,
): Promise<Response | RefusedRequest> {
  const leave = waiting.enter(caller)
  if (leave === null) return tooManyWaiting()
  try {
    return await answer()
  } finally {
    leave()
  }
}

/** An answer that is a stream counts as one of its caller's until it is over or nobody reads it any more. */
export async function countedStream(
  streams: StreamCounter,
  caller: string,
  answer: () => Promise<Response>,
): Promise<Response | RefusedRequest> {
  const leave = streams.enter(caller)
  if (leave === null) return tooManyStreams()
  try {
    const response = await answer()
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
    if (!isStream || response.body === null) {
      leave()
      return response
    }
    return new Response(endingWith(response.body, leave), response)
  } catch (error) {
    leave()
    throw error
  }
}

function endingWith(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
      } catch (error) {
        onEnd()
        controller.error(error)
      }
    },
    cancel: async (reason) => {
      onEnd()
      await reader.cancel(reason)
    },
  }
  // What goes through is not kept here.
  return new ReadableStream(source, { highWaterMark: 0 })
}
