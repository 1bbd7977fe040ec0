import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { screenOf } from "./watch-screen.ts"
import { firstState, type Key, press, type WatchState, withCard, withShown, withWaiting } from "./watch-state.ts"

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
    preview: [{ name: "path", text: "/a", isSecret: false }],
    editedArgs: null,
    callDigest: `digest of ${id}`,
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

/** The waiting calls, as the list has them. */
const withListed = (state: WatchState, views: readonly ApprovalView[], now: number): WatchState =>
  withWaiting(state, views as readonly unknown[] as readonly ApprovalSummaryView[], now)

/** The call under the cursor has been read, and was on the screen to its end. */
const seen = (state: WatchState, view: ApprovalView, now = 0): WatchState =>
  withShown(withCard(state, view.id, view, now), whole)
const whole = { from: 0, to: 9, of: 9, columns: 80 }
const settled = seen(withListed(firstState, [call("a1"), call("b2")], 0), call("a1"))

function pressAll(state: WatchState, names: readonly string[], now = long) {
  let pressed = press(state, key("none"), now)
  for (const name of names) pressed = press(pressed.state, key(name), now)
  return pressed
}

describe("the key s", () => {
  const nameless = call("c3", { session: { principal: "agent", id: "agent", named: false } })
  const screen = (state: WatchState) =>
    screenOf(state, { columns: 120, rows: 40 }, long, (_, text) => text, "http://here").lines.join("\n")

  it("is for the session where there is one", () => {
    expect(screen(settled)).toContain("s for the session")
    expect(screen(pressAll(settled, ["s"]).state)).toContain("Allow this tool for the rest of its session?")
  })

  it("is for the agent and for 30 minutes where its token is all there is", () => {
    const state = seen(withListed(firstState, [nameless], 0), nameless)
    expect(screen(state)).toContain("s for 30 minutes")
    expect(screen(state)).not.toContain("for the session")
    expect(screen(pressAll(state, ["s"]).state)).toContain(
      "Allow this tool for this agent for 30 minutes, even if it restarts?",
    )
  })

  it("says whom that is where no token tells agents apart", () => {
    const anonymous = call("c3", { session: { principal: "anonymous", id: "anonymous", named: false } })
    const state = seen(withListed(firstState, [anonymous], 0), anonymous)
    expect(screen(pressAll(state, ["s"]).state)).toContain(
      "Allow this tool for every agent without a token for 30 minutes, even if it restarts?",
    )
  })
})

