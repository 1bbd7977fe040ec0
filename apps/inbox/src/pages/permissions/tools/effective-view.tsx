import type { GrantView, PolicyView, ServerView } from "@byleave/api"
import { Button, capitalized, Empty, Mark, Sentence, Sheet, ShownName, ShownText } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { FirstOf } from "../../places/first-of.tsx"
import { TryCallDialog } from "../try/try-call-dialog.tsx"
import type { TriedTool } from "../try/use-tried-call.ts"
import { EffectMark } from "./effect-mark.tsx"
import look from "./effective-view.module.css"
import type { PermissionFilter } from "./permissions-by-server.ts"
import { conditionalRules, grantsOfTool } from "./tool-answer.ts"
import { ToolAnswerSwitch } from "./tool-answer-switch.tsx"

type ServerTool = ServerView["tools"][number]

type EffectiveViewProps = {
  readonly servers: readonly ServerView[]
  readonly grants: readonly GrantView[]
  readonly policy: PolicyView
  readonly filter: PermissionFilter
}

/** For each tool of each server: what would happen to a call now, and why. */
export function EffectiveView({ servers, grants, policy, filter }: EffectiveViewProps): ReactNode {
  const [tried, setTried] = useState<TriedTool | null>(null)
  const shown = servers
    .filter(({ id }) => filter.server === "" || id === filter.server)
    .map((server) => ({ ...server, tools: server.tools.filter((tool) => isWanted(server.id, tool, filter)) }))
    .filter(({ tools }) => tools.length > 0 || (filter.text === "" && filter.effect === ""))
  return (
    <>
      <p className={look.lead}>
        What happens to a call of each tool right now, and why. Where it depends on the arguments, test a call to see.
        Allow and Deny save a permission for every agent, which applies at once; By policy removes it, so that your
        rules and the default decide. A rule that denies, or asks every time, wins over Allow.
      </p>
      {shown.length === 0 && <Empty title="No matches">Try a broader filter.</Empty>}
      {shown.map((server) => (
        <Sheet key={server.id} title={<ShownText text={server.id} />} label={server.id}>
          {server.tools.length === 0 && (
            <p className={look.none}>No tools known yet. They are listed once the server first connects.</p>
          )}
          <ul>
            <FirstOf items={server.tools} keyOf={({ name }) => name}>
              {(tool) => (
                <ToolRow
                  server={server.id}
                  grants={grants}
                  policy={policy}
                  tool={tool}
                  onTry={() => setTried({ server: server.id, tool: tool.name })}
                />
              )}
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

type ToolRowProps = {
  readonly server: string
  readonly tool: ServerTool
  readonly grants: readonly GrantView[]
  readonly policy: PolicyView
  readonly onTry: () => void
}

function ToolRow({ server, tool, grants, policy, onTry }: ToolRowProps): ReactNode {
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
          <Sentence text={capitalized(tool.why)} />
        </span>
        <span className="soft">
          {accessWord(tool)}, {accessFrom[tool.accessFrom]}
          {tool.pin !== "accepted" && (
            <>
              {" "}
              <Mark tone={pinTone[tool.pin]}>{pinWords[tool.pin]}</Mark>
            </>
          )}
        </span>
        <ConditionalAnswers server={server} tool={tool.name} grants={grants} policy={policy} />
      </span>
      <span className={look.action}>
        <ToolAnswerSwitch server={server} tool={tool.name} grants={grants} effect={tool.effect} />
        <Button size="small" aria-label={`Test a call of ${tool.name}`} onClick={onTry}>
          Test a call
        </Button>
      </span>
    </li>
  )
}

/** Answers that hold only for some arguments, some agents or some time. */
function ConditionalAnswers({
  server,
  tool,
  grants,
  policy,
}: Pick<ToolRowProps, "server" | "grants" | "policy"> & { readonly tool: string }): ReactNode {
  const said = [
    ...grantsOfTool(grants, server, tool).partly.map(({ id, effect, words }) => ({ id, effect, words })),
    ...conditionalRules(policy, server, tool).map(({ id, effect, words }) => ({ id, effect, words })),
  ]
  if (said.length === 0) return null
  return (
    <ul className={look.conditional} aria-label={`Conditional permissions for ${tool}`}>
      {said.map(({ id, effect, words }) => (
        <li key={id}>
          <EffectMark effect={effect} />
          <span>
            <Sentence text={words} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function accessWord({ access, accessFrom }: ServerTool): string {
  if (access === "write") return "May modify data"
  return accessFrom === "name" ? "Probably read-only" : "Read-only"
}

const accessFrom = {
  classify: "according to your policy",
  annotation: "according to its server, which you trust",
  name: "judging by its name",
  default: "assumed by default",
} as const satisfies Record<ServerTool["accessFrom"], string>

const pinWords = {
  accepted: "Definition accepted",
  changed: "Definition changed",
  new: "New, not accepted",
  rejected: "Definition rejected",
  quarantined: "Quarantined",
  unpinned: "Changes not tracked",
} as const satisfies Record<ServerTool["pin"], string>

const pinTone = {
  accepted: "plain",
  changed: "wait",
  new: "wait",
  rejected: "no",
  quarantined: "no",
  unpinned: "plain",
} as const satisfies Record<ServerTool["pin"], string>
