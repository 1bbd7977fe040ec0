import type { ServerView } from "@byleave/api"
import { Button, Empty, Mark, Sentence, Sheet, ShownName, ShownText } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { FirstOf } from "../places/first-of.tsx"
import { EffectMark } from "./effect-mark.tsx"
import look from "./effective-view.module.css"
import type { PermissionFilter } from "./permissions-by-server.ts"
import { TryCallDialog } from "./try-call-dialog.tsx"
import type { TriedTool } from "./use-tried-call.ts"

type ServerTool = ServerView["tools"][number]

/** For each tool of each server: what would happen to a call now, and why. */
export function EffectiveView({
  servers,
  filter,
}: {
  readonly servers: readonly ServerView[]
  readonly filter: PermissionFilter
}): ReactNode {
  const [tried, setTried] = useState<TriedTool | null>(null)
  const shown = servers
    .filter(({ id }) => filter.server === "" || id === filter.server)
    .map((server) => ({ ...server, tools: server.tools.filter((tool) => isWanted(server.id, tool, filter)) }))
    .filter(({ tools }) => tools.length > 0 || (filter.text === "" && filter.effect === ""))
  return (
    <>
      <p className={look.lead}>
        What a call of each tool meets right now, and why. Where a rule looks at arguments, try a call to see.
      </p>
      {shown.length === 0 && <Empty title="No tool fits">Ask for less in the filter above.</Empty>}
      {shown.map((server) => (
        <Sheet key={server.id} title={<ShownText text={server.id} />} label={server.id}>
          {server.tools.length === 0 && (
            <p className={look.none}>No tools are known of it yet: they are listed when it is first connected.</p>
          )}
          <ul>
            <FirstOf items={server.tools} keyOf={({ name }) => name}>
              {(tool) => <ToolRow tool={tool} onTry={() => setTried({ server: server.id, tool: tool.name })} />}
            </FirstOf>
          </ul>
        </Sheet>
      ))}
      {tried !== null && <TryCallDialog servers={servers} first={tried} onClose={() => setTried(null)} />}
    </>
  )
}

function isWanted(server: string, tool: ServerTool, { text, effect }: PermissionFilter): boolean {
  const wants = text.trim().toLowerCase()
  const says = [server, tool.name, tool.why].some((words) => words.toLowerCase().includes(wants))
  return says && (effect === "" || effect === tool.effect)
}

function ToolRow({ tool, onTry }: { readonly tool: ServerTool; readonly onTry: () => void }): ReactNode {
  return (
    <li className={look.row}>
      <code className={look.name}>
        <ShownName text={tool.name} />
      </code>
      <span className={look.effect}>
        <EffectMark effect={tool.effect} />
      </span>
      <span className={look.why}>
        <span>
          <Sentence text={sentence(tool.why)} />
        </span>
        <span className={look.soft}>
          {accessWord(tool)}, {accessFrom[tool.accessFrom]}
          {tool.pin !== "accepted" && (
            <>
              {" "}
              <Mark tone={pinTone[tool.pin]}>{pinWords[tool.pin]}</Mark>
            </>
          )}
        </span>
      </span>
      <span className={look.action}>
        <Button size="small" aria-label={`Try a call of ${tool.name}`} onClick={onTry}>
          Try a call
        </Button>
      </span>
    </li>
  )
}

function sentence(why: string): string {
  return why === "" ? "" : `${why.charAt(0).toUpperCase()}${why.slice(1)}`
}

function accessWord({ access, accessFrom }: ServerTool): string {
  if (access === "write") return "Can write"
  return accessFrom === "name" ? "Seems to read" : "Reads"
}

const accessFrom = {
  classify: "says a rule of yours",
  annotation: "says its server, which is trusted to",
  name: "going by its name",
  default: "since nothing says otherwise",
} as const satisfies Record<ServerTool["accessFrom"], string>

const pinWords = {
  accepted: "Definition accepted",
  changed: "Definition changed",
  new: "Not accepted yet",
  unpinned: "Definition not watched",
} as const satisfies Record<ServerTool["pin"], string>

const pinTone = { accepted: "plain", changed: "wait", new: "wait", unpinned: "plain" } as const satisfies Record<
  ServerTool["pin"],
  string
>