describe("the keys of byleave watch", () => {
  it("no single key of the keyboard approves", () => {
    const names = [..."abcdefghijklmnopqrstuvwxyz0123456789", "return", "space", "tab", "escape", "up", "down"]
    for (const name of names) expect(press(settled, key(name), long).intent?.kind).not.toBe("approve")
  })

  it("a choice and then y approves what is under the cursor", () => {
    expect(pressAll(settled, ["j", "a", "y"], long).intent).toBeUndefined()
    const moved = seen(press(settled, key("j"), long).state, call("b2"), long)
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
    const edited = call("a1", { editedArgs: { path: "/b" }, runDigest: "another" })
    for (const after of [withListed(choosing, [call("b2")], long), withCard(choosing, "a1", edited, long)]) {
      expect(after.step.kind).toBe("looking")
      expect(press(after, key("y"), long + 100).intent).toBeUndefined()
    }
  })

  it("a choice is dropped when other arguments come under the same id and digest: what was read is not what stands there", () => {
    const choosing = press(settled, key("a"), long).state
    const after = withCard(choosing, "a1", call("a1", { args: { path: "/etc/passwd" } }), long)
    expect(after.step.kind).toBe("looking")
    expect(pressAll(after, ["a", "y"], 3 * long).intent).toBeUndefined()
    expect(withCard(choosing, "a1", call("a1"), long).step).toEqual(choosing.step)
  })

  it("nothing can be answered before the call itself has been read, nor when another comes in its place", () => {
    const listed = withListed(firstState, [call("a1"), call("b2")], 0)
    for (const state of [listed, withCard(listed, "a1", null, 0), withCard(listed, "a1", call("b2"), 0)]) {
      expect(pressAll(state, ["a", "y"]).intent).toBeUndefined()
      expect(pressAll(state, ["d", "return"]).intent).toBeUndefined()
    }
  })

  it("what is asked every time is offered once only", () => {
    const once = call("a1", { remember: "never" })
    const state = seen(withListed(firstState, [once], 0), once)
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

describe("what looks like a secret in byleave watch", () => {
  const secret = call("a1", { args: { path: "/a", token: "sk-0123456789abcdefghij" } })
  const hidden = seen(withListed(firstState, [secret, call("b2")], 0), secret)
  const screen = (state: WatchState) =>
    screenOf(state, { columns: 80, rows: 24 }, long, (_, text) => text, "http://here").lines.join("\n")

  it("is hidden until r, which also hides it again", () => {
    expect(screen(hidden)).not.toContain("sk-0123")
    expect(screen(hidden)).toContain("‹hidden, 23 characters; r shows it›")
    const shown = pressAll(hidden, ["r"]).state
    expect(screen(shown)).toContain("sk-0123456789abcdefghij")
    expect(screen(pressAll(shown, ["r"]).state)).not.toContain("sk-0123")
  })

  it("keeps the call from being allowed, not from being denied, until it was shown and read to its end", () => {
    expect(pressAll(hidden, ["a", "y"]).intent).toBeUndefined()
    expect(pressAll(hidden, ["a"]).state.said).toContain("Press r")
    expect(pressAll(hidden, ["d", "return"]).intent).toMatchObject({ kind: "deny" })
    const shown = pressAll(hidden, ["r"]).state
    expect(pressAll(shown, ["a", "y"]).intent).toBeUndefined()
    expect(pressAll(withShown(shown, whole), ["a", "y"]).intent).toMatchObject({ kind: "approve" })
  })

  it("is hidden again at the next call, and when the call changes", () => {
    const shown = pressAll(hidden, ["r"]).state
    expect(pressAll(shown, ["j", "k"]).state.isRevealed).toBe(false)
    const edited = call("a1", { editedArgs: { token: "sk-abcdefghij0123456789" }, runDigest: "another" })
    expect(screen(withCard(shown, "a1", edited, long))).not.toContain("sk-abc")
  })
})

describe("the screen of byleave watch", () => {
  const plain = (_: unknown, text: string) => text

  it.each([{ help: false }, { help: true }])("keeps its header and every line within 80×24: help $help", ({ help }) => {
    const views = Array.from({ length: 40 }, (_, at) =>
      call(`c${at}`, {
        tool: { server: "a-server-with-a-long-name", tool: "a_tool_with_quite_a_long_name_too" },
        preview: [
          { name: "content", text: "word ".repeat(30), isSecret: false },
          { name: "path", text: "notes/a.md", isSecret: false },
        ],
      } as Partial<ApprovalView>),
    )
    const first = views[0] as ApprovalView
    const state = { ...seen(withListed(firstState, views, 0), first), help, said: "x".repeat(100) }
    const { lines } = screenOf(state, { columns: 80, rows: 24 }, 0, plain, `http://${"h".repeat(90)}`)
    expect(lines).toHaveLength(24)
    expect(lines[0]).toMatch(/^byleave watch {2}40 waiting calls/)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  it("has rows that say who asks for what, the path first", () => {
    const preview = [
      { name: "content", text: "hello", isSecret: false },
      { name: "path", text: "notes/a.md", isSecret: false },
    ]
    const view = call("a1", { preview } as Partial<ApprovalView>)
    const { lines } = screenOf(withListed(firstState, [view], 0), { columns: 80, rows: 24 }, 180_000, plain, "http://x")
    expect(lines[2]).toBe("›   3m    agent  files(write_file)  notes/a.md · content: hello")
  })

  it("shows every argument, and no control character of anyone", () => {
    const nasty = "\u001b[2J\u001b]52;c;ZXZpbA==\u0007\r\u009bA\u202eexe"
    const view = call("a1", {
      args: { path: nasty, [nasty]: 1 },
      principal: { id: nasty },
      tool: { server: nasty, tool: nasty },
    })
    const text = screenOf(
      withCard(withListed(firstState, [view], 0), "a1", view, 0),
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
    const { lines, shown } = screenOf(
      withCard(withListed(firstState, [view], 0), "a1", view, 0),
      { columns: 60, rows: 24 },
      0,
      plain,
      "http://x",
    )
    expect(shown).toMatchObject({ from: 0, columns: 60 })
    expect(shown?.to).toBeLessThan(shown?.of ?? 0)
    expect(lines).toHaveLength(24)
    expect(lines.join("\n")).toMatch(/\d+ more lines below/)
  })
})

describe("a call that is longer than the screen", () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at};`)
  const view = call("a1", { args: { path: "build.sh", content: lines.join("\n") } })
  const opened = withCard(withListed(firstState, [view], 0), "a1", view, 0)

  /** Draws, and tells which of the lines are on the screen. */
  function draw(state: WatchState, rows: number, columns = 80) {
    const screen = screenOf(state, { columns, rows }, long, (_, text) => text, "http://x")
    const text = screen.lines.join("\n")
    return { state: withShown(state, screen.shown), lines: lines.filter((line) => text.includes(line)) }
  }

  it.each([40, 24, 14, 12, 10])("has every line on the screen before it can be allowed, %i rows high", (rows) => {
    const drawn = new Set<string>()
    let state = opened
    for (let pages = 0; pages < 200; pages++) {
      const now = draw(state, rows)
      for (const line of now.lines) drawn.add(line)
      state = now.state
      if (pressAll(state, ["a", "y"]).intent !== undefined) break
      state = press(state, key("space", " "), long).state
    }
    expect(pressAll(state, ["a", "y"]).intent).toMatchObject({ kind: "approve" })
    expect(lines.filter((line) => !drawn.has(line))).toEqual([])
  })

  it("cannot be allowed where its end was on the screen and something between was not", () => {
    const first = draw(opened, 24).state
    const end = draw({ ...first, scroll: 1_000 }, 24)
    expect(end.lines).toContain("line 59;")
    expect(pressAll(end.state, ["a", "y"]).intent).toBeUndefined()
    expect(pressAll(end.state, ["a"]).state.said).toContain("Scroll through all of it")
  })

  it("is read anew from the first line at another width, unless it was read whole", () => {
    const half = draw(press(draw(opened, 24).state, key("space", " "), long).state, 24).state
    expect(draw(half, 24, 60).state.seen).toMatchObject({ rows: 0, isWhole: false })
    const read = withShown(opened, whole)
    expect(pressAll(draw(read, 24, 60).state, ["a", "y"]).intent).toMatchObject({ kind: "approve" })
  })

  it.each([7, 4])("cannot be allowed on a terminal too low to show it: %i rows", (rows) => {
    let { state } = draw(opened, rows)
    for (let pages = 0; pages < 100; pages++) state = draw(press(state, key("space", " "), long).state, rows).state
    expect(pressAll(state, ["a", "y"]).intent).toBeUndefined()
  })
})

describe("a call of megabytes", () => {
  const large = call("a1", { args: { path: "/a", content: "\u200b".repeat(1_250_000) } })
  const size = { columns: 80, rows: 24 }
  const screen = (state: WatchState) => screenOf(state, size, long, (_, text) => text, "http://here")
  const listed = call("a1", { bytes: 3_750_000 } as never)
  const state = withCard(withListed(firstState, [listed, call("b2")], 0), "a1", large, 0)

  it("is shown by its beginning, and drawing it again takes no time", () => {
    const drawn = screen(state)
    expect(drawn.lines.join("\n")).toContain("Too long to be shown whole here")
    expect(drawn.lines.length).toBeLessThanOrEqual(size.rows)
    // Laid out whole, one drawing took seconds: two hundred of them are past every time limit.
    for (let at = 0; at < 200; at += 1) withShown(state, screen(state).shown)
  })

  it("can be denied, and not allowed", () => {
    const shown = withShown(state, screen(state).shown)
    expect(press(shown, key("a"), long).state).toMatchObject({
      step: { kind: "looking" },
      said: expect.stringContaining("too long"),
    })
    expect(press(press(shown, key("d"), long).state, key("return"), long).intent).toMatchObject({ kind: "deny" })
  })
})
