import type { ApprovalView, ServerView } from "@byleave/api"
import { shownArguments } from "@byleave/api/page"
import { type Condition, compileGlob, type Grant, type JsonValue, keyWords, shownName } from "@byleave/core"
import { X } from "lucide-react"
import type { ReactNode } from "react"
import { Button } from "../../parts/button.tsx"
import { Choice, LongField, TextField, Tick } from "../../parts/field.tsx"
import { ShownText } from "../../parts/shown-text.tsx"
import {
  type ConditionDraft,
  comparableKeys,
  givenNames,
  newCondition,
  opsFor,
  opWords,
  type PatternDraft,
  type ReadPattern,
  valueAt,
} from "./pattern-draft.ts"
import look from "./pattern-editor.module.css"

export type PatternEditorProps = {
  readonly approval: ApprovalView
  readonly server: ServerView | null
  readonly draft: PatternDraft
  readonly read: ReadPattern
  /** The pattern that would be saved, while it can be. */
  readonly grant: Grant | null
  readonly onChange: (draft: PatternDraft) => void
}

/** A pattern of tool names and what the arguments must be, with what it covers. */
export function PatternEditor(props: PatternEditorProps): ReactNode {
  const { approval, draft, read, onChange } = props
  const keys = comparableKeys(approval)
  const names = givenNames(approval)
  const toolProblem = read.ok ? undefined : read.tool
  const put = (line: ConditionDraft): void =>
    onChange({ ...draft, conditions: draft.conditions.map((other) => (other.id === line.id ? line : other)) })
  const add = (): void => {
    const next = Math.max(0, ...draft.conditions.map(({ id }) => id)) + 1
    const unused = keys.find((key) => !draft.conditions.some((line) => line.key === key)) ?? keys[0] ?? ""
    onChange({ ...draft, conditions: [...draft.conditions, newCondition(approval, unused, next)] })
  }
  return (
    <fieldset className={look.editor}>
      <legend>Which calls</legend>
      <div className={look.names}>
        <TextField
          label="Server"
          value={approval.tool.server}
          readOnly={true}
          hint="To cover several servers, write a rule under Policy."
        />
        <TextField
          label="Tool"
          value={draft.tool}
          spellCheck={false}
          autoCapitalize="off"
          {...(toolProblem === undefined ? {} : { error: toolProblem })}
          hint="* matches anything, ? matches one character."
          onChange={(event) => onChange({ ...draft, tool: event.target.value })}
        />
      </div>
      <CoveredTools {...props} />
      {draft.conditions.map((line) => (
        <ConditionLine
          key={line.id}
          line={line}
          approval={approval}
          keys={keys}
          problem={read.ok ? undefined : read.conditions.get(line.id)}
          onChange={put}
          onRemove={() => onChange({ ...draft, conditions: draft.conditions.filter(({ id }) => id !== line.id) })}
        />
      ))}
      {names !== null && (
        <Tick
          label={names.length === 0 ? "Only calls without arguments" : "No other arguments than this call's"}
          checked={draft.isClosed}
          onChange={(event) => onChange({ ...draft, isClosed: event.target.checked })}
        />
      )}
      {keys.length > 0 && (
        <div>
          <Button size="small" onClick={add}>
            {draft.conditions.length === 0 ? "Limit to certain arguments" : "Add another argument"}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

function CoveredTools({ server, draft, read }: PatternEditorProps): ReactNode {
  if (server === null || (!read.ok && read.tool !== undefined)) return null
  const matches = compileGlob(draft.tool)
  const covered = server.tools.filter((tool) => matches(tool.name)).map((tool) => tool.name)
  if (covered.length === 0) {
    return <p className="aside">No tool listed by {shownName(server.id)} matches.</p>
  }
  return (
    <p className="aside">
      Matches {covered.length} of the {server.tools.length} tools listed by {shownName(server.id)}:{" "}
      <ShownText text={covered.slice(0, 12).join(", ")} />
      {covered.length > 12 && ` and ${covered.length - 12} more`}
    </p>
  )
}

type ConditionLineProps = {
  readonly line: ConditionDraft
  readonly approval: ApprovalView
  readonly keys: readonly string[]
  readonly problem: string | undefined
  readonly onChange: (line: ConditionDraft) => void
  readonly onRemove: () => void
}

function ConditionLine({ line, approval, keys, problem, onChange, onRemove }: ConditionLineProps): ReactNode {
  const given = valueAt(shownArguments(approval), line.key)
  const ops = opsFor(given)
  const name = keyWords(line.key)
  const error = problem === undefined ? {} : { error: problem }
  return (
    <div className={look.condition}>
      <Choice
        label="Argument"
        value={line.key}
        options={keys.map((key) => ({ value: key, label: keyWords(key) }))}
        // The list of options cuts what is wider than its place.
        hint={name.length > longestFitting ? name : undefined}
        onChange={(event) => onChange(newCondition(approval, event.target.value, line.id))}
      />
      <Choice
        label="condition"
        value={line.op}
        options={ops.map((op) => ({ value: op, label: opWords[op] }))}
        onChange={(event) => onChange({ ...line, op: event.target.value as Condition["op"] })}
      />
      {line.op === "oneOf" || isLong(given) ? (
        <LongField
          label={line.op === "oneOf" ? "Values" : "Value"}
          hint={line.op === "oneOf" ? "One per line." : undefined}
          spellCheck={false}
          {...error}
          value={line.value}
          onChange={(event) => onChange({ ...line, value: event.target.value })}
        />
      ) : (
        <TextField
          label="Value"
          {...error}
          spellCheck={false}
          value={line.value}
          onChange={(event) => onChange({ ...line, value: event.target.value })}
        />
      )}
      <Button tone="quiet" aria-label={`Remove condition on ${name}`} icon={<X />} onClick={onRemove} />
    </div>
  )
}

/** In characters; wider names are told below their field, whole. */
const longestFitting = 16
const longestLine = 60

/** Whether a line would hide the end of what the call has there. By the call's value, not by what is typed: the field stays the same one. */
function isLong(given: JsonValue | undefined): boolean {
  const text = typeof given === "string" ? given : JSON.stringify(given ?? "")
  return text.length > longestLine || text.includes("\n")
}
