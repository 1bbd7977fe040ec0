export type { CallWording } from "./outcome-text.ts"
export { noteTexts, refusalText, ticketText, unknownText } from "./outcome-text.ts"
