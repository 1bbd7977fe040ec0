/**
 * Credentials and devices, as people manage them.
 *
 * I1. Nobody sets another's PIN.
 * I2. A key is registered only by whoever holds it.
 * I3. A key that is registered already is not registered for somebody else.
 */
import { findCredential } from "../credentials/credential-book.ts"
import { deviceIdOf, deviceView } from "../credentials/devices.ts"
import { reviewerView } from "../credentials/reviewers.ts"
import { checkBody, readProof } from "../credentials/verify-proof.ts"
import { isExtensionOrigin } from "../guard/extension-origin.ts"
import { isRefused, notFound, refuse } from "../refused.ts"
import type { Handler } from "./handler.ts"

export const me: Handler<"me"> = ({ credentials, isDemo = false }, { who }) => ({
  reviewer: reviewerView(who.person),
  device: deviceView(who.device),
  presence: credentials.ports.presence(),
  present: who.present,
  isDemo,
})

export const listTokens: Handler<"listTokens"> = async ({ credentials }) => ({ items: await credentials.listTokens() })

export const addToken: Handler<"addToken"> = ({ credentials }, { body, who }) =>
  credentials.addToken(body, who.reviewer.id)

export const revokeToken: Handler<"revokeToken"> = ({ credentials }, { params, who }) =>
  credentials.revokeToken(params.id, who.reviewer.id)

export const listReviewers: Handler<"listReviewers"> = async ({ credentials }) => ({
  items: await credentials.listReviewers(),
})

export const addReviewer: Handler<"addReviewer"> = ({ credentials }, { body, who }) =>
  credentials.addReviewer(body, who.reviewer.id)

export const removeReviewer: Handler<"removeReviewer"> = ({ credentials }, { params, who }) =>
  credentials.removeReviewer(params.id, who.reviewer.id)

/** Only the reviewer's own PIN: a person who could set another's PIN could answer in their name. */
export const setPin: Handler<"setPin"> = async ({ credentials }, { params, body, who }) => {
  if (params.id !== who.reviewer.id) return notFound()
  return credentials.changePin(params.id, body)
}

export const listDevices: Handler<"listDevices"> = async ({ credentials }) => ({
  items: await credentials.listDevices(),
})

export const approveDevice: Handler<"approveDevice"> = ({ credentials }, { params, who }) =>
  credentials.approveDevice(params.id, who.reviewer.id)

export const revokeDevice: Handler<"revokeDevice"> = ({ credentials }, { params, who }) =>
  credentials.revokeDevice(params.id, who.reviewer.id)

/** In the fragment: browsers send it to nobody and servers log none. */
export const mintLink: Handler<"mintLink"> = async ({ credentials, address }, { body, who }) => {
  const minted = await credentials.mintLink(body.reviewer ?? who.reviewer.id, who.reviewer.id)
  return isRefused(minted) ? minted : { ...minted, url: `${address()}/sign-in#${minted.link}` }
}

/** Signed with the very key it registers, so that nobody registers a key they do not hold. */
export const signIn: Handler<"signIn"> = async (service, { request, body, text }) => {
  const proof = request.headers.get("dpop") ?? ""
  const path = new URL(request.url).pathname
  const proven = await readProof({ proof, method: request.method, path }, service.addresses(), service.now())
  if (isRefused(proven)) return proven
  const otherBody = await checkBody(proven, text)
  if (otherBody !== null) return otherBody
  if (proven.device !== (await deviceIdOf(body.jwk))) {
    return refuse("bad-proof", "Invalid proof. Sign the request with the key it registers.")
  }
  if ((await findCredential(service.credentials.ports, "device", proven.device)) !== null) {
    return refuse("name-taken", "This key is already registered. Sign out first, or create a new key.")
  }
  const origin = request.headers.get("origin")
  const isForeign = isExtensionOrigin(origin) && !service.origins().has(origin)
  return service.credentials.signIn(isForeign ? { ...body, origin } : body)
}

export const signOut: Handler<"signOut"> = ({ credentials }, { who }) =>
  credentials.revokeDevice(who.device.id, who.reviewer.id)
