import type { ScriptedModelConfig } from "@byleave/core"

const wrotePart = "What you allowed is written; anything else was left as it was."

export const demoModel = "demonstration"

/** Answers of the demonstration, which needs neither a model nor a server: it uses the notebook inside the extension. */
export const demoScript: ScriptedModelConfig = {
  name: demoModel,
  provider: "scripted",
  steps: [
    {
      when: "haiku",
      say: "I will write a haiku into notes.md. That changes a note, so it waits for your approval.",
      calls: [
        {
          tool: "notebook(write_note)",
          args: {
            name: "notes.md",
            text: "A call at the door.\nIt waits until you have read.\nThen, by your leave, in.\n",
          },
        },
      ],
    },
    { when: "characters to notes.md", say: "Done: the haiku is in **notes.md**. Ask me to read it, or to tidy up." },
    {
      when: "two",
      say: "Two notes, decided each for itself.",
      calls: [
        { tool: "notebook(write_note)", args: { name: "tea.md", text: "Buy green tea.\n" } },
        { tool: "notebook(write_note)", args: { name: "list.md", text: "- bread\n- milk\n- tea\n" } },
      ],
    },
    { when: "characters to tea.md", say: wrotePart },
    { when: "characters to list.md", say: wrotePart },
    { when: "read", say: "Let me look.", calls: [{ tool: "notebook(read_note)", args: { name: "notes.md" } }] },
    { when: "by your leave", say: "It says what it always said: *by your leave*." },
    {
      when: "tidy",
      say: "I would delete the note.",
      calls: [{ tool: "notebook(delete_note)", args: { name: "notes.md" } }],
    },
    { when: "deleted", say: "The note is gone." },
    { when: "denied", say: "Understood. I left everything as it was." },
    { when: "decided in time", say: "Nobody answered in time, so I left everything as it was." },
    {
      when: "again",
      say: "Once more.",
      calls: [{ tool: "notebook(write_note)", args: { name: "notes.md", text: "Once more, with your leave.\n" } }],
    },
    { when: "characters to notes.md", say: "Written again." },
  ],
}
