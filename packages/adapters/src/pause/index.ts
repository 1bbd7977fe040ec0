export type { HoldAnswer, Holds, HoldsOptions } from "./holds.ts"
export { createHolds } from "./holds.ts"
