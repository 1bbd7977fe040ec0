import { linkBody, pinBody, reviewerBody, signInBody, tokenBody } from "../bodies.ts"
import { defineRoute, json, nothing } from "../route.ts"
import { newLink, newToken, signedIn } from "../verdict/answers.ts"
import { deviceView, meView, reviewerView, tokenView } from "../views/credential-views.ts"
import { id, listOf } from "./route-parts.ts"

/** Access rights: people, their devices, tokens, signing in and out. */
export const accessRoutes = {
  me: defineRoute({
    method: "GET",
    path: "/api/me",
    summary: "Who I am here, and whether I may approve",
    credential: "reviewer",
    answer: json(meView),
  }),
  listTokens: defineRoute({
    method: "GET",
    path: "/api/tokens",
    summary: "Tokens of agents and embedding programs",
    credential: "reviewer",
    answer: json(listOf(tokenView)),
  }),
  addToken: defineRoute({
    method: "POST",
    path: "/api/tokens",
    summary: "Create a token; its secret is returned once",
    credential: "reviewer with presence",
    body: tokenBody,
    answer: json(newToken),
  }),
  revokeToken: defineRoute({
    method: "DELETE",
    path: "/api/tokens/:id",
    summary: "Revoke a token",
    credential: "reviewer",
    params: id,
    answer: nothing,
  }),
  listReviewers: defineRoute({
    method: "GET",
    path: "/api/reviewers",
    summary: "Reviewers",
    credential: "reviewer",
    answer: json(listOf(reviewerView)),
  }),
  addReviewer: defineRoute({
    method: "POST",
    path: "/api/reviewers",
    summary: "Add a reviewer",
    credential: "reviewer with presence",
    body: reviewerBody,
    answer: json(reviewerView),
  }),
  removeReviewer: defineRoute({
    method: "DELETE",
    path: "/api/reviewers/:id",
    summary: "Remove a reviewer and sign out all their devices",
    credential: "reviewer with presence",
    params: id,
    answer: nothing,
  }),
  setPin: defineRoute({
    method: "POST",
    path: "/api/reviewers/:id/pin",
    summary: "Change your PIN",
    credential: "reviewer with presence",
    params: id,
    body: pinBody,
    answer: nothing,
  }),
  listDevices: defineRoute({
    method: "GET",
    path: "/api/devices",
    summary: "Signed-in browsers and terminals",
    credential: "reviewer",
    answer: json(listOf(deviceView)),
  }),
  approveDevice: defineRoute({
    method: "POST",
    path: "/api/devices/:id/approve",
    summary: "Let an extension in that was registered with a link and the PIN",
    credential: "reviewer with presence",
    params: id,
    answer: nothing,
  }),
  revokeDevice: defineRoute({
    method: "DELETE",
    path: "/api/devices/:id",
    summary: "Sign a device out",
    credential: "reviewer",
    params: id,
    answer: nothing,
  }),
  mintLink: defineRoute({
    method: "POST",
    path: "/api/sign-in/links",
    summary: "Make a one-time sign-in link, good for ten minutes",
    credential: "reviewer with presence",
    body: linkBody,
    answer: json(newLink),
  }),
  signIn: defineRoute({
    method: "POST",
    path: "/api/sign-in",
    summary: "Register this browser's key with a link and the PIN; the request is signed with that key",
    credential: "none",
    body: signInBody,
    answer: json(signedIn),
  }),
  signOut: defineRoute({
    method: "POST",
    path: "/api/sign-out",
    summary: "Forget this device's key",
    credential: "reviewer",
    answer: nothing,
  }),
} as const
