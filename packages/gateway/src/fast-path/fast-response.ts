import { STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { FrontResponse } from "../downstream/front-message.ts"

const alive = "connection: keep-alive\r\nkeep-alive: timeout=60\r\n"
/** Half as long again as clients are told in `alive`, so that it is they who close a quiet connection, also when they are busy. */
export const quietMs = 90_000

/** A response on a connection of our own: whole in one write, or in parts when it was begun without its length. */
export class FastResponse implements FrontResponse {
  #state: "fresh" | "headed" | "begun" | "ended" | "finished" | "lost" = "fresh"
  #head = ""
  #hasLength = false
  #closeListener: (() => void) | null = null
  /** What is kept back while earlier responses are on the connection; null: nothing has to be. */
  #kept: string | null
  #whenKept: ((error?: Error | null) => void) | undefined
  readonly #socket: Socket
  readonly #onOver: () => void

  constructor(socket: Socket, onOver: () => void, isBehind = false) {
    this.#socket = socket
    this.#onOver = onOver
    this.#kept = isBehind ? "" : null
  }

  /** All earlier responses have left. */
  goOn(): void {
    const bytes = this.#kept ?? ""
    this.#kept = null
    if (this.#whenKept !== undefined) this.#socket.write(bytes, this.#whenKept)
    else if (bytes !== "") this.#socket.write(bytes)
  }

  get keptLength(): number {
    return this.#kept?.length ?? 0
  }

  get headersSent(): boolean {
    return this.#state !== "fresh"
  }

  get destroyed(): boolean {
    return this.#state === "lost" || this.#socket.destroyed
  }

  get writableEnded(): boolean {
    return this.#state === "ended" || this.#state === "finished"
  }

  get writableFinished(): boolean {
    return this.#state === "finished"
  }

  get writableLength(): number {
    return this.#socket.writableLength + this.keptLength
  }

  writeHead(status: number, headers: Readonly<Record<string, string | number>> = {}): void {
    if (this.#state !== "fresh") throw new Error("The head of this response is written already.")
    let lines = ""
    for (const name in headers) lines += headerLine(name, headers[name] ?? "")
    this.#hasLength = headers["content-length"] !== undefined
    const parts = this.#hasLength ? "" : "transfer-encoding: chunked\r\n"
    this.#head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}${parts}${alive}date: ${dateNow()}\r\n\r\n`
    this.#state = "headed"
  }

  flushHeaders(): void {
    if (this.#isOpen()) this.#send("")
  }

  write(text: string): void {
    if (text !== "" && this.#isOpen()) this.#send(this.#hasLength ? text : chunk(text))
  }

  end(text = ""): void {
    if (!this.#isOpen()) return
    this.#send(this.#hasLength ? text : `${text === "" ? "" : chunk(text)}0\r\n\r\n`, this.#finished)
    this.#state = "ended"
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** It has no errors of its own: a failure closes the connection. */
  on(event: "close" | "error", listener: () => void): void {
    if (event === "error") return
    const before = this.#closeListener
    this.#closeListener =
      before === null
        ? listener
        : () => {
            before()
            listener()
          }
  }

  lost(): void {
    this.#over("lost")
  }

  #isOpen(): boolean {
    return this.#state === "headed" || this.#state === "begun"
  }

  /** Puts what comes behind the head when that is still to be sent. */
  #send(text: string, done?: (error?: Error | null) => void): void {
    const bytes = this.#head + text
    this.#head = ""
    this.#state = "begun"
    if (this.#kept !== null) {
      this.#kept += bytes
      this.#whenKept = done
    } else if (done !== undefined) this.#socket.write(bytes, done)
    else if (bytes !== "") this.#socket.write(bytes)
  }

  readonly #finished = (error?: Error | null): void => {
    if (error === undefined || error === null) this.#over("finished")
  }

  #over(how: "finished" | "lost"): void {
    if (this.#state === "finished" || this.#state === "lost") return
    this.#state = how
    this.#closeListener?.()
    this.#onOver()
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
