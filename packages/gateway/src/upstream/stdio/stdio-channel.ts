import { writeLine } from "../../wire/write-message.ts"
import type { Channel, ChannelEvents, OpenChannel } from "../channel.ts"
import { readReceived } from "../http/read-received.ts"
import { LinkError } from "../link.ts"
import type { Setting } from "../upstream-options.ts"
import { type Child, startChild } from "./child.ts"
import type { Written } from "./child-input.ts"
import type { StdioTransport } from "./find-command.ts"
import { textLines } from "./text-lines.ts"

/** A server as a child process: one message per line. Fails when the process cannot be started. */
export async function startStdio(transport: StdioTransport, setting: Setting): Promise<OpenChannel> {
  let onOutput: (chunk: Buffer) => void = () => {}
  let onGone: (why: string) => void = () => {}
  // A process may die before the channel is opened; its opener is told then.
  let early: string | null = null
  const child = await startChild(transport, setting, {
    onOutput: (chunk) => onOutput(chunk),
    onGone: (why) => {
      early = why
      onGone(why)
    },
  })
  return (events) => {
    let over = false
    function end(code: "cut-off" | "malformed", why: string): void {
      if (over) return
      over = true
      events.onEnd(new LinkError(code, why))
    }
    let lines = 0
    const onLine = (line: string) => {
      lines += 1
      if (line === "") return
      const read = readReceived(line, setting.maxMessageBytes)
      if (read.ok) for (const received of read.received) events.onMessage(received)
      // Banners and stray prints are no messages; broken ones begin like messages.
      else if (/^\s*[{[]/.test(line)) events.onGarbled(line, read.problem)
    }
    const readLines = textLines(setting.maxMessageBytes, onLine, () => {
      end("malformed", `The server sent a message larger than ${setting.maxMessageBytes} bytes.`)
      child.kill()
    })
    onOutput = (chunk) => {
      lines = 0
      readLines(chunk)
      setting.pace.came(child.output, { events: lines, bytes: chunk.length })
    }
    onGone = (why) => end("cut-off", why)
    if (early !== null) queueMicrotask(() => onGone(early ?? ""))
    return channelOf(child, events.onFail, () => {
      over = true
    })
  }
}

function channelOf(child: Child, fail: ChannelEvents["onFail"], silence: () => void): Channel {
  return {
    ask: (message, sending) => {
      const request = Number(message.id)
      const done: Written = (error) => {
        if (error !== null) fail(request, error)
      }
      child.write({ text: writeLine(message), request, mayLeave: sending.mayLeave, done }, sending.principal ?? "")
    },
    drop: (id, why) => {
      if (why === "abandoned") child.forget(id)
    },
    continuity: () => "bound",
    tell: (message) =>
      new Promise((resolve, reject) => {
        const done: Written = (error) => (error === null ? resolve() : reject(error))
        child.write({ text: writeLine(message), done }, "")
      }),
    agreed: () => {},
    close: () => {
      silence()
      return child.stop()
    },
  }
}
