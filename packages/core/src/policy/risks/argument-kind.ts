import { nameWords } from "./name-words.ts"

/** The name of an argument that holds an address to visit. */
export function namesAddress(name: string): boolean {
  return hasWord(name, addressWords)
}

/** The name of an argument that holds something to carry out: a command, a script, a query. */
export function namesProgram(name: string): boolean {
  return hasWord(name, programWords)
}

/** The name of an argument that holds a place in a file system. */
export function namesPath(name: string): boolean {
  return hasWord(name, pathWords)
}

/** The name of an argument that holds text where any character is at home: for people or files, or what a tool goes by. */
export function namesProse(name: string): boolean {
  return hasWord(name, proseWords)
}

/** The name of an argument that is no program, and yet says what a tool does: a pattern, a patch, an order to a model. */
export function saysWhatIsDone(name: string): boolean {
  return hasWord(name, orderWords)
}

/**
 * The name says that the argument is text for people or files and nothing else: `commit_message`, and neither `message_to`, `sql_text` nor
 * `prompt_text`.
 */
export function isNamedAsProse(name: string): boolean {
  const last = nameWords(name).at(-1)
  if (last === undefined || !proseWords.has(last) || saysWhatIsDone(name)) return false
  return !namesProgram(name) && !namesPath(name) && !namesAddress(name)
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

const addressWords = wordSet("url urls uri uris href endpoint endpoints webhook webhooks")

const programWords = wordSet(`
  command commands cmd shell script scripts code sql query queries statement statements graphql cypher expression program eval`)

const pathWords = wordSet(`
  path paths file files filename filepath dir dirs directory directories folder folders cwd dest destination source root workspace`)

const proseWords = wordSet(`
  content contents text body message messages description comment comments prompt title summary note notes html markdown data diff
  patch pattern regex template instructions reason observation observations`)

const orderWords = wordSet("pattern patterns regex template templates patch diff prompt instructions data")

function hasWord(name: string, words: ReadonlySet<string>): boolean {
  return nameWords(name).some((word) => words.has(word))
}
