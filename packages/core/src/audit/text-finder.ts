/**
 * Finds many needles in a text at once (Aho and Corasick's automaton), after a filter that lets through only texts in
 * which the first four characters of some needle may occur.
 *
 * I1. The time is linear in the text, whatever it says and however many needles there are.
 * I2. Every place a needle covers is in one of the spans; spans are in order and do not overlap.
 */
export type TextSpan = { readonly start: number; readonly end: number }

export type TextFinder = (text: string) => readonly TextSpan[]

/** Needles are at least this long. */
export const shortestNeedle = 4

const nothing: readonly TextSpan[] = []

export function createTextFinder(needles: readonly string[]): TextFinder {
  if (needles.length === 0) return () => nothing
  const mayOccur = createFilter(needles)
  const automaton = buildAutomaton(needles)
  return (text) => (mayOccur(text) ? findSpans(automaton, text) : nothing)
}

const gramBits = 20
const gramMask = (1 << gramBits) - 1

/** Shifting by a quarter of the bits leaves exactly the last four characters in the hash. */
function nextGram(gram: number, code: number): number {
  return ((gram << (gramBits / shortestNeedle)) ^ code) & gramMask
}

function createFilter(needles: readonly string[]): (text: string) => boolean {
  const bits = new Int32Array(1 << (gramBits - 5))
  for (const needle of needles) {
    let gram = 0
    for (let at = 0; at < shortestNeedle; at++) gram = nextGram(gram, needle.charCodeAt(at))
    bits[gram >>> 5] = (bits[gram >>> 5] ?? 0) | (1 << (gram & 31))
  }
  return (text) => {
    let gram = 0
    for (let at = 0; at < text.length; at++) {
      gram = nextGram(gram, text.charCodeAt(at))
      if (((bits[gram >>> 5] as number) & (1 << (gram & 31))) !== 0) return true
    }
    return false
  }
}

type Automaton = {
  /** From (node, code) to the next node. */
  readonly edges: ReadonlyMap<number, number>
  /** Where to go on from a node that has no edge: the longest ending of what was read that begins a needle. */
  readonly fallback: readonly number[]
  /** The length of the longest needle that ends at a node; 0 where none does. */
  readonly ending: readonly number[]
}

const edgeKey = (node: number, code: number): number => node * 0x10000 + code

function buildAutomaton(needles: readonly string[]): Automaton {
  const edges = new Map<number, number>()
  const fallback = [0]
  const ending = [0]
  // Nodes in the order of their depth, each with the edge that leads to it.
  const levels: Array<Array<{ node: number; parent: number; code: number }>> = []
  for (const needle of needles) {
    let node = 0
    for (let at = 0; at < needle.length; at++) {
      const key = edgeKey(node, needle.charCodeAt(at))
      let next = edges.get(key)
      if (next === undefined) {
        next = ending.push(0) - 1
        fallback.push(0)
        edges.set(key, next)
        const level = levels[at] ?? []
        levels[at] = level
        level.push({ node: next, parent: node, code: needle.charCodeAt(at) })
      }
      node = next
    }
    ending[node] = needle.length
  }
  const automaton = { edges, fallback, ending }
  for (const { node, parent, code } of levels.flat()) {
    fallback[node] = parent === 0 ? 0 : step(automaton, fallback[parent] as number, code)
    ending[node] = Math.max(ending[node] as number, ending[fallback[node]] as number)
  }
  return automaton
}

function step(automaton: Automaton, from: number, code: number): number {
  let node = from
  for (;;) {
    const next = automaton.edges.get(edgeKey(node, code))
    if (next !== undefined) return next
    if (node === 0) return 0
    node = automaton.fallback[node] as number
  }
}

function findSpans(automaton: Automaton, text: string): readonly TextSpan[] {
  const spans: TextSpan[] = []
  let node = 0
  for (let at = 0; at < text.length; at++) {
    node = step(automaton, node, text.charCodeAt(at))
    const length = automaton.ending[node] as number
    if (length > 0) addSpan(spans, at + 1 - length, at + 1)
  }
  return spans
}

function addSpan(spans: TextSpan[], from: number, end: number): void {
  let start = from
  for (let last = spans.at(-1); last !== undefined && last.end > start; last = spans.at(-1)) {
    start = Math.min(start, last.start)
    spans.pop()
  }
  spans.push({ start, end })
}
