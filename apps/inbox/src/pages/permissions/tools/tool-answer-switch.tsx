import type { GrantView } from "@byleave/api"
import { type ReactNode, useState } from "react"
import { useAct } from "../../../data/use-act.ts"
import { useUndoGrant } from "../../../data/use-undo-grant.ts"
import { useToast } from "../../../shell/toast.tsx"
import type { ShownEffect } from "./effect-words.ts"
import { answerOf, changeTo, grantsOfTool, policyLabel, type ToolAnswer } from "./tool-answer.ts"
import look from "./tool-answer-switch.module.css"

type ToolAnswerSwitchProps = {
  readonly server: string
  readonly tool: string
  readonly grants: readonly GrantView[]
  /** The outcome of a call of it now. */
  readonly effect: ShownEffect
}

const answers = [
  { answer: "allow", label: "Allow", done: "is always allowed, for every agent" },
  { answer: "policy", label: "By policy", done: "follows the policy again" },
  { answer: "deny", label: "Deny", done: "is always denied, for every agent" },
] as const satisfies readonly { readonly answer: ToolAnswer; readonly label: string; readonly done: string }[]

/** Sets what is remembered of one tool as a whole. Rules of the policy stay as they are. */
export function ToolAnswerSwitch({ server, tool, grants, effect }: ToolAnswerSwitchProps): ReactNode {
  const adding = useAct("addGrant")
  const forget = useUndoGrant()
  const say = useToast()
  const [busy, setBusy] = useState<ToolAnswer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const known = grantsOfTool(grants, server, tool)
  const current = answerOf(known)
  const add = (given: "allow" | "deny") =>
    adding.act({ body: { effect: given, breadth: { kind: "tool", server, tool } } })

  const set = async ({ answer, done }: (typeof answers)[number]): Promise<void> => {
    const change = changeTo(answer, known)
    setBusy(answer)
    setProblem(null)
    let wrong: string | null = null
    for (const grant of change.forget) wrong ??= await forget(grant)
    let added: GrantView | null = null
    if (wrong === null && change.add !== null) {
      const reply = await add(change.add)
      if (reply.ok) added = reply.value
      else wrong = reply.problem.detail
    }
    setBusy(null)
    setProblem(wrong)
    if (wrong !== null) return
    const before = change.forget.map((grant) => grant.effect)
    say({
      title: `${tool} ${done}`,
      undo: async () => {
        const refused = added === null ? null : await forget(added)
        if (refused !== null) return refused
        for (const given of new Set(before)) {
          const reply = await add(given)
          if (!reply.ok) return reply.problem.detail
        }
        return null
      },
    })
  }

  return (
    <>
      <fieldset className={look.switch} disabled={busy !== null} aria-busy={busy !== null}>
        <legend className="only-read-aloud">Permission for {tool}</legend>
        {answers.map((each) => (
          <label key={each.answer} data-answer={each.answer}>
            <input
              type="radio"
              name={`answer ${server} ${tool}`}
              checked={(busy ?? current) === each.answer}
              onChange={() => void set(each)}
            />
            <span>{each.answer === "policy" ? policyLabel(current, effect) : each.label}</span>
          </label>
        ))}
      </fieldset>
      {problem !== null && (
        <p role="alert" className={look.problem}>
          {problem}
        </p>
      )}
    </>
  )
}
