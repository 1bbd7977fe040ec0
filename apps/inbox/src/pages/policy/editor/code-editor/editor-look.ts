import { HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import type { Extension } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { tags } from "@lezer/highlight"

const text = "400 var(--size-small) / 1.375rem var(--font-exact)"
const none = { outline: "none" }

const box = {
  border: "1px solid var(--line-strong)",
  borderRadius: "var(--round-large)",
  backgroundColor: "var(--raised)",
  boxShadow: "var(--lift)",
  color: "var(--ink)",
  font: "400 var(--size-small) / 1.45 var(--font-text)",
}

const code = {
  fontFamily: "var(--font-exact)",
  fontSize: "0.92em",
  fontVariantLigatures: "none",
}

/** A line's number where the line has a problem: a sign as well as a colour. */
function numberLook(sign: string, colour: string) {
  return {
    borderInlineStartColor: `var(--${colour})`,
    background: `var(--${colour}-wash)`,
    color: `var(--${colour})`,
    fontWeight: 700,
    "&::before": { content: `"${sign} "` },
  }
}

const page = EditorView.theme({
  "&": { flex: "1 1 auto", minHeight: "0", color: "var(--ink)", backgroundColor: "transparent" },
  "&.cm-focused": none,
  ".cm-scroller": {
    flex: "1 1 auto",
    minHeight: "0",
    overflow: "hidden auto",
    font: text,
    fontVariantLigatures: "none",
  },
  ".cm-content": { padding: "var(--gap-3) 0", caretColor: "var(--ink)" },
  ".cm-content:focus-visible": none,
  ".cm-line": { padding: "0 var(--gap-3)" },
  ".cm-gutters": {
    minWidth: "var(--gutter)",
    border: "0",
    borderInlineEnd: "1px dashed var(--line-strong)",
    backgroundColor: "var(--well)",
    color: "var(--ink-soft)",
  },
  ".cm-lineNumbers": { flex: "1" },
  ".cm-lineNumbers .cm-gutterElement": {
    padding: "0 var(--gap-2) 0 var(--gap-1)",
    borderInlineStart: "3px solid transparent",
    whiteSpace: "nowrap",
  },
  ".cm-lineNumbers .cm-gutterElement.number-error": numberLook("✕", "no"),
  ".cm-lineNumbers .cm-gutterElement.number-warning": numberLook("!", "wait"),
  ".problem-error, .problem-warning": {
    textDecoration: "underline wavy 1px",
    textUnderlineOffset: "0.2em",
    textDecorationSkipInk: "none",
  },
  ".problem-warning": { textDecorationColor: "var(--wait)" },
  ".problem-error": { textDecorationColor: "var(--no)", backgroundColor: "var(--no-wash)" },
  ".cm-specialChar": { color: "var(--no)" },
  "@media (width < 40rem)": { ".cm-line": { padding: "0 var(--gap-2)" } },
})

const popups = EditorView.theme({
  ".cm-tooltip": { ...box, zIndex: "30" },
  ".cm-tooltip p": { margin: "0" },
  ".cm-tooltip code": code,
  ".cm-tooltip .help": {
    display: "grid",
    gap: "var(--gap-1)",
    boxSizing: "border-box",
    maxWidth: "min(26rem, calc(100vw - 2rem))",
    padding: "var(--gap-2) var(--gap-3)",
    overflowWrap: "anywhere",
  },
  ".help .help-name": { fontWeight: 600, color: "var(--know)" },
  ".help .help-values": { color: "var(--ink-soft)" },
  ".help .help-error, .help .help-warning": { paddingInlineStart: "var(--gap-2)", borderInlineStart: "3px solid" },
  ".help .help-error": { borderColor: "var(--no)", color: "var(--no)" },
  ".help .help-warning": { borderColor: "var(--wait)", color: "var(--wait)" },
  ".cm-tooltip.cm-tooltip-autocomplete": {
    "& > ul": {
      minWidth: "14rem",
      maxWidth: "min(24rem, calc(100vw - 2rem))",
      maxHeight: "16rem",
      padding: "var(--gap-1)",
      fontFamily: "var(--font-exact)",
      fontVariantLigatures: "none",
      overscrollBehavior: "contain",
      "& > li": {
        display: "flex",
        alignItems: "baseline",
        justifyContent: "space-between",
        gap: "var(--gap-4)",
        padding: "var(--gap-1) var(--gap-2)",
        borderRadius: "var(--round)",
        lineHeight: "1.4",
      },
      "& > li[aria-selected]": {
        background: "var(--well)",
        color: "var(--ink)",
        boxShadow: "inset 0 0 0 2px var(--focus)",
      },
    },
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: 700, color: "var(--know)" },
  ".cm-completionDetail": {
    margin: "0",
    fontFamily: "var(--font-text)",
    fontStyle: "normal",
    color: "var(--ink-soft)",
  },
  ".cm-tooltip.cm-completionInfo": {
    maxWidth: "min(20rem, calc(100vw - 2rem))",
    margin: "0 var(--gap-1)",
    padding: "var(--gap-2) var(--gap-3)",
  },
  "@media (pointer: coarse)": {
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { minHeight: "var(--touch)", alignItems: "center" },
  },
})

const words = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--know)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--yes)" },
  { tag: tags.lineComment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace, tags.meta], color: "var(--ink-soft)" },
  { tag: [tags.labelName, tags.typeName, tags.keyword], color: "var(--wait)" },
])

/** The editor in the colours, letters and boxes of the page, in its light and its dark. */
export const editorLook: Extension = [page, popups, syntaxHighlighting(words)]
