import { type GateAnswer, problem } from "./gate-answer.ts"
import type { GateIdentity, GateRouteContext } from "./gate-context.ts"
import { tooMuchWaits } from "./program-turns.ts"

/** Answers a small request about a call, which may be large, when it is its credential's turn. */
export function inTurn(
  { wholeCalls }: GateRouteContext,
  { token, program }: GateIdentity,
  answer: () => Promise<GateAnswer>,
): Promise<GateAnswer> | GateAnswer {
  return wholeCalls.take({ token, program, bytes: 0 }, answer) ?? problem("too-busy", tooMuchWaits)
}
