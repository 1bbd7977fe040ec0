import { TextField } from "@byleave/ui"
import type { ReactNode } from "react"
import { type ClientSetup, exampleCommand } from "./client-setups.ts"

type WrapFieldsProps = {
  readonly setup: ClientSetup
  readonly name: string
  readonly command: string
  readonly onName: (name: string) => void
  readonly onCommand: (command: string) => void
}

/** The server that is to be wrapped, as the client starts it now. */
export function WrapFields({ setup, name, command, onName, onCommand }: WrapFieldsProps): ReactNode {
  const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const
  return (
    <>
      <TextField
        {...plain}
        label="Server name"
        hint="Your rules use this name."
        placeholder="files"
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <TextField
        {...plain}
        label="Server command"
        hint="As your client starts it now. Until you enter it, an example is shown."
        placeholder={exampleCommand(setup).join(" ")}
        value={command}
        onChange={(event) => onCommand(event.currentTarget.value)}
      />
    </>
  )
}
