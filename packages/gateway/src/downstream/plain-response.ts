import { STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { FrontResponse } from "./front-message.ts"

export type PlainResponse = FrontResponse & {
  /** The connection is gone. */
  readonly lost: () => void
}

/** A response on a connection of our own: whole in one write, or in parts when it was begun without its length. */
export function createPlainResponse(socket: Socket, alive: string, onOver: () => void): PlainResponse {
  const closeListeners: Array<() => void> = []
  let head = ""
  let hasLength = false
  let state: "fresh" | "headed" | "begun" | "ended" | "finished" | "lost" = "fresh"

  /** Puts what comes behind the head when that is still to be sent. */
  const send = (text: string, done?: () => void): void => {
    const bytes = head + text
    head = ""
    if (state === "headed") state = "begun"
    if (bytes !== "" || done !== undefined) socket.write(bytes, done)
  }
  const over = (how: "finished" | "lost"): void => {
    if (state === "finished" || state === "lost") return
    state = how
    for (const listener of closeListeners) listener()
    onOver()
  }
  const finished = (error?: Error | null): void => {
    if (error === undefined || error === null) over("finished")
  }
  return {
    get headersSent() {
      return state !== "fresh"
    },
    get destroyed() {
      return state === "lost" || socket.destroyed
    },
    get writableFinished() {
      return state === "finished"
    },
    get writableLength() {
      return socket.writableLength
    },
    writeHead: (status, headers = {}) => {
      if (state !== "fresh") throw new Error("The head of this response is written already.")
      head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n`
      for (const name in headers) head += headerLine(name, headers[name] ?? "")
      hasLength = headers["content-length"] !== undefined
      head += `${hasLength ? "" : "transfer-encoding: chunked\r\n"}${alive}date: ${dateNow()}\r\n\r\n`
      state = "headed"
    },
    flushHeaders: () => send(""),
    write: (text) => {
      if (text !== "" && (state === "headed" || state === "begun")) send(hasLength ? text : chunk(text))
    },
    end: (text = "") => {
      if (state !== "headed" && state !== "begun") return
      const last = hasLength ? text : `${text === "" ? "" : chunk(text)}0\r\n\r\n`
      send(last, finished)
      state = "ended"
    },
    destroy: () => socket.destroy(),
    on: (_event, listener) => {
      closeListeners.push(listener)
    },
    lost: () => over("lost"),
  }
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

const unsafe = /[^\t\x20-\x7e]/

function headerLine(name: string, value: string | number): string {
  if (typeof value === "string" && unsafe.test(value)) throw new TypeError(`The header ${name} cannot hold this.`)
  return `${name}: ${value}\r\n`
}

let dateText = ""
let dateSecond = 0

/** As HTTP wants it; made once a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(second * 1000).toUTCString()
  }
  return dateText
}
