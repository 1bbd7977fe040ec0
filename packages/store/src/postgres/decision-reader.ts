/**
 * The basis of decisions. Definitions are long and change seldom; grants and modes change while people work.
 *
 * I1. Definitions are read when they have changed, and by one read for all who ask meanwhile.
 * I2. What is given was there at one moment, after it was asked for.
 */
import {
  type DecisionState,
  type Grant,
  type Hasher,
  type Pin,
  type SessionRecord,
  type SessionState,
  StoreError,
  sessionKey,
} from "@byleave/core"
import type { Statements } from "./commit/statements.ts"
import { everybody } from "./connection-turns.ts"
import type { Connections, Statement } from "./connections.ts"
import { readDoc } from "./read-doc.ts"

type DecisionReader = {
  readonly decisionState: () => Promise<DecisionState>
  readonly grants: () => Promise<readonly Grant[]>
  readonly session: (ref: SessionRef) => Promise<SessionRecord | undefined>
  readonly sessionState: (ref: SessionRef) => Promise<SessionState>
}

type SessionRef = { readonly principal: string; readonly id: string }

type StateRow =
  | { readonly kind: "epoch"; readonly epoch: number; readonly pins: number; readonly doc: null }
  | { readonly kind: "grant" | "pin" | "session"; readonly epoch: null; readonly pins: null; readonly doc: string }

/** The rows of one statement, which sees one moment. `pinsEpoch`: the epoch at which definitions changed last. */
type StateRead = {
  readonly epoch: number
  readonly pinsEpoch: number
  readonly grants: readonly Grant[]
  readonly pins: readonly Pin[]
  readonly sessions: readonly SessionRecord[]
}

type KnownPins = { readonly epoch: number; readonly pins: readonly Pin[] }

/** Definitions that change each time between two reads: more often than this means something is wrong. */
const maxAttempts = 20

export function createDecisionReader(read: Connections["read"], sql: Statements, hasher: Hasher): DecisionReader {
  const readState = async (
    statement: Statement,
    values: readonly unknown[] = [],
    reader?: string,
  ): Promise<StateRead> => stateOf(await read<StateRow>(statement, values, reader))
  const keyOf = (ref: SessionRef): string => hasher.sha256(sessionKey(ref))
  let known: KnownPins | null = null
  let reading: { readonly epoch: number; readonly read: Promise<KnownPins> } | null = null
  const readPins = async (): Promise<KnownPins> => {
    const { pinsEpoch, pins } = await readState(sql.pins, [], everybody)
    const found = { epoch: pinsEpoch, pins }
    if (pinsEpoch >= (known?.epoch ?? 0)) known = found
    return found
  }
  const pinsAt = (epoch: number): Promise<KnownPins> => {
    if (reading?.epoch === epoch) return reading.read
    const begun = { epoch, read: readPins() }
    reading = begun
    return begun.read.finally(() => {
      if (reading === begun) reading = null
    })
  }
  return {
    decisionState: async () => {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const { epoch, pinsEpoch, grants, sessions } = await readState(sql.decisionState)
        const found = known?.epoch === pinsEpoch ? known : await pinsAt(pinsEpoch)
        if (found.epoch === pinsEpoch) return { epoch, grants, pins: found.pins, sessions }
      }
      throw new StoreError("busy", "Definitions kept changing while they were read. Try again.")
    },
    grants: async () => (await read<{ doc: string }>(sql.grants)).map(({ doc }) => readDoc<Grant>(doc)),
    session: async (ref) => {
      const [row] = await read<{ doc: string }>(sql.session, [keyOf(ref)])
      return row === undefined ? undefined : sessionOf(row.doc)
    },
    sessionState: async (ref) => {
      const { epoch, grants, sessions } = await readState(sql.sessionState, [keyOf(ref)])
      return { epoch, record: sessions[0], grants }
    },
  }
}

function stateOf(rows: readonly StateRow[]): StateRead {
  const docsOf = (kind: StateRow["kind"]): readonly string[] =>
    rows.flatMap((row) => (row.kind === kind && row.doc !== null ? [row.doc] : []))
  const epochs = rows.find((row) => row.kind === "epoch")
  return {
    epoch: epochs?.epoch ?? 0,
    pinsEpoch: epochs?.pins ?? 0,
    grants: docsOf("grant").map((doc) => readDoc<Grant>(doc)),
    pins: docsOf("pin").map((doc) => readDoc<Pin>(doc)),
    sessions: docsOf("session").map(sessionOf),
  }
}

// Documents of schema 4 and before hold a count that has moved elsewhere.
function sessionOf(doc: string): SessionRecord {
  const { autoAllowed: _, ...record } = readDoc<SessionRecord & { readonly autoAllowed?: number }>(doc)
  return record
}
