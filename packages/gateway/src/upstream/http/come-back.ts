/** When and from where the rest of a stream that its server ended is fetched: both are the server's to say, within bounds. */

/** The shortest wait, which doubles up to the longest of ours while nothing comes. A server may ask for more. */
const shortestMs = 100
const longestOwnMs = 2_000
/** The most empty streams in a row: a server that sends nothing on so many has nothing to send. */
export const mostEmptyStreams = 1_000

/** `empty`: how many streams in a row brought nothing. */
export function comeBackMs(askedMs: number, empty: number, longestMs: number): number {
  const own = Math.min(shortestMs * 2 ** Math.min(empty, 10), longestOwnMs)
  return Math.min(Math.max(askedMs, own), longestMs)
}

const sendable = /^[\x20-\x7e]{1,1024}$/

/** The id of an event as a header can say it; undefined: there is no coming back to it. */
export function sendableEventId(id: string): string | undefined {
  return sendable.test(id) ? id : undefined
}
