import type { DeviceView, NewToken, PublicJwk, ReviewerView, SignedIn, TokenView } from "@byleave/api"
import type { RefusedRequest } from "../refused.ts"
import type { CredentialPorts } from "./credential-ports.ts"
import { addDevice, approveDevice, type DeviceRequest, deviceIdOf, listDevices, revokeDevice } from "./devices.ts"
import { createIdentify, type Identify } from "./identify.ts"
import {
  addReviewer,
  changePin,
  listReviewers,
  type PinCodeChange,
  type ReviewerRequest,
  removeReviewer,
} from "./reviewers.ts"
import { type MintedLink, mintLink, type SignInRequest, signIn } from "./sign-in.ts"
import { addToken, listTokens, revokeToken, type TokenRequest } from "./tokens.ts"

/** Access rights: tokens, people, their devices and the links that register them. `by` is the person who acts; null: nobody signed in. */
export type Credentials = {
  readonly ports: CredentialPorts
  readonly identify: Identify
  readonly addToken: (request: TokenRequest, by: string | null) => Promise<NewToken | RefusedRequest>
  readonly listTokens: () => Promise<readonly TokenView[]>
  readonly revokeToken: (id: string, by: string | null) => Promise<RefusedRequest | null>
  readonly addReviewer: (request: ReviewerRequest, by: string | null) => Promise<ReviewerView | RefusedRequest>
  readonly listReviewers: () => Promise<readonly ReviewerView[]>
  readonly removeReviewer: (id: string, by: string | null) => Promise<RefusedRequest | null>
  readonly changePin: (id: string, change: PinCodeChange) => Promise<RefusedRequest | null>
  readonly addDevice: (request: DeviceRequest, by: string | null) => Promise<string | RefusedRequest>
  readonly deviceIdOf: (jwk: PublicJwk) => Promise<string>
  readonly listDevices: () => Promise<readonly DeviceView[]>
  /** Lets an extension in that waits for it. */
  readonly approveDevice: (id: string, by: string) => Promise<RefusedRequest | null>
  readonly revokeDevice: (id: string, by: string | null) => Promise<RefusedRequest | null>
  readonly mintLink: (reviewer: string, by: string | null) => Promise<MintedLink | RefusedRequest>
  readonly signIn: (request: SignInRequest) => Promise<SignedIn | RefusedRequest>
  readonly close: () => Promise<void>
}

export function createCredentials(ports: CredentialPorts): Credentials {
  const identify = createIdentify(ports)
  /** Our own changes hold here at once, before the store's event comes round. */
  const thenForget = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work
    } finally {
      identify.forget()
    }
  }
  return {
    ports,
    identify,
    addToken: (request, by) => thenForget(addToken(ports, request, by)),
    listTokens: () => listTokens(ports),
    revokeToken: (id, by) => thenForget(revokeToken(ports, id, by)),
    addReviewer: (request, by) => addReviewer(ports, request, by),
    listReviewers: () => listReviewers(ports),
    removeReviewer: (id, by) => removeReviewer(ports, id, by),
    changePin: (id, change) => changePin(ports, id, change),
    addDevice: (request, by) => addDevice(ports, request, by),
    deviceIdOf,
    listDevices: () => listDevices(ports),
    approveDevice: (id, by) => approveDevice(ports, id, by),
    revokeDevice: (id, by) => revokeDevice(ports, id, by),
    mintLink: (reviewer, by) => mintLink(ports, reviewer, by),
    signIn: (request) => signIn(ports, request),
    close: identify.close,
  }
}
