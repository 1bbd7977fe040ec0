import type { AnswerOf, RouteName, Routes } from "@byleave/api"
import type { z } from "zod"
import type { RunCaller } from "../guard/run-caller.ts"
import type { RequestIdentity } from "../guard/who-asks.ts"
import type { RefusedRequest } from "../refused.ts"
import type { ApiService } from "../service.ts"

type Parsed<Defined, Key extends string> = Defined extends { readonly [K in Key]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined
type WhoOf<Credential> = Credential extends "none"
  ? null
  : Credential extends "reviewer or runner"
    ? RunCaller
    : RequestIdentity

/** One request to a route, checked against the table: who asks, and what. */
export type HandledRequest<Name extends RouteName> = {
  readonly request: Request
  readonly body: Parsed<Routes[Name], "body">
  readonly query: Parsed<Routes[Name], "query">
  readonly params: Parsed<Routes[Name], "params">
  readonly who: WhoOf<Routes[Name]["credential"]>
  /** The body as it was sent. */
  readonly text: string
}

type Given<Name extends RouteName> = Routes[Name]["answer"]["kind"] extends "text" ? Response : AnswerOf<Routes[Name]>

export type Handler<Name extends RouteName> = (
  service: ApiService,
  asked: HandledRequest<Name>,
) => Promise<Given<Name> | RefusedRequest> | Given<Name> | RefusedRequest

export type Handlers = { readonly [Name in RouteName]: Handler<Name> }
