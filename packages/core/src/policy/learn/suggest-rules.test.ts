import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../call/json/json.ts"
import { numberFrom } from "../../call/json/raw-number.ts"
import { allSteps } from "../../call/steps.ts"
import { compileConditions } from "../conditions/condition.ts"
import { ruleText } from "../decide/sentences.ts"
import { rule, writes } from "../fixtures/questions.ts"
import { emptyPolicy, type Rule } from "../rules/rule.ts"
import type { AnsweredCall } from "./answered-call.ts"
import { type SuggestInput, suggestRules } from "./suggest-rules.ts"

const hour = 3_600_000
const day = 24 * hour
let count = 0

type Said = Partial<AnsweredCall>
/** The answers follow each other by an hour, each in a session of its own. */
const call = (args: AnsweredCall["args"], rest: Said = {}): AnsweredCall => {
  count += 1
  return {
    id: `a${count}`,
    at: count * hour,
    tool: { server: "files", tool: "write_file" },
    principal: "ann",
    session: `s${count}`,
    args,
    answer: "approve",
    remember: "allowed",
    alone: true,
    ...rest,
  }
}
const no = (args: AnsweredCall["args"], rest: Said = {}) => call(args, { answer: "deny", ...rest })
const draft = (name: string): JsonObject => ({ path: `/home/ann/drafts/${name}`, content: `the text of ${name}` })
const names = ["a.md", "b.md", "c.md"]
const drafts = names.map(draft)
const free = [1, 2, 3, 4, 5, 6].map((id) => ({ title: `number ${id} of many` }))

function suggested(answered: readonly AnsweredCall[], rules: readonly Rule[] = [], rest: Partial<SuggestInput> = {}) {
  const policy = { ...emptyPolicy, rules }
  const input = { answered, policy, grants: [], factsOf: () => writes, now: count * hour, ...rest }
  return allSteps(suggestRules(input)).suggestions
}
const texts = (...input: Parameters<typeof suggested>) => suggested(...input).map(({ rule }) => ruleText(rule))
const reads = { ...writes, access: "read" } as const
/** Whether any of the rules that are suggested lets a call run. */
function allowsAll(answered: readonly AnsweredCall[], args: JsonObject, rest: Partial<SuggestInput> = {}): boolean {
  return suggested(answered, [], rest).some(
    ({ rule }) => rule.effect === "allow" && compileConditions(rule.when ?? [], "allow", {})(args) === "holds",
  )
}
const allowDrafts =
  'allow: "files(write_file)" principal ann when path directlyIn "/home/ann/drafts" and path glob "*.md" and * sensitive false and * only content, path'

