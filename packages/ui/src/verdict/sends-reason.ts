export type PressedKey = {
  readonly key: string
  readonly hasModifier: boolean
  /** The key is held down. */
  readonly isRepeat: boolean
  /** An input method is composing a character, and Enter accepts it. */
  readonly isComposing: boolean
}

/** Whether a key pressed in the field of a reason sends it. */
export function sendsReason({ key, hasModifier, isRepeat, isComposing }: PressedKey): boolean {
  return key === "Enter" && !hasModifier && !isRepeat && !isComposing
}
