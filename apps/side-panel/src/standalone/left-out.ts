/** Stands for packages of other providers, which the panel does not carry. */
function leftOut(): never {
  throw new Error("The side panel reaches models by an OpenAI-compatible address only.")
}

export const gateway = leftOut
export const createGateway = leftOut
export const createOpenAI = leftOut
export const createAnthropic = leftOut
export const createGoogle = leftOut
export class GatewayError extends Error {}
export class GatewayAuthenticationError extends Error {}
