import type { HelloView } from "@byleave/api"
import { createPageClient } from "@byleave/api/page"
import { Button, Loading, Notice, TextField } from "@byleave/ui"
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, type ReactNode, useState } from "react"
import { browserName } from "../../session/browser-name.ts"
import { useSession } from "../../session/session-context.tsx"
import { HowToSignIn } from "./how-to-sign-in.tsx"
import look from "./sign-in-page.module.css"
import { type SignInProblem, signInProblem } from "./sign-in-problem.ts"

export function SignInForm({ secret }: { readonly secret: string }): ReactNode {
  const hello = useQuery({ queryKey: ["never", "hello"], queryFn: askHello })
  if (hello.data !== undefined) return <Answers secret={secret} presence={hello.data.presence} />
  if (hello.error === null) return <Loading label="Contacting Byleave" lines={2} />
  return (
    <Notice
      tone="no"
      title="Byleave is unreachable"
      actions={<Button onClick={() => void hello.refetch()}>Try again</Button>}
    >
      Start it with “byleave serve”, then try again. The link is still valid.
    </Notice>
  )
}

async function askHello(): Promise<HelloView> {
  const reply = await createPageClient({ url: location.origin }).hello()
  if (!reply.ok) throw new Error(reply.problem.detail)
  return reply.value
}

type AnswersProps = { readonly secret: string; readonly presence: HelloView["presence"] }

function Answers({ secret, presence }: AnswersProps): ReactNode {
  const session = useSession()
  const [pin, setPin] = useState("")
  const [name, setName] = useState(() => browserName(navigator.userAgent))
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<SignInProblem | null>(null)
  const asksPin = presence === "pin"
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const answers = { link: secret, pin: asksPin ? pin : null, name: name.trim() || browserName(navigator.userAgent) }
    const refused = await session.signIn(answers).catch(() => "unreachable" as const)
    setBusy(false)
    setPin("")
    setProblem(refused === null ? null : signInProblem(refused))
  }
  if (problem?.isOver === true) {
    return (
      <>
        <Notice tone="no" title={problem.title}>
          {problem.words}
        </Notice>
        <HowToSignIn />
      </>
    )
  }
  return (
    <form className={look.form} onSubmit={(event) => void submit(event)}>
      {asksPin ? (
        <TextField
          label="Your PIN"
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={pin}
          hint="The PIN you chose with “byleave init”. It proves that a person is here, not an agent."
          error={problem?.isAboutPin === true ? problem.words : undefined}
          onChange={(event) => setPin(event.target.value)}
        />
      ) : (
        <Notice tone="wait" title="PINs are turned off">
          The configuration sets “presence: none”. Anyone with a sign-in link can sign in and decide.
        </Notice>
      )}
      <TextField
        label="Browser name"
        value={name}
        maxLength={120}
        hint="To recognize it in the list of signed-in browsers."
        onChange={(event) => setName(event.target.value)}
      />
      {problem !== null && !problem.isAboutPin && (
        <Notice tone="no" title={problem.title}>
          {problem.words}
        </Notice>
      )}
      <button type="submit" className={look.submit} disabled={isBusy || (asksPin && pin === "")}>
        {isBusy ? "Signing in…" : "Sign in"}
      </button>
    </form>
  )
}
