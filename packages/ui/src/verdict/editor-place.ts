import { createContext } from "react"

/** Where the card shows the call's arguments: they are edited there. Null: at the end of the card. */
export const EditorPlaceContext = createContext<HTMLElement | null>(null)
