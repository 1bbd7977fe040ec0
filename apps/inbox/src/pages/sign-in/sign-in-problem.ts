import type { Problem } from "@byleave/api"

export type SignInProblem = {
  readonly title: string
  readonly words: string
  /** Another PIN may help. */
  readonly isAboutPin: boolean
  /** Nothing helps but another link. */
  readonly isOver: boolean
}

/** Why a sign-in did not succeed, and what to do. */
export function signInProblem(problem: Problem | "unreachable"): SignInProblem {
  if (problem === "unreachable") {
    return about("Byleave did not answer", "Check that it runs, then try again.")
  }
  switch (problem.code) {
    case "link-spent":
      return {
        ...about("This link no longer works", "Each link signs in one browser, within ten minutes. Make a new one."),
        isOver: true,
      }
    case "wrong-pin":
      return { ...about("That PIN is not right", `${problem.detail} The link still works.`), isAboutPin: true }
    case "too-many-tries":
      return {
        ...about(
          "Too many wrong PINs",
          "Too many wrong PINs: there is one try a minute now. Wait a minute, then try again.",
        ),
        isAboutPin: true,
      }
    default:
      return about("Signing in did not succeed", problem.detail)
  }
}

function about(title: string, words: string): SignInProblem {
  return { title, words, isAboutPin: false, isOver: false }
}
