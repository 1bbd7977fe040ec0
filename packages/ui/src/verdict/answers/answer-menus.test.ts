import { describe, expect, it } from "vitest"
import { serverView, waitingCall } from "../fixtures/waiting-call.ts"
import { ruleShown } from "../remember/remembering.ts"
import { type Answering, alwaysAllow } from "./answer-menus.ts"
import { answersOffered } from "./answers-offered.ts"

function answering(approval = waitingCall({ args: { path: "/home/me/notes/a.md", content: "hello" } })) {
  const saved: Parameters<Answering["onAllowFor"]>[0][] = []
  const opened: unknown[] = []
  const props: Answering = {
    approval,
    server: serverView([]),
    offered: answersOffered(approval),
    edit: { start: () => undefined } as Answering["edit"],
    isBlocked: false,
    onDenyWithReason: () => undefined,
    onRemember: (first) => opened.push(first),
    onAllowFor: (remember) => saved.push(remember),
  }
  return { approval, props, saved, opened }
}

describe("Always allow", () => {
  it("R115: remembers this file, this folder or any with one press, and the rule it saves stands on it", () => {
    const { approval, props, saved, opened } = answering()
    const items = alwaysAllow(props).filter(({ label }) => !label.endsWith("…"))
    expect(items.map(({ label }) => label)).toEqual(["This file: notes/a.md", "This folder: notes/", "Any file"])
    for (const item of items) item.onChoose()
    expect(saved.map(({ scope }) => scope)).toEqual(["agent", "agent", "agent"])
    const rules = saved.map((one) => ruleShown(approval, { effect: "allow", ...one, lasting: {} }, 0))
    const differs = [
      "The file's content may differ; everything else stays as in this call.",
      "The file and its content may differ; everything else stays as in this call.",
      "All arguments may differ.",
    ]
    const told = rules.map((rule, at) => rule.ok && `${rule.words}. ${differs[at]}`)
    expect(items.map(({ words }) => words)).toEqual(told)
    expect(items[1]?.words).toContain("/home/me/notes")
    expect(opened).toEqual([])
  })

  it("shows a dialog before anything wider, and for a call without a path", () => {
    const { props, saved, opened } = answering(waitingCall({ args: { title: "hello" } }))
    for (const item of alwaysAllow(props)) item.onChoose()
    expect(saved).toEqual([])
    expect(opened).toHaveLength(3)
  })
})
