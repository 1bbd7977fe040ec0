export { DefinitionReview, type PinAct } from "./definition-review.tsx"
export { asDisplayed, leftToLookAt, lookedAt, pinKey } from "./looked-at.ts"
export { pinWords } from "./pin-words.ts"
