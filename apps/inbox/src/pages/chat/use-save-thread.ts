import type { RunView } from "@byleave/api"
import { useClient } from "../../data/client.tsx"
import { useToast } from "../../shell/toast.tsx"
import { download } from "../places/download.ts"

const kinds = {
  json: { ends: "json", type: "application/json" },
  markdown: { ends: "md", type: "text/markdown" },
  recording: { ends: "jsonl", type: "application/x-ndjson" },
} as const

/** Saves a thread as the service tells it: whole, and without configured secrets. */
export function useSaveThread(run: Pick<RunView, "id" | "title">): (kind: keyof typeof kinds) => Promise<void> {
  const client = useClient()
  const say = useToast()
  return async (kind) => {
    const { ends, type } = kinds[kind]
    const params = { id: run.id }
    try {
      const reply =
        kind === "recording"
          ? await client.stream("recordRun", { params })
          : await client.stream("saveThread", { params, query: { as: kind } })
      if (!reply.ok) return say({ title: "The thread was not saved", words: reply.problem.detail })
      const blob = await new Response(reply.value).blob()
      download(new Blob([blob], { type }), `${fileName(run.title)}.${ends}`)
    } catch {
      say({ title: "The thread was not saved", words: "Byleave did not respond. Try again." })
    }
  }
}

function fileName(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
  return words.slice(0, 60) || "thread"
}
