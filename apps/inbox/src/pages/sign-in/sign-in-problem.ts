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
    return about("Byleave did not respond", "Check that it is running, then try again.")
  }
  switch (problem.code) {
    case "link-spent":
      return {
        ...about("This link no longer works", "Each link works once, for ten minutes. Create a new one."),
        isOver: true,
      }
    case "wrong-pin":
      return { ...about("Wrong PIN", `${problem.detail} The link is still valid.`), isAboutPin: true }
    case "too-many-tries":
      return {
        ...about(
          "Too many wrong PINs",
          "Too many wrong PINs. You now have one attempt per minute. Wait a minute, then try again.",
        ),
        isAboutPin: true,
      }
    default:
      return about("Sign-in failed", problem.detail)
  }
}

function about(title: string, words: string): SignInProblem {
  return { title, words, isAboutPin: false, isOver: false }
}