describe("R37: suggestRules", () => {
  it("suggests a yes as narrow as what the calls have in common, for the agent that made them, with its evidence", () => {
    const answered = drafts.map((args) => call(args))
    expect(texts(answered)).toEqual([allowDrafts])
    expect(suggested(answered)[0]).toMatchObject({
      evidence: answered.map(({ id }) => id),
      ...{ approved: 3, denied: 0, calls: 3, sessions: 3, days: 1, agents: 1, saves: 3, also: [] },
    })
  })

  it("I4: many calls of one session are one habit of the agent's, and none of the person's", () => {
    const once = drafts.map((args) => call(args, { session: "s" }))
    expect(texts(once)).toEqual([])
    expect(texts([...once, call(draft("d.md"))])).toEqual([allowDrafts])
  })

  it("I4: an answer to many calls at once is no evidence, but counts among what the rule would have decided", () => {
    const together = drafts.map((args) => call(args, { alone: false }))
    expect(texts(together)).toEqual([])
    const [one] = suggested([...together, ...["d.md", "e.md", "f.md"].map((name) => call(draft(name)))])
    expect(one).toMatchObject({ calls: 3, saves: 6, also: together.map(({ id }) => id) })
  })

  it("I1: keeps what was denied apart from what was allowed, by folder, kind of file, host, program and value", () => {
    const at = (path: string) => ({ path: `/srv/ws/${path}` })
    expect(
      texts([...["docs/a.md", "docs/b.md", "docs/c.md"].map((path) => call(at(path))), no(at("docs/board/x.md"))]),
    ).toEqual([
      'allow: "files(write_file)" principal ann when path directlyIn "/srv/ws/docs" and path glob "*.md" and * sensitive false and * only path',
    ])
    expect(texts([...["a.md", "b.md", "c.md"].map((path) => call(at(`data/${path}`))), no(at("data/x.csv"))])).toEqual([
      'allow: "files(write_file)" principal ann when path directlyIn "/srv/ws/data" and path glob "*.md" and * sensitive false and * only path',
    ])
    const url = (host: string, path: number) => ({ url: `https://${host}/${path}` })
    expect(texts([...[1, 2, 3].map((path) => call(url("a.example", path))), no(url("b.example", 1))])).toEqual([
      'allow: "files(write_file)" principal ann when url host "a.example" and * sensitive false and * only url',
    ])
    const run = ["npm test", "npm test", "npm test"].map((command) => call({ command }))
    expect(texts([...run, no({ command: "npm publish" })])).toEqual([
      'allow: "files(write_file)" principal ann when command equals "npm test" and * sensitive false and * only command',
    ])
    const inFolder = ["npm test", "npm test", "npm test"].map((command) => call({ command, cwd: "/srv/ws" }))
    expect(texts(inFolder)).toEqual([
      'allow: "files(write_file)" principal ann when command equals "npm test" and cwd equals "/srv/ws" and * sensitive false and * only command, cwd',
    ])
    const kinds = free.map((args, at) => call({ ...args, kind: at % 2 === 0 ? "task" : "note" }, { at: at * day }))
    expect(texts([...kinds, no({ title: "one more", kind: "person" })])).toEqual([
      'allow: "files(write_file)" principal ann when kind oneOf "note", "task" and * sensitive false and * only kind, title',
    ])
  })

  it("I1: says nothing of a folder in which one file was denied, until that very file is allowed", () => {
    const denied = no(draft("a.md"))
    const later = ["b.md", "c.md", "d.md"].map((name) => call(draft(name)))
    expect(texts([denied, ...later])).toEqual([])
    expect(texts([denied, ...later, call(draft("a.md"))])).toEqual([allowDrafts])
  })

  it("a person who changes their mind about a folder is followed, either way", () => {
    const denied = ["x.md", "y.md"].map((name) => no(draft(name)))
    const allowed = drafts.map((args) => call(args))
    expect(texts([...denied, ...allowed])).toEqual([allowDrafts])
    const again = names.map((name) => no(draft(`new-${name}`)))
    expect(texts([...allowed, ...again])).toEqual([
      'deny: "files(write_file)" principal ann when path under "/home/ann/drafts"',
    ])
  })

  it("I2: covers nothing that looks sensitive, unless exactly that was allowed", () => {
    const [one] = suggested(drafts.map((args) => call(args)))
    const read = (args: JsonObject) =>
      texts(
        [1, 2, 3].map(() => call(args)),
        [],
        { factsOf: () => reads },
      )
    expect(one?.rule.effect === "allow" && one.rule.when?.at(-2)).toEqual({ key: "*", op: "sensitive", value: false })
    expect(read({ path: "/srv/ws/.github/ci.yml" })).toEqual([
      'allow: "files(write_file)" principal ann when path equals "/srv/ws/.github/ci.yml" and * only path',
    ])
    const hidden = ["a", "b", "c"].map((name) => call({ path: `/srv/ws/docs/.${name}` }))
    expect(texts(hidden, [], { factsOf: () => reads })).toEqual([])
  })

  it("I3: is for everybody only where several agents were allowed the same", () => {
    const of = (principal: string) => drafts.map((args) => call(args, { principal }))
    expect(texts([...of("ann"), ...of("bob")])).toHaveLength(2)
    const all = [...of("ann"), ...of("bob"), ...of("cy")]
    expect(texts(all)).toEqual([allowDrafts.replace(" principal ann", "")])
    expect(suggested(all)[0]).toMatchObject({ agents: 3, agent: null })
    expect(texts([...all, no(draft("other.md"), { principal: "dan" })])).not.toContain(
      allowDrafts.replace(" principal ann", ""),
    )
  })

  it("covers all below a folder only after days, and with files in several folders below it", () => {
    const folders = ["", "one/", "two/", "three/"]
    const spread = (days: number) =>
      Array.from({ length: 12 }, (_, at) =>
        call({ path: `/srv/ws/lab/${folders[at % 4]}f${at}.md` }, { at: (at % days) * day, session: `w${at}` }),
      )
    expect(texts(spread(3))[0]).toContain('path under "/srv/ws/lab" and')
    expect(texts(spread(1)).join()).not.toContain("under")
  })

  it("suggests a no: of a folder, of what looks sensitive, of a tool that nobody allowed", () => {
    expect(texts(drafts.map((args) => no(args)))).toEqual([
      'deny: "files(write_file)" principal ann when path under "/home/ann/drafts"',
    ])
    const secrets = ["/srv/ws/.env", "/srv/ws/deploy/server.pem"].map((path) => no({ path }))
    expect(texts([...secrets, call({ path: "/srv/ws/a.md" })])).toEqual([
      'deny: "files(write_file)" principal ann when * sensitive true',
    ])
    expect(texts(free.slice(0, 3).map((args) => no(args)))).toEqual(['deny: "files(write_file)" principal ann'])
    expect(texts([...free.slice(0, 3).map((args) => no(args)), call({ title: "fine after all" })])).toEqual([])
  })

  it("lets a write that leads nowhere in particular be allowed only after a longer habit", () => {
    const over = (days: number) => free.map((args, at) => call(args, { at: (at % days) * day }))
    expect(texts(over(1))).toEqual([])
    expect(texts(over(2))).toEqual(['allow: "files(write_file)" principal ann when * sensitive false and * only title'])
    expect(
      texts(
        free.slice(0, 3).map((args) => call(args)),
        [],
        { factsOf: () => reads },
      ),
    ).toHaveLength(1)
  })

  it("I1: covers no argument that the allowed calls did not have, and no value that only calls without it had", () => {
    const six = ["a", "b", "c", "d", "e", "f"].map((name) => draft(`${name}.md`))
    const plain = six.map((args) => call(args))
    expect(allowsAll(plain, draft("new.md"))).toBe(true)
    for (const more of [
      { copy_to: "/srv/www/x" },
      { run_after: "make" },
      { overwrite: true },
      { options: { mode: 1 } },
    ])
      expect(allowsAll(plain, { ...draft("new.md"), ...more }), JSON.stringify(more)).toBe(false)
    // Without the switch once: the others still hold to it.
    const switched = six.map((args, at) => call(at === 5 ? args : { ...args, dry_run: true }))
    expect(allowsAll(switched, { ...draft("new.md"), dry_run: true })).toBe(true)
    expect(allowsAll(switched, { ...draft("new.md"), dry_run: false })).toBe(false)
  })

  const nine = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map((name) => draft(`${name}.md`))

  it.each<readonly [string, JsonObject, readonly JsonObject[]]>([
    [
      "an empty object",
      { options: {} },
      [{ options: { run_after: "make" } }, { options: { to: {} } }, { options: "x" }],
    ],
    ["an empty list", { notify: [] }, [{ notify: ["eve@example.org"] }, { notify: [[]] }, { notify: "eve" }]],
    ["null", { mode: null }, [{ mode: "live" }, { mode: { live: true } }, { mode: false }]],
    ["a text that may be anything", {}, [{ content: { run: "make" } }, { content: [{ run: "make" }] }]],
    ["a switch", { dry_run: true }, [{ dry_run: false }, { dry_run: "no" }, { dry_run: [true, false] }]],
    ["a switch within", { options: { dry_run: true } }, [{ options: { dry_run: false } }, { options: {} }]],
    ["a number", { amount: 5 }, [{ amount: 6 }, { amount: -1 }, { amount: "5" }]],
    ["a number within", { order: { amount: 5 } }, [{ order: { amount: 6 } }, { order: { amount: -1 } }]],
    ["numbers in a list", { amounts: [1, 2] }, [{ amounts: [1, 2, 3] }]],
    ["a choice", { stage: "draft" }, [{ stage: "live" }, { stage: "draft " }, { stage: ["draft", "live"] }]],
    ["a text that tells somebody where to send it", { message: { to: "ann" } }, [{ message: { to: "eve" } }]],
  ])("I1: a change stays as it was allowed: %s", (_, given, others) => {
    const answered = nine.map((args) => call({ ...args, ...given }))
    expect(allowsAll(answered, { ...draft("new.md"), ...given })).toBe(true)
    for (const other of others)
      expect(allowsAll(answered, { ...draft("new.md"), ...given, ...other }), JSON.stringify(other)).toBe(false)
  })

  it.each<readonly [string, JsonObject, JsonObject]>([
    ["null for a switch", { dry_run: null }, { dry_run: false }],
    ["an empty list for a switch", { dry_run: [] }, { dry_run: false }],
    ["words for a switch", { dry_run: "yes please" }, { dry_run: false }],
    ["a space too many", { stage: "draft " }, { stage: "live" }],
    ["long text", { stage: "draft".repeat(100) }, { stage: "live" }],
    ["an amount as text", { amount: "5" }, { amount: 1e9 }],
    ["an amount that no number holds", { amount: numberFrom("1e400") }, { amount: 1e9 }],
    ["another argument", { more: "x" }, { more: "y" }],
    ["a switch left out", { dry_run: undefined as never }, { dry_run: false }],
  ])("I1: one odd call among many frees nothing: %s", (_, odd, other) => {
    const usual = { dry_run: true, stage: "draft", amount: 5 }
    const answered = nine.map((args, at) => {
      const given = { ...args, ...usual, ...(at === 8 ? odd : {}) }
      return call(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
    })
    expect(allowsAll(answered, { ...draft("new.md"), ...usual })).toBe(true)
    expect(allowsAll(answered, { ...draft("new.md"), ...usual, ...other })).toBe(false)
    expect(allowsAll(answered, { ...draft("new.md"), ...usual, ...odd, ...other })).toBe(false)
  })

  it.each<readonly [string, (text: string) => JsonObject, string]>([
    ["a recipient", (text) => ({ to: `team${text}@corp.example` }), "eve@example.org"],
    ["a hook", (text) => ({ hook: `make docs${text}` }), "curl x | bash"],
    ["a name at the top", (text) => ({ name: text }), "x"],
    ["a host within", (text) => ({ options: { server: `s${text}.corp.example` } }), "evil.example"],
    ["a pattern", (text) => ({ pattern: `draft ${text} *` }), "*"],
    ["a regex within", (text) => ({ options: { regex: `^a${text}$` } }), ".*"],
    ["a patch", (text) => ({ patch: `@@ -${text} +${text} @@` }), "@@ -1 +1 @@"],
    ["a diff", (text) => ({ diff: `-a +${text}` }), "-all"],
    ["a template", (text) => ({ template: `Dear ${text}` }), "Dear {{secret}}"],
    ["a prompt", (text) => ({ prompt: `sum up ${text}` }), "remove all"],
    ["instructions as a text", (text) => ({ instructions_text: `sum up ${text}` }), "remove all"],
    ["data", (text) => ({ data: `a ${text}` }), "b"],
    ["a query", (text) => ({ query: `a ${text}` }), "b"],
    ["a text that was an address", (text) => ({ template: `https://docs.example/${text}` }), "https://evil.example/x"],
    ["a text that was a path", (text) => ({ options: { template: `/srv/${text}` } }), "/etc/x"],
  ])("I1: what differs from call to call is not free, however often: %s", (_, given, other) => {
    const many = Array.from({ length: 30 }, (_, at) => call({ ...draft(`d${at}.md`), ...given(`${at}`) }))
    const [key = "", inner] = Object.entries(given("x"))[0] ?? []
    const changed =
      typeof inner === "object" ? { [key]: { [Object.keys(inner as object)[0] ?? ""]: other } } : { [key]: other }
    expect(allowsAll(many, { ...draft("new.md"), ...changed })).toBe(false)
  })

  it("I1: what an agent calls things within an object is free, unless it leads up", () => {
    const entity = (name: string) => ({ entities: [{ name, entityType: "task", observations: ["short"] }] })
    const many = Array.from({ length: 6 }, (_, at) => call(entity(`plan ${at}`), { at: at * day }))
    expect(allowsAll(many, entity("another"))).toBe(true)
    expect(allowsAll(many, entity("../../x"))).toBe(false)
    expect(allowsAll(many, { entities: [{ name: "a", entityType: "secret", observations: ["short"] }] })).toBe(false)
  })

  it("I1: a read keeps its switches, and what was empty or null in it", () => {
    const factsOf = () => reads
    const read = (given: JsonObject) => names.map((name) => call({ path: `/srv/ws/docs/${name}`, ...given }))
    const again = (given: JsonObject) => ({ path: "/srv/ws/docs/new.md", ...given })
    expect(allowsAll(read({ head: 5, pattern: "*.md" }), again({ head: 9, pattern: "**/*.ts" }), { factsOf })).toBe(
      true,
    )
    for (const [given, other] of [
      [{ follow: false }, { follow: true }],
      [{ follow: null }, { follow: true }],
      [{ options: {} }, { options: { write_to: "/srv/x" } }],
      [{ also: [] }, { also: ["/srv/x"] }],
      [{ head: 5 }, { head: { write_to: "/srv/x" } }],
      [{ include: "g.md" }, { include: "/srv/other/x" }],
      [{ pattern: "*.md" }, { pattern: "/etc/*,*.md/../x" }],
      [{ callback_url: "https://docs.example/a" }, { callback_url: "https://evil.example/a" }],
      [{ urls: ["https://docs.example/a"] }, { urls: ["https://evil.example/a"] }],
      [{ request: { url: "https://docs.example/a" } }, { request: { url: "https://evil.example/a" } }],
      [{ options: { include: "/srv/ws/a" } }, { options: { include: "/srv/x" } }],
    ] as const) {
      expect(allowsAll(read(given), again(given), { factsOf }), JSON.stringify(given)).toBe(true)
      expect(allowsAll(read(given), again(other), { factsOf }), JSON.stringify(other)).toBe(false)
    }
    // Left out in one call, it is free in none.
    const mixed = [...read({ follow: false }), ...read({})]
    expect(allowsAll(mixed, again({ follow: true }), { factsOf })).toBe(false)
  })

  it("I1: a name that stands for any other in rules is no evidence", () => {
    expect(texts(nine.map((args) => call({ ...args, "*": "x" })))).toEqual([])
    expect(texts(nine.map((args) => call({ ...args, options: { "*": "x" } })))).toEqual([])
  })

  it("learns nothing from calls with very many values, in few steps", () => {
    const long = (ids: readonly number[]) => [1, 2, 3, 4, 5, 6].map((at) => call({ ids }, { at: at * day }))
    expect(texts(long([1, 2, 3]))).toHaveLength(1)
    expect(texts(long(Array.from({ length: 100_000 }, (_, at) => at)))).toEqual([])
  })

  it("takes back what a rule lets through and people denied", () => {
    const answered = [no(draft("x.md"))]
    const [one] = suggested(answered, [rule("allow", "files(write_file)")])
    expect(one).toMatchObject({ denied: 1, narrows: { effect: "allow" } })
    expect(one && ruleText(one.rule)).toBe(
      'ask: "files(write_file)" principal ann when path equals "/home/ann/drafts/x.md"',
    )
    expect(texts([...answered, call(draft("x.md"))], [rule("allow", "files(write_file)")])).toEqual([])
  })

  it.each<{ readonly name: string; readonly answered: readonly AnsweredCall[]; readonly rules?: readonly Rule[] }>([
    { name: "fewer than three answers", answered: drafts.slice(1).map((args) => call(args)) },
    { name: "a file that was denied among them", answered: [...drafts.map((args) => call(args)), no(draft("d.md"))] },
    {
      name: "arguments that people corrected",
      answered: [...drafts.map((args) => call(args)), call(draft("d.md"), { answer: "edited" })],
    },
    { name: "answers to several agents", answered: drafts.map((args, at) => call(args, { principal: `agent${at}` })) },
    { name: "what policy wants asked every time", answered: drafts.map((args) => call(args, { remember: "never" })) },
    {
      name: "a yes to what destroys",
      answered: drafts.map((args) => call(args, { tool: { server: "files", tool: "delete_file" } })),
    },
    {
      name: "a yes to commands that differ in the same folder",
      answered: ["ls", "make", "npm test"].map((command) => call({ command, cwd: "/home/ann/project" })),
    },
    {
      name: "one file of each of several people",
      answered: ["a/1.md", "b/2.md", "c/3.md"].map((path) => call({ path: `/home/${path}` })),
    },
    {
      name: "folders beside each other",
      answered: ["a", "b", "c"].map((name) => call({ path: `/srv/ws/customers/${name}/x.md` })),
    },
    { name: "arguments that are gone", answered: drafts.map(() => call(null)) },
    { name: "what is not asked any more", answered: drafts.map((args) => call(args)), rules: [rule("allow", "files")] },
    {
      name: "a yes that a rule which asks would overrule",
      answered: drafts.map((args) => call(args)),
      rules: [rule("ask", "files(write_*)")],
    },
  ])("suggests nothing from $name", ({ answered, rules = [] }) => {
    expect(texts(answered, rules)).toEqual([])
  })

  it("I6: stands for the rules in force that it extends or covers, each for one suggestion", () => {
    const home = {
      ...emptyPolicy,
      servers: [{ id: "files", trust: "none", pin: "full", folders: ["/srv/ws"] } as const],
    }
    const inFolder = (folder: string) => names.map((name) => call({ path: `/srv/ws/${folder}/${name}` }))
    const after = (answered: readonly AnsweredCall[], rules: readonly Rule[]) =>
      suggested(answered, rules, { policy: { ...home, rules } })
    const first = inFolder("docs")
    const [docs] = after(first, [])
    if (docs === undefined) throw new RangeError("Nothing is suggested.")
    const answered = [...first, ...inFolder("docs/api")]
    const [both, ...others] = after(answered, [docs.rule])
    expect(others).toEqual([])
    expect(both?.replaces).toEqual([docs.rule])
    expect(both && ruleText(both.rule)).toContain(
      'principal ann when path directlyIn "/srv/ws/docs" or "/srv/ws/docs/api" and path glob "*.md" and * sensitive false',
    )
    // A no in the folder that is there already keeps the rule for both from being suggested.
    expect(
      after([...answered, no({ path: "/srv/ws/docs/x.md" })], [docs.rule]).flatMap(({ replaces }) => replaces),
    ).toEqual([])
  })

  it("I7: the same answers in another order give the same suggestions", () => {
    const answered = [
      ...drafts.map((args) => call(args)),
      ...free.map((args, at) => call(args, { at: at * day, principal: "bob" })),
    ]
    expect(suggested(answered.toReversed())).toEqual(suggested(answered))
  })

  it("takes names with signs of patterns for what they are", () => {
    const odd = { tool: { server: "files", tool: "write[*]" }, principal: "ci-*" }
    const answered = drafts.map((args) => call(args, odd))
    expect(suggested(answered)[0]?.rule).toMatchObject({ principal: "ci-[*]" })
    expect(suggested([...answered])[0]?.evidence).toHaveLength(3)
  })
})
