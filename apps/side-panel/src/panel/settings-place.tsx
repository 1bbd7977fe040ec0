import { Button, TextField } from "@byleave/ui"
import { type ReactNode, useEffect, useState } from "react"
import { pair, unpair } from "../paired/pairing.ts"
import { changeSettings, type PanelSettings, readSettings, sealModelKey } from "../settings/settings.ts"
import { allowOrigin, readAddress } from "../standalone/manage-servers.ts"
import { leaveThreads } from "./kept-thread.ts"
import type { PanelBackend } from "./panel-client.ts"
import { PanelForm, useText } from "./panel-form.tsx"
import look from "./places.module.css"
import { useAct } from "./use-live.ts"

export function SettingsPlace({ backend }: { readonly backend: PanelBackend | null }): ReactNode {
  const [settings, setSettings] = useState<PanelSettings | null>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change begins another round
  useEffect(() => {
    void readSettings().then(setSettings)
  }, [round])
  const again = (): void => setRound((before) => before + 1)
  if (settings === null) return null
  return (
    <div className={look.place}>
      <h2>Settings</h2>
      {settings.pairedWith === null && <ModelForm key={round} settings={settings} onChanged={again} />}
      <Pairing settings={settings} backend={backend} onChanged={again} />
      <section className={look.group} aria-label="What this panel keeps">
        <h3>What this panel keeps</h3>
        <p className="aside">
          {settings.pairedWith === null
            ? "Threads, permissions and the audit trail lie in this browser and nowhere else. Keys and headers are sealed with a key that cannot be taken out of it. Nothing runs while the panel is closed."
            : "Threads and permissions lie in your Byleave. This browser keeps a key that cannot be taken out of it, and signs its requests with it."}
        </p>
      </section>
    </div>
  )
}

function ModelForm({
  settings,
  onChanged,
}: {
  readonly settings: PanelSettings
  readonly onChanged: () => void
}): ReactNode {
  const [url, urlField] = useText(settings.model?.url)
  const [model, modelField] = useText(settings.model?.model)
  const [key, keyField] = useText()
  const save = useAct(async () => {
    const address = readAddress(url.trim())
    if (model.trim() === "") throw new Error("Enter the name of the model, as its server knows it.")
    await allowOrigin(address)
    const sealed = key === "" ? (settings.model?.key ?? null) : await sealModelKey(key)
    await changeSettings((before) => ({
      ...before,
      model: { url: address.replace(/\/$/, ""), model: model.trim(), key: sealed },
    }))
    onChanged()
  })
  const forget = useAct(async () => {
    await changeSettings((before) => ({ ...before, model: null }))
    onChanged()
  })
  return (
    <PanelForm
      label="Model"
      title="Model"
      lead={
        settings.model === null
          ? "None yet: the scripted demonstration answers. Any OpenAI-compatible address works, also of a model on this machine."
          : "Used from the next thread on."
      }
      problem={save.problem}
      buttons={
        <>
          {settings.model !== null && (
            <Button busy={forget.isBusy && "Forgetting…"} onClick={() => void forget.run()}>
              Use the demonstration
            </Button>
          )}
          <Button tone="yes" busy={save.isBusy && "Saving…"} onClick={() => void save.run()}>
            Save
          </Button>
        </>
      }
    >
      <TextField label="Address" type="url" placeholder="http://127.0.0.1:11434/v1" {...urlField} />
      <TextField label="Model" placeholder="qwen3:8b" {...modelField} />
      <TextField
        label="Key (optional)"
        type="password"
        autoComplete="off"
        hint={
          settings.model?.key == null
            ? "Sealed in this browser; it is not shown again."
            : "A key is kept. Leave this empty to keep it."
        }
        {...keyField}
      />
    </PanelForm>
  )
}

type PairingProps = {
  readonly settings: PanelSettings
  readonly backend: PanelBackend | null
  readonly onChanged: () => void
}

function Pairing({ settings, backend, onChanged }: PairingProps): ReactNode {
  const [link, linkField] = useText()
  const [pin, pinField] = useText()
  const connect = useAct(async () => {
    await pair({ link: link.trim(), pin })
    if (backend !== null) await leaveThreads(backend)
    location.reload()
  })
  const disconnect = useAct(async () => {
    if (backend !== null) await leaveThreads(backend)
    await unpair()
    onChanged()
    location.reload()
  })
  if (settings.pairedWith !== null) {
    return (
      <PanelForm
        label="Pairing"
        title="Paired"
        lead={`With the Byleave at ${settings.pairedWith}. Agents run there, and its rules apply.`}
        problem={disconnect.problem}
        buttons={
          <Button tone="no" busy={disconnect.isBusy && "Ending…"} onClick={() => void disconnect.run()}>
            End the pairing
          </Button>
        }
      />
    )
  }
  return (
    <PanelForm
      label="Pairing"
      title="Pair with a Byleave on this machine"
      lead={
        <>
          Then its servers, rules and people count, and agents run there. Get a link with{" "}
          <code>byleave open --print</code>.
        </>
      }
      problem={connect.problem}
      buttons={
        <Button tone="yes" busy={connect.isBusy && "Pairing…"} onClick={() => void connect.run()}>
          Pair
        </Button>
      }
    >
      <TextField label="Sign-in link" autoComplete="off" {...linkField} />
      <TextField label="PIN" type="password" autoComplete="off" {...pinField} />
    </PanelForm>
  )
}
