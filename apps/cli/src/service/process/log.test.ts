import { expect, it } from "vitest"
import { createLog, type LogOptions } from "./log.ts"

function written(options: Partial<LogOptions>): {
  readonly log: ReturnType<typeof createLog>
  readonly lines: string[]
} {
  const lines: string[] = []
  const write = (text: string): void => void lines.push(text)
  return { log: createLog({ format: "text", level: "info", now: () => 0, write, ...options }), lines }
}

it("writes text for people, with the level where it is not the usual one", () => {
  const { log, lines } = written({ level: "debug" })
  log.info("Started.")
  log.error("It broke.")
  log.debug("Event.", { type: "approval.pending" })
  expect(lines).toEqual(["Started.\n", "Error: It broke.\n", "debug Event. type=approval.pending\n"])
})

it("writes one JSON object a line, with time, level and fields", () => {
  const { log, lines } = written({ format: "json" })
  log.warn("Odd\nline\u001b[2J", { server: "files" })
  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"Odd\\nline\\u001b[2J","server":"files"}\n',
  ])
})

it("leaves out what is below its level", () => {
  const { log, lines } = written({ level: "warn" })
  log.debug("a")
  log.info("b")
  log.warn("c")
  log.error("d")
  expect(lines).toEqual(["Warning: c\n", "Error: d\n"])
})

it("takes secrets out of messages", () => {
  const { log, lines } = written({ redact: (text) => text.replaceAll("hunter2", "***") })
  log.info("The key hunter2 is used.")
  expect(lines).toEqual(["The key *** is used.\n"])
})
