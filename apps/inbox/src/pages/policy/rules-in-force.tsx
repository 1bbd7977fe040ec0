import { Empty, Loading, Sheet } from "@byleave/ui"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"
import { RuleRow } from "../permissions/rule-row.tsx"
import { ReadProblem } from "../places/reading.tsx"

/** The rules that decide now, for reading, where there is no text to edit. */
export function RulesInForce(): ReactNode {
  const read = useRead("getPolicy")
  if (read.state === "loading") return <Loading label="Loading rules" />
  if (read.state === "problem") return <ReadProblem problem={read.problem} again={read.again} />
  const { rules } = read.value
  return (
    <Sheet title="Rules in effect">
      {rules.length === 0 ? (
        <Empty title="No rules yet">The default applies to every call.</Empty>
      ) : (
        <ul>
          {rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
    </Sheet>
  )
}
