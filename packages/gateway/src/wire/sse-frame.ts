/** Frames of server-sent events. JSON text holds no line break, so one `data` line is enough. */

export function sseFrame(json: string, id?: string): string {
  return id === undefined ? `event: message\ndata: ${json}\n\n` : `event: message\nid: ${id}\ndata: ${json}\n\n`
}

/** The first event of a stream that can be resumed: nothing but its id, and how soon to come back. */
export function ssePriming(id: string, retryMs: number): string {
  return `id: ${id}\nretry: ${retryMs}\ndata: \n\n`
}

export const sseKeepAlive = ": keep-alive\n\n"
