import { createContext, useContext } from "react"

/** The name that tells a card from the others on its page, such as "call 2"; null: it is the only one. */
export const CardNameContext = createContext<string | null>(null)

/** The name of a part of the card, which no part of another card has: whoever goes by landmarks must tell them apart. */
export function useNameInCard(part: string): string {
  const card = useContext(CardNameContext)
  return card === null ? part : `${part}, ${card}`
}
