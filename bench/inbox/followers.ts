import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Heard, Told } from "./programs/followers.ts"

const program = fileURLToPath(new URL("./programs/followers.ts", import.meta.url))
const longestMs = 10_000

/** Open pages in a process of their own. */
export type Followers = {
  /** Closes those that are open and opens this many. */
  readonly follow: (pages: number) => Promise<void>
  /** The next event of this type, once every page has it. */
  readonly heard: (type: string) => Promise<Heard>
  readonly stop: () => void
}

type Waiting = {
  readonly wants: (told: Told) => boolean
  readonly resolve: (told: Told) => void
  readonly reject: (cause: Error) => void
}

export function startFollowers(url: string, folder: string): Followers {
  const child = fork(program, [url, folder], { stdio: "inherit", execArgv: [] })
  const waiting = new Set<Waiting>()
  child.on("message", (told: Told) => {
    for (const one of waiting) {
      const isProblem = typeof told === "object" && "problem" in told
      if (!isProblem && !one.wants(told)) continue
      waiting.delete(one)
      if (isProblem) one.reject(new Error(told.problem))
      else one.resolve(told)
    }
  })
  const next = (what: string, wants: Waiting["wants"]): Promise<Told> =>
    new Promise((resolve, reject) => {
      const one = { wants, resolve, reject }
      waiting.add(one)
      setTimeout(() => waiting.delete(one) && reject(new Error(`Not every page heard: ${what}.`)), longestMs).unref()
    })
  return {
    follow: async (pages) => {
      const following = next("that it follows", (told) => told === "following")
      child.send(pages)
      await following
    },
    heard: async (type) => {
      const told = await next(type, (told) => typeof told === "object" && "type" in told && told.type === type)
      return told as Heard
    },
    stop: () => child.kill("SIGKILL"),
  }
}
