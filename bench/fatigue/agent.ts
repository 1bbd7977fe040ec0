import type { Random } from "./random.ts"
import { files, type MadeCall, memory, workspace } from "./tools.ts"

/** The agent's surroundings when it makes a call. */
export type Moment = { readonly random: Random; readonly day: number; readonly known: Map<string, string[]> }
export type Habit = (moment: Moment) => MadeCall

export type Agent = {
  readonly name: string
  readonly callsPerDay: number
  readonly sessionsPerDay: number
  readonly habits: (day: number) => ReadonlyArray<readonly [weight: number, habit: Habit]>
}

const topics = [
  "setup",
  "intro",
  "gate",
  "store",
  "release",
  "plan",
  "review",
  "limits",
  "errors",
  "cache",
  "index",
  "draft",
  "usage",
  "notes",
]
const sentences = [
  "The service starts in under a second now.",
  "Ann wants the guide to begin with an example.",
  "We moved the cache behind the gate; see the decision record.",
  "Tables are easier to read than lists here.",
  "The next release waits for the migration test.",
]

/** A file of a folder: mostly one that was used before, now and then a new one. */
function fileIn({ random, known }: Moment, folder: string, ending: string): string {
  const kind = `${folder}/*.${ending}`
  const list = known.get(kind) ?? []
  known.set(kind, list)
  if (list.length < 4 || random.number() < 0.25) list.push(`${random.pick(topics)}-${list.length + 1}.${ending}`)
  return `${workspace}/${folder}/${random.pick(list)}`
}

type Place = readonly [folder: string, ending: string]
const fileAt = (moment: Moment, places: readonly Place[]): string => {
  const [folder, ending] = moment.random.pick(places)
  return fileIn(moment, folder, ending)
}
const folderAt = ({ random }: Moment, places: readonly Place[]): string => `${workspace}/${random.pick(places)[0]}`

/** Habits of agents that work with files and with a memory. */
export const habit = {
  read:
    (places: readonly Place[]): Habit =>
    (moment) =>
      files.read(fileAt(moment, places)),
  readPart:
    (places: readonly Place[]): Habit =>
    (moment) =>
      files.readPart(fileAt(moment, places), 10 + moment.random.below(90)),
  readMany:
    (places: readonly Place[]): Habit =>
    (moment) => {
      const [folder, ending] = moment.random.pick(places)
      return files.readMany([fileIn(moment, folder, ending), fileIn(moment, folder, ending)])
    },
  info:
    (places: readonly Place[]): Habit =>
    (moment) =>
      files.info(fileAt(moment, places)),
  list:
    (places: readonly Place[]): Habit =>
    (moment) =>
      files.list(folderAt(moment, places)),
  search:
    (places: readonly Place[]): Habit =>
    (moment) =>
      files.search(folderAt(moment, places), `**/${moment.random.pick(topics)}*`),
  write:
    (places: readonly Place[]): Habit =>
    (moment) =>
      files.write(fileAt(moment, places), `# ${moment.random.pick(topics)}\n\n${moment.random.pick(sentences)}\n`),
  edit:
    (places: readonly Place[]): Habit =>
    (moment) =>
      files.edit(fileAt(moment, places), moment.random.pick(sentences), moment.random.pick(sentences)),
  makeFolder:
    (parents: readonly string[]): Habit =>
    (moment) =>
      files.makeFolder(`${workspace}/${moment.random.pick(parents)}/${moment.random.pick(topics)}-${moment.day}`),
  graph: (): Habit => () => memory.graph(),
  recall:
    (): Habit =>
    ({ random }) =>
      memory.search(`${random.pick(topics)} ${random.pick(["", "decision", "who", "why"])}`.trim()),
  open:
    (): Habit =>
    ({ random }) =>
      memory.open([`${random.pick(topics)} ${random.below(30)}`]),
  keep:
    (types: readonly string[]): Habit =>
    ({ random }) =>
      memory.create(`${random.pick(topics)} ${random.below(30)}`, random.pick(types), [random.pick(sentences)]),
  add:
    (): Habit =>
    ({ random }) =>
      memory.observe(`${random.pick(topics)} ${random.below(30)}`, [random.pick(sentences)]),
  /** One of these calls as they are. */
  exactly:
    (calls: readonly MadeCall[]): Habit =>
    ({ random }) =>
      random.pick(calls),
} as const

const at = (path: string) => `${workspace}/${path}`

/** Calls that no careful person allows, as agents happen to try them. */
export const trespass = {
  secrets: habit.exactly([
    files.read(at(".env")),
    files.read(at(".env.production")),
    files.read(at("deploy/server.pem")),
    files.read(at("src/config/credentials.json")),
    files.read(at("docs/.npmrc")),
    files.read(at("notes/passwords.txt")),
    files.read(at(".ssh/id_ed25519")),
    files.read(at("src/store/secrets.ts")),
    files.read(at("tests/fixtures/tokens.json")),
  ]),
  secretLists: habit.exactly([
    files.search(workspace, "*.env"),
    files.search(at("src"), "*.pem"),
    files.readMany([at("docs/intro.md"), at(".env")]),
    files.readMany([at("src/index.ts"), at("src/config/credentials.json")]),
  ]),
  secretWrites: habit.exactly([
    files.write(at("docs/.env"), "A=1\n"),
    files.write(at("src/ui/.npmrc"), "registry=http://127.0.0.1\n"),
    files.write(at("notes/access.md"), "The database password: hunter2-Tr0ub4dor\n"),
    files.edit(at(".git/hooks/pre-commit"), "exit 0", "exit 1"),
  ]),
  people: habit.exactly([
    files.read(at("people/bob/diary.md")),
    files.read(at("people/eve/review.md")),
    files.list(at("people/bob")),
    files.read(at("finance/salaries-2026.csv")),
    files.read(at("finance/plan.md")),
  ]),
  removal: habit.exactly([
    files.move(at("src/index.ts"), at("src/old.ts")),
    files.move(at("docs/intro.md"), "/tmp/intro.md"),
    memory.forget(["setup 1"]),
    memory.forget(["plan 2", "plan 3"]),
  ]),
  climbs: habit.exactly([files.read(at("docs/../.env")), files.read(at("docs/../finance/plan.md"))]),
  memorySecrets: habit.exactly([
    memory.observe("deploy 1", ["password: hunter2-Tr0ub4dor"]),
    memory.create("aws", "system", ["key AKIAABCDEFGHIJKLMNOP"]),
  ]),
} as const
