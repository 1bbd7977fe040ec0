import { compileLongGlob, compilePaidGlob, type Payment } from "./glob.ts"
import type { Judgement } from "./judgement.ts"
import { freeLooks, type JudgingWork, keptForLists, listedCharacter, shortText, tooMuchWork } from "./judging-work.ts"

/** The looks at a text that are paid for when it is matched. */
export type PaidFor = (text: string) => Payment

const free: Payment = { keep: keptForLists, paid: freeLooks }

export const paidAlone: PaidFor = () => free

/** The price of every value in a list is taken before it is looked at. */
export const paidInList: PaidFor = ({ length }) => ({ keep: 0, paid: listedCharacter * length })

/** Tests a text against a glob. */
export function compileGlobTest(pattern: string, paidFor: PaidFor): (text: string, work: JudgingWork) => Judgement {
  const [matches, matchesLong] = [compilePaidGlob(pattern), compileLongGlob(pattern)]
  return (text, work) => {
    const isMatch = text.length <= shortText ? matches(text, work, paidFor(text)) : matchesLong(text, work)
    return isMatch === null ? tooMuchWork : isMatch ? "holds" : "fails"
  }
}
