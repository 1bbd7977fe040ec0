/**
 * The one door for judging on behalf of a credential. Some calls take long to judge whatever their size, and nobody else is answered while one is
 * judged: people who decide go first, and take no turn here.
 *
 * I1. A credential whose calls took 10 ms to judge, one or several of them, rests for as long as they took, and for several turns of the event loop at least.
 * I2. Where several rest, each does so for all of them: together they take no more than half of the time.
 * I3. What waits is done in its order; nobody waits for another credential. A request that has not begun waits behind calls that have.
 * I4. What nobody waits for any more is not judged.
 * I5. A credential whose calls take no time waits for nothing.
 */
import type { WaitingBody } from "./body/body-turns.ts"

export type JudgingTurns = {
  /** Judges at once, or when it is the credential's turn. */
  readonly judge: <Ready, Judged>(
    credential: string,
    judging: PreparedJudging<Ready, Judged>,
  ) => Judged | Promise<Judged>
  /** Judging that could not wait took so many milliseconds. */
  readonly took: (credential: string, ms: number) => void
  /** Whether a new request of it is to wait before it begins. */
  readonly isBusy: (credential: string) => boolean
  /** For such a request: resolved when it is its turn: true; or false once it was left. */
  readonly wait: (credential: string) => WaitingBody
}

export type PreparedJudging<Ready, Judged> = {
  /** Gets what is judged by, which takes up nobody's time; anew after each wait. */
  readonly prepare: () => Ready | Promise<Ready>
  /** Does all of it at once. */
  readonly judge: (ready: Ready) => Judged
  /** Whether somebody still waits for it when it is its turn, and what is given if nobody does. Absent: somebody does. */
  readonly leaving?: { readonly isWanted: () => boolean; readonly left: Judged } | undefined
}

/** `now`: in whole milliseconds. `pause`: resolved after that time, and after all other ready work has had its turn. */
export type JudgingPorts = { readonly now: () => number; readonly pause: (ms: number) => Promise<unknown> }

const longMs = 10
/** As many as it takes a small request to be read, looked up and answered. */
const turnsToRest = 8
const longestRestMs = 500

type Spending = {
  /** Since it last rested. */
  ms: number
  turnsLeft: number
  readonly calls: Set<() => Promise<void>>
  readonly requests: Set<(isIts: boolean) => void>
}

export function createJudgingTurns({ now, pause }: JudgingPorts): JudgingTurns {
  const known = new Map<string, Spending>()
  const spendingOf = (credential: string): Spending => {
    const before = known.get(credential)
    if (before !== undefined) return before
    const own: Spending = { ms: 0, turnsLeft: turnsToRest, calls: new Set(), requests: new Set() }
    known.set(credential, own)
    // Once it is known how long it took.
    void Promise.resolve().then(() => work(credential, own))
    return own
  }
  const work = async (credential: string, own: Spending): Promise<void> => {
    for (;;) {
      for (; own.turnsLeft > 0; own.turnsLeft--) await pause(restOf(own) / turnsToRest)
      own.ms = 0
      own.turnsLeft = turnsToRest
      for (let call = first(own.calls); call !== undefined && !isLong(own); call = first(own.calls)) {
        own.calls.delete(call)
        await call()
      }
      if (isLong(own)) continue
      const request = first(own.requests)
      if (request === undefined) break
      own.requests.delete(request)
      request(true)
    }
    known.delete(credential)
  }
  const restOf = (own: Spending): number => {
    const resting = [...known.values()].filter(isLong).length
    return isLong(own) ? Math.min(own.ms * resting, longestRestMs) : 0
  }
  const mustWait = (credential: string): boolean => {
    const own = known.size > 0 ? known.get(credential) : undefined
    return own !== undefined && (isLong(own) || own.calls.size > 0)
  }
  const took = (credential: string, ms: number): void => {
    if (ms <= 0) return
    const own = spendingOf(credential)
    own.ms += ms
    if (isLong(own)) own.turnsLeft = turnsToRest
  }
  const timed = <Ready, Judged>(credential: string, judge: (ready: Ready) => Judged, ready: Ready): Judged => {
    const began = now()
    try {
      return judge(ready)
    } finally {
      took(credential, now() - began)
    }
  }
  const whenItsTurn = <Ready, Judged>(
    credential: string,
    { prepare, judge, leaving }: PreparedJudging<Ready, Judged>,
  ): Promise<Judged> =>
    new Promise((resolve, reject) => {
      const inTurn = async (): Promise<void> => {
        if (leaving?.isWanted() === false) return resolve(leaving.left)
        const ready = await prepare()
        resolve(timed(credential, judge, ready))
      }
      spendingOf(credential).calls.add(() => inTurn().catch(reject))
    })
  return {
    judge: (credential, judging) => {
      if (mustWait(credential)) return whenItsTurn(credential, judging)
      const ready = judging.prepare()
      if (!(ready instanceof Promise)) return timed(credential, judging.judge, ready)
      // Others may have been judged meanwhile.
      return ready.then((prepared) =>
        mustWait(credential) ? whenItsTurn(credential, judging) : timed(credential, judging.judge, prepared),
      )
    },
    took,
    isBusy: (credential) => mustWait(credential) || (known.get(credential)?.requests.size ?? 0) > 0,
    wait: (credential) => {
      const { requests } = spendingOf(credential)
      let begin: (isIts: boolean) => void = () => {}
      const turn = new Promise<boolean>((resolve) => {
        begin = resolve
      })
      requests.add(begin)
      return {
        turn,
        leave: () => {
          if (requests.delete(begin)) begin(false)
        },
      }
    },
  }
}

function isLong({ ms }: Spending): boolean {
  return ms >= longMs
}

function first<Entry>([entry]: Iterable<Entry>): Entry | undefined {
  return entry
}
