import type { ComponentProps, ReactNode } from "react"
import look from "./button.module.css"

export type ButtonProps = Omit<ComponentProps<"button">, "type" | "className"> & {
  /** The meaning of pressing it: a yes, a no, or neither. */
  readonly tone?: "plain" | "yes" | "no" | "quiet"
  readonly size?: "usual" | "small"
  /** It was pressed and its work is not done: it says so and cannot be pressed again. */
  readonly busy?: string | false
  readonly icon?: ReactNode
}

export function Button({
  tone = "plain",
  size = "usual",
  busy = false,
  icon,
  children,
  disabled,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type="button"
      className={look.button}
      data-tone={tone}
      data-size={size}
      aria-busy={busy !== false}
      disabled={disabled === true || busy !== false}
    >
      {icon !== undefined && (
        <span className={look.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      {busy === false ? children : busy}
    </button>
  )
}
