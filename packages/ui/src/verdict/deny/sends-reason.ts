export type PressedKey = {
  readonly key: string
  readonly hasModifier: boolean
  readonly isRepeat: boolean
  /** An input method is composing a character, and Enter accepts it. */
  readonly isComposing: boolean
}

export function sendsReason({ key, hasModifier, isRepeat, isComposing }: PressedKey): boolean {
  return key === "Enter" && !hasModifier && !isRepeat && !isComposing
}
