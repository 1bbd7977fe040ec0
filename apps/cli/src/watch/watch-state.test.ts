import type { ApprovalView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { screenOf } from "./watch-screen.ts"
import { firstState, type Key, press, shownAs, type WatchState, withWaiting } from "./watch-state.ts"

const key = (name: string, text = name): Key => ({ name, text, ctrl: false })
const long = 10_000

function call(id: string, more: Partial<ApprovalView> = {}): ApprovalView {
  return {
    id,
    status: "pending",
    kind: "tool",
    tool: { server: "files", tool: "write_file" },
    principal: { id: "agent" },
    session: { principal: "agent", id: "s1", named: true },
    createdAt: 0,
    expiresAt: null,
    access: "write",
    args: { path: "/a" },
    editedArgs: null,
    runDigest: `digest of ${id}`,
    why: "Asked by default.",
    remember: "allowed",
    needs: { approvals: 1, groups: [], selfApproval: false },
    votes: [],
    risks: [],
    pin: "accepted",
    ...more,
  } as unknown as ApprovalView
}

const seen = (state: WatchState, view: ApprovalView): WatchState => ({ ...state, seen: shownAs(view) })
const settled = seen(withWaiting(firstState, [call("a1"), call("b2")], 0), call("a1"))

function pressAll(state: WatchState, names: readonly string[], now = long) {
  let pressed = press(state, key("none"), now)
  for (const name of names) pressed = press(pressed.state, key(name), now)
  return pressed
}

describe("the keys of byleave watch", () => {
  it("no single key of the keyboard approves", () => {
    const names = [..."abcdefghijklmnopqrstuvwxyz0123456789", "return", "space", "tab", "escape", "up", "down"]
    for (const name of names) expect(press(settled, key(name), long).intent?.kind).not.toBe("approve")
  })

  it("a choice and then y approves what is under the cursor", () => {
    expect(pressAll(settled, ["j", "a", "y"], long).intent).toBeUndefined()
    const moved = seen(press(settled, key("j"), long).state, call("b2"))
    expect(pressAll(moved, ["a", "y"], 2 * long).intent).toMatchObject({
      kind: "approve",
      choice: "once",
      view: { id: "b2" },
    })
  })

  it("any other key after a choice is a no", () => {
    expect(pressAll(settled, ["a", "return"])).toMatchObject({ state: { step: { kind: "looking" } } })
    expect(pressAll(settled, ["a", "a"]).intent).toBeUndefined()
  })

  it("a call that has just come up takes no choice for half a second", () => {
    expect(pressAll(settled, ["a", "y"], 499).intent).toBeUndefined()
    expect(pressAll(settled, ["a", "y"], 500).intent).toMatchObject({ kind: "approve" })
  })

  it("a choice is dropped when its call is gone or was edited", () => {
    const choosing = press(settled, key("a"), long).state
    for (const waiting of [[call("b2")], [call("a1", { runDigest: "another" })]]) {
      const after = withWaiting(choosing, waiting, long)
      expect(after.step.kind).toBe("looking")
      expect(press(after, key("y"), long + 100).intent).toBeUndefined()
    }
  })

  it("what is asked every time is offered once only", () => {
    const state = seen(withWaiting(firstState, [call("a1", { remember: "never" })], 0), call("a1"))
    expect(pressAll(state, ["s", "y"]).intent).toBeUndefined()
    expect(pressAll(state, ["w", "y"]).intent).toBeUndefined()
    expect(pressAll(state, ["a", "y"]).intent).toMatchObject({ choice: "once" })
  })

  it("what was not on the screen to its end cannot be allowed, only denied", () => {
    const unread = { ...settled, seen: null }
    expect(pressAll(unread, ["a", "y"]).intent).toBeUndefined()
    expect(pressAll(unread, ["d", "return"]).intent).toMatchObject({ kind: "deny" })
  })

  it("d takes a reason and Enter; Esc leaves it undecided", () => {
    const typed = pressAll(settled, ["d", "n", "o", "y"])
    expect(typed.intent).toBeUndefined()
    expect(press(typed.state, key("return"), long).intent).toMatchObject({ kind: "deny", reason: "noy" })
    expect(press(typed.state, key("escape"), long)).toMatchObject({ state: { step: { kind: "looking" } } })
  })
})

describe("the screen of byleave watch", () => {
  const plain = (_: unknown, text: string) => text

  it("shows every argument, and no control character of anyone", () => {
    const nasty = "\u001b[2J\u001b]52;c;ZXZpbA==\u0007\r\u009bA\u202eexe"
    const view = call("a1", {
      args: { path: nasty, [nasty]: 1 },
      principal: { id: nasty },
      tool: { server: nasty, tool: nasty },
    })
    const text = screenOf(
      withWaiting(firstState, [view], 0),
      { columns: 80, rows: 40 },
      0,
      plain,
      "http://x",
    ).lines.join("\n")
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(text).toContain("⟨U+202E⟩")
  })

  it("fits the terminal, and says how much it leaves out", () => {
    const view = call("a1", { args: { content: "line\n".repeat(200) } })
    const { lines, showsEnd } = screenOf(
      withWaiting(firstState, [view], 0),
      { columns: 60, rows: 24 },
      0,
      plain,
      "http://x",
    )
    expect(showsEnd).toBe(false)
    expect(lines).toHaveLength(24)
    expect(lines.join("\n")).toMatch(/\d+ more lines below/)
  })
})
