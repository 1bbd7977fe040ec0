import type { Reply } from "./lean.ts"

type Waiting = { readonly resolve: (reply: Reply) => void; readonly reject: (cause: Error) => void }

/** Requests whose replies arrive on a stream they share. */
export function pendingReplies(): {
  readonly expect: (id: number) => Promise<Reply>
  readonly take: (text: string) => void
  readonly fail: (why: string) => void
} {
  const waiting = new Map<number, Waiting>()
  return {
    expect: (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject })),
    take: (text) => {
      const reply = JSON.parse(text) as Reply & { readonly method?: string }
      if (reply.id === undefined || reply.method !== undefined) return
      waiting.get(reply.id)?.resolve(reply)
      waiting.delete(reply.id)
    },
    fail: (why) => {
      for (const { reject } of waiting.values()) reject(new Error(why))
      waiting.clear()
    },
  }
}
