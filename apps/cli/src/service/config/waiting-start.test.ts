/** A server whose new start waits, beside a policy that is saved: a relative path is judged from where the server runs. */
import { afterEach, expect, it } from "vitest"
import { leavePlaces, openPlace } from "../fixtures/places.ts"
import { answerChange, must, notesConfig, readNote, waitingChange, writeNotes } from "../fixtures/reading-agent.ts"

const inFolder = (cwd: string) => notesConfig(cwd, "./drafts")

afterEach(leavePlaces)

it("a policy that is saved knows a server where it runs, and where it runs anew only once a person has said yes", async () => {
  const made = await openPlace(inFolder("./private"))
  writeNotes(made, ["private", "drafts"], ["a.md", "b.md", "c.md", "d.md"])
  const { url } = await made.serve()
  const client = await made.reviewer(url)
  const saveMore = async (line: string) => {
    const { text, version } = must(await client.getPolicyText())
    const body = { text: `${text}# ${line}\n` }
    expect(must(await client.previewPolicy({ body }))).toMatchObject({ ok: true, widens: [], other: [] })
    must(await client.savePolicy({ body: { ...body, version } }))
  }
  expect(await readNote(client, url, "a.md")).toBe("asks")

  made.write(inFolder("./drafts"))
  const { args } = must(await client.getApproval({ params: { id: await waitingChange(client) } }))
  expect(JSON.stringify(args)).toContain("drafts")
  await saveMore("a line that says nothing")
  expect(await readNote(client, url, "b.md")).toBe("asks")

  await answerChange(client, "deny")
  await saveMore("another")
  expect(await readNote(client, url, "c.md")).toBe("asks")

  await answerChange(client, "approve")
  expect(await readNote(client, url, "d.md")).toContain("this is drafts")
})
